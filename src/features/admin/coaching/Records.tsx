import type { ReactNode } from 'react';
import type { AdminEngagement } from '#data/admin-engagement.ts';
import { CHANNEL_LABELS } from '#domain/admin-coaching.ts';
import { dayText, momentText, nearDayText } from '#lib/locale/dates.ts';
import { Section } from '#ui/Section.tsx';
import type { EngagementNames } from './names.ts';
import { PacketPreview } from './PacketPreview.tsx';

interface RecordsProps {
  page: AdminEngagement;
  names: EngagementNames;
  /** The admin's IANA time zone and the day there. */
  timeZone: string;
  today: string;
}

/** Actions, attempts to reach the owner, and handovers; only what there is. */
export function Records(props: RecordsProps) {
  const { actions, contacts, handovers } = props.page;
  return (
    <>
      {actions.length > 0 && <Actions {...props} />}
      {contacts.length > 0 && <Contacts {...props} />}
      {handovers.length > 0 && <Handovers {...props} />}
    </>
  );
}

const List = ({ children }: { children: ReactNode }) => (
  <ul className="mt-3 flex flex-col card divide-y divide-line text-sm">{children}</ul>
);

const ACTION_STATES = { open: 'Open', done: 'Done', dropped: 'Dropped' } as const;
const DOERS = { owner: 'Owner', coach: 'Coach' } as const;

function Actions({ page: { actions }, today }: RecordsProps) {
  return (
    <Section id="agreed" title="Actions">
      <List>
        {actions.map(({ id, body, doer, due_on, state }) => (
          <li key={id} className="flex flex-wrap gap-x-4 gap-y-1 px-5 py-3">
            <span className="min-w-0 grow basis-60 wrap-anywhere">{body}</span>
            <span className="text-muted">
              {DOERS[doer]} · {ACTION_STATES[state]}
              {due_on && state === 'open' && (
                <span className={due_on < today ? 'font-medium text-danger' : undefined}>
                  {due_on < today ? ' · Was due ' : ' · Due '}
                  {nearDayText(due_on, today)}
                </span>
              )}
            </span>
          </li>
        ))}
      </List>
    </Section>
  );
}

function Contacts({ page: { contacts }, timeZone }: RecordsProps) {
  return (
    <Section id="contacts" title="Attempts to reach the owner">
      <List>
        {contacts.map(({ id, at, channel, reached, note, coach }) => (
          <li key={id} className="px-5 py-3">
            <p className="flex flex-wrap gap-x-3">
              <span className="font-medium">{CHANNEL_LABELS[channel]}</span>
              <span className="text-muted">{reached ? 'Reached' : 'Not reached'}</span>
            </p>
            <p className="text-xs text-muted">
              <time dateTime={at}>{momentText(at, timeZone)}</time>
              {coach && ` · ${coach}`}
            </p>
            {note && <p className="mt-1 max-w-prose whitespace-pre-line wrap-anywhere">{note}</p>}
          </li>
        ))}
      </List>
    </Section>
  );
}

function Handovers({ page: { handovers }, names, timeZone, today }: RecordsProps) {
  return (
    <Section id="handovers" title="Handovers">
      <List>
        {handovers.map(({ id, note, packet, created_at, handed_at, from, to }) => (
          <li key={id} className="px-5 py-4">
            <p>
              <span className="font-medium">
                {from ?? 'A former coach'} to{' '}
                {handed_at ? (to ?? 'a former coach') : 'the next coach'}
              </span>{' '}
              <span className="text-muted">
                {handed_at
                  ? `on ${dayText(handed_at, timeZone)}`
                  : `written on ${dayText(created_at, timeZone)}, waiting for someone to take over`}
              </span>
            </p>
            {note && <p className="mt-1 max-w-prose whitespace-pre-line wrap-anywhere">{note}</p>}
            <details className="mt-2">
              <summary className="text-sm">What it has</summary>
              <div className="mt-2">
                <PacketPreview packet={packet} names={names} timeZone={timeZone} today={today} />
              </div>
            </details>
          </li>
        ))}
      </List>
    </Section>
  );
}
