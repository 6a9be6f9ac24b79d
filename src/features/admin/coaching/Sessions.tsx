import { useState } from 'react';
import type { AdminEngagement, AdminSession } from '#data/admin-engagement.ts';
import { SESSION_KIND_LABELS, SESSION_RATINGS, SESSION_STATE_LABELS } from '#domain/session.ts';
import { momentText } from '#lib/locale/dates.ts';
import { Button } from '#ui/Button.tsx';
import { Section } from '#ui/Section.tsx';
import { useOpenedPart } from '#ui/use-part.ts';
import type { EngagementNames } from './names.ts';

interface SessionsProps extends Pick<AdminEngagement, 'sessions' | 'feedback'> {
  names: EngagementNames;
  /** The admin's IANA time zone. */
  timeZone: string;
}

const loadNote = () => import('./NoteDialog.tsx');

/** The sessions with their summaries, and how the owner said they went. */
export function Sessions({ sessions, feedback, names, timeZone }: SessionsProps) {
  const [opened, setOpened] = useState<AdminSession | null>(null);
  const close = () => setOpened(null);
  const part = useOpenedPart(loadNote, opened !== null, close);
  return (
    <Section id="sessions" title="Sessions">
      {sessions.length === 0 ? (
        <p className="mt-2 text-sm text-muted">None yet.</p>
      ) : (
        <ul className="mt-3 flex flex-col card divide-y divide-line">
          {sessions.map((session) => (
            <li key={session.id} className="flex flex-col gap-2 px-5 py-4 text-sm">
              <SessionHead session={session} names={names} timeZone={timeZone} />
              {session.summary && (
                <p className="max-w-prose whitespace-pre-line wrap-anywhere">{session.summary}</p>
              )}
              {session.cancel_reason && (
                <p className="text-muted wrap-anywhere">“{session.cancel_reason}”</p>
              )}
              <Feedback given={feedback.find(({ session_id }) => session_id === session.id)} />
              {session.has_note && (
                <div>
                  <Button
                    size="small"
                    variant="secondary"
                    needsScript
                    onClick={() => setOpened(session)}
                  >
                    Read the private note
                  </Button>
                </div>
              )}
            </li>
          ))}
        </ul>
      )}
      {opened && part && (
        <part.NoteDialog
          sessionId={opened.id}
          coach={opened.coach ?? 'the coach'}
          timeZone={timeZone}
          onClose={close}
        />
      )}
    </Section>
  );
}

type HeadProps = Pick<SessionsProps, 'names' | 'timeZone'> & { session: AdminSession };

function SessionHead({ session, names, timeZone }: HeadProps) {
  const { state, starts_at, minutes, kind, topics, coach } = session;
  const facts = [
    `${minutes} minutes`,
    SESSION_KIND_LABELS[kind],
    coach,
    topics.map(names.areaOf).join(', '),
  ];
  return (
    <div>
      <p className="flex flex-wrap gap-x-3">
        <time dateTime={starts_at} className="font-semibold">
          {momentText(starts_at, timeZone)}
        </time>
        <span className={state === 'no_show' ? 'font-medium text-danger' : 'text-muted'}>
          {SESSION_STATE_LABELS[state]}
        </span>
      </p>
      <p className="text-xs text-muted">{facts.filter(Boolean).join(' · ')}</p>
    </div>
  );
}

function Feedback({ given }: { given: AdminEngagement['feedback'][number] | undefined }) {
  if (!given) return null;
  const rating = SESSION_RATINGS.find(({ value }) => value === given.rating);
  return (
    <p className="border-l-2 border-leaf-light pl-3 wrap-anywhere">
      <span className="text-muted">The owner said: </span>
      {rating?.label}
      {given.comment && `. “${given.comment}”`}
    </p>
  );
}
