import { type ReactNode, useState } from 'react';
import { getPerson, type PersonPage } from '#data/people.ts';
import { ENGAGEMENT_LABELS } from '#domain/admin-businesses.ts';
import { ACCOUNT_STATE_LABELS, ROLE_LABELS } from '#domain/admin-people.ts';
import { CONSENT_LABELS } from '#domain/contact.ts';
import { db } from '#lib/db.ts';
import { dayText, momentText } from '#lib/locale/dates.ts';
import { zoneText } from '#lib/locale/zone-text.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { hrefIfExists } from '#lib/routing/routes.ts';
import { reportError } from '#stores/session.ts';
import { addToast } from '#stores/toasts.ts';
import { Button } from '#ui/Button.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';
import { Section } from '#ui/Section.tsx';
import { useOpenedPart } from '#ui/use-part.ts';
import { LatestOrders } from './orders/LatestOrders.tsx';
import { CoachProfileForm } from './people/CoachProfileForm.tsx';
import { actionsFor, type PersonAction } from './people/person-actions.ts';

interface PersonProps {
  person: PersonPage;
  /** The admin's own id. */
  userId: string;
  /** The admin's IANA time zone. */
  timeZone: string;
  /** The names of the languages they speak. */
  languages: readonly string[];
}

const loadDialog = () => import('./ReasonDialog.tsx');

/** One person: the account, what belongs to them, and what an admin can do about it. */
function PersonScreen(props: PersonProps) {
  const { userId, timeZone, languages } = props;
  const [person, setPerson] = useState(props.person);
  const [opened, setOpened] = useState<PersonAction | null>(null);
  const close = () => setOpened(null);
  const part = useOpenedPart(loadDialog, opened !== null, close);
  const actions = actionsFor(person, person.id === userId);

  async function run({ run: act, done }: PersonAction, reason: string, answer: string) {
    try {
      const client = await db();
      await act(client, reason, answer);
      addToast({ tone: 'good', title: done });
      setPerson(await getPerson(client, person.id));
    } catch (thrown) {
      throw reportError(thrown);
    }
  }

  return (
    <div className="flex flex-col gap-8">
      <header className="min-w-0">
        <p className="mb-2 text-sm">
          <a className="link" href={hrefFor('/admin/people')}>
            People
          </a>
        </p>
        <h1 className="wrap-anywhere">{person.name || person.email}</h1>
        <p className="mt-2 text-muted">
          {ROLE_LABELS[person.role]} · {ACCOUNT_STATE_LABELS[person.state]}
        </p>
      </header>
      <Account person={person} timeZone={timeZone} languages={languages} />
      <Section id="actions" title="Account actions">
        {actions.length === 0 ? (
          <p className="mt-2 text-sm text-muted">
            This is your own account. Another admin has to change it.
          </p>
        ) : (
          <div className="mt-3 flex flex-wrap gap-2">
            {actions.map((action) => (
              <Button
                key={action.key}
                size="small"
                variant={action.danger ? 'danger' : 'secondary'}
                onClick={() => setOpened(action)}
              >
                {action.label}
              </Button>
            ))}
          </div>
        )}
      </Section>
      {person.coach && (
        <CoachProfileForm
          key={person.id}
          person={person}
          coach={person.coach}
          onSaved={(coach) => setPerson({ ...person, coach })}
        />
      )}
      <Belongings person={person} timeZone={timeZone} />
      {opened && part && (
        <part.ReasonDialog
          action={{ ...opened, onSubmit: (reason, answer) => run(opened, reason, answer) }}
          onClose={close}
        />
      )}
    </div>
  );
}

const renderFact = (label: string, value: ReactNode) => (
  <div key={label} className="min-w-0">
    <dt className="text-xs text-muted">{label}</dt>
    <dd className="text-sm wrap-anywhere">{value}</dd>
  </div>
);

function Account({ person, timeZone, languages }: Omit<PersonProps, 'userId'>) {
  const day = (at: string | null) => (at ? dayText(at, timeZone) : null);
  const facts: [string, ReactNode][] = [
    ['Email', person.email],
    ['New email, not confirmed', person.new_email],
    ['Email confirmed', day(person.confirmed_at) ?? 'Not yet'],
    ['Goes by', person.preferred_name],
    ['Phone', person.phone],
    ['Joined', day(person.joined_at)],
    ['Role since', day(person.role_since)],
    ['Last sign-in', person.seen_at ? momentText(person.seen_at, timeZone) : 'Never'],
    [
      'Signed in on',
      person.seen_at && (person.sessions === 1 ? '1 device' : `${person.sessions} devices`),
    ],
    ['Two-step sign-in', person.second_factor ? 'On' : 'Off'],
    ['Will be deleted', day(person.deletion_due_at)],
    ['Time zone', person.time_zone && zoneText(person.time_zone)],
    ['Languages', languages.join(', ')],
  ];
  return (
    <Section id="account" title="Account">
      <dl className="mt-3 grid card gap-x-6 gap-y-4 p-5 sm:grid-cols-2 lg:grid-cols-3">
        {facts.map(([label, value]) => value && renderFact(label, value))}
      </dl>
    </Section>
  );
}

function Belongings({ person, timeZone }: Pick<PersonProps, 'person' | 'timeZone'>) {
  const { attempts, businesses, coaching, contact, orders, reports } = person;
  const audit = hrefIfExists(`/admin/audit?person=${person.id}`);
  return (
    <Section id="belongings" title="What belongs to them">
      <dl className="mt-3 grid card gap-x-6 gap-y-4 p-5 sm:grid-cols-2">
        {renderFact(
          'Businesses',
          businesses.length === 0
            ? 'None'
            : businesses.map(({ id, name, role, archived }) => (
                <span key={id} className="block">
                  <a className="link" href={hrefFor('/admin/businesses/[id]', { id })}>
                    {name}
                  </a>{' '}
                  ({role}
                  {archived && ', archived'})
                </span>
              )),
        )}
        {renderFact(
          'Quizzes',
          <>
            {attempts.finished} finished, {attempts.open} open
            {attempts.latest_at && `, latest on ${dayText(attempts.latest_at, timeZone)}`}
          </>,
        )}
        {renderFact(
          'Coaching',
          coaching.length === 0
            ? 'None'
            : coaching.map(({ id, state, business, owner, coach, requested_at }) => (
                <span key={id} className="block">
                  <a className="link" href={hrefFor('/admin/coaching/[id]', { id })}>
                    {business ?? 'A deleted business'}
                  </a>
                  : {owner ?? 'a deleted account'} with {coach ?? 'no coach yet'}.{' '}
                  {ENGAGEMENT_LABELS[state]}, asked on {dayText(requested_at, timeZone)}
                </span>
              )),
        )}
        {renderFact(
          'Orders',
          orders.length === 0 ? (
            'None'
          ) : (
            <LatestOrders orders={orders} timeZone={timeZone} name="business" />
          ),
        )}
        {contact &&
          renderFact(
            'Contact',
            <a className="link" href={hrefFor('/admin/contacts-summary/[id]', { id: contact.id })}>
              Newsletter: {CONSENT_LABELS[contact.consent].toLowerCase()}.{' '}
              {contact.messages === 0
                ? 'No messages to us'
                : contact.messages === 1
                  ? '1 message to us'
                  : `${contact.messages} messages to us`}
            </a>,
          )}
        {reports > 0 &&
          renderFact(
            'Reported',
            `${reports} ${reports === 1 ? 'report' : 'reports'} about messages`,
          )}
      </dl>
      {audit && (
        <p className="mt-5 text-sm">
          <a className="link" href={audit}>
            Audit log for {person.name || person.email}
          </a>
        </p>
      )}
    </Section>
  );
}

export default screen(PersonScreen);
