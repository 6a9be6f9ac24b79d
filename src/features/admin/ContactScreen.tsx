import { type ReactNode, useState } from 'react';
import { type ContactMessage, type ContactPage, getContact } from '#data/contacts.ts';
import { ACCOUNT_STATE_LABELS } from '#domain/admin-people.ts';
import { CONSENT_LABELS, TWIN_LABELS } from '#domain/contact.ts';
import { RECORD_STATE_LABELS } from '#domain/hubspot.ts';
import { db } from '#lib/db.ts';
import { dayText } from '#lib/locale/dates.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { reportError } from '#stores/session.ts';
import { addToast } from '#stores/toasts.ts';
import { Button } from '#ui/Button.tsx';
import { Failure } from '#ui/Failure.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';
import { Section } from '#ui/Section.tsx';
import { useAction } from '#ui/use-action.ts';
import { useOpenedPart } from '#ui/use-part.ts';
import type { Twin } from './contacts/MergeDialog.tsx';
import { MessageCard } from './contacts/MessageCard.tsx';

interface ContactProps {
  contact: ContactPage;
  /** The admin's IANA time zone. */
  timeZone: string;
}

const loadDialog = () => import('./contacts/MergeDialog.tsx');

/** One contact: their messages with the answers, consent, and possible duplicates. */
function ContactScreen(props: ContactProps) {
  const { timeZone } = props;
  const [contact, setContact] = useState(props.contact);
  const replace = (message: ContactMessage) =>
    setContact((now) => ({
      ...now,
      messages: now.messages.map((each) => (each.id === message.id ? message : each)),
    }));
  const messages = <Messages contact={contact} timeZone={timeZone} onChange={replace} />;
  return (
    <div className="flex flex-col gap-8">
      <header className="min-w-0">
        <p className="mb-2 text-sm">
          <a className="link" href={hrefFor('/admin/contacts-summary')}>
            Contacts
          </a>
        </p>
        <h1 className="wrap-anywhere">{contact.name || contact.email}</h1>
        {contact.name && <p className="mt-2 text-muted wrap-anywhere">{contact.email}</p>}
      </header>
      {contact.messages.length > 0 && messages}
      {contact.twins.length > 0 && <Twins contact={contact} onMerged={setContact} />}
      <Facts contact={contact} timeZone={timeZone} />
      {contact.messages.length === 0 && messages}
    </div>
  );
}

function Messages(props: ContactProps & { onChange: (message: ContactMessage) => void }) {
  const { contact, timeZone, onChange } = props;
  const waiting = contact.messages.filter(({ outcome }) => outcome === null).length;
  return (
    <Section id="messages" title="Messages">
      {contact.messages.length === 0 ? (
        <p className="mt-2 text-sm text-muted">They haven’t written to us in the past two years.</p>
      ) : (
        <>
          <p role="status" className="mt-1 text-sm text-muted">
            {waiting === 0
              ? 'Nothing waits for an answer.'
              : `${waiting} ${waiting === 1 ? 'message waits' : 'messages wait'} for an answer.`}
          </p>
          <ul className="mt-3 flex flex-col gap-4">
            {contact.messages.map((message) => (
              <MessageCard
                key={message.id}
                message={message}
                timeZone={timeZone}
                onChange={onChange}
              />
            ))}
          </ul>
        </>
      )}
    </Section>
  );
}

interface TwinsProps {
  contact: ContactPage;
  onMerged: (contact: ContactPage) => void;
}

function Twins({ contact, onMerged }: TwinsProps) {
  const [opened, setOpened] = useState<Twin | null>(null);
  const { failure, run } = useAction(reportError);
  const close = () => setOpened(null);
  const part = useOpenedPart(loadDialog, opened !== null, close);

  function merged(id: string) {
    close();
    addToast({ tone: 'good', title: 'They’re one contact now.' });
    if (id !== contact.id) {
      location.assign(hrefFor('/admin/contacts-summary/[id]', { id }));
      return;
    }
    void run(async () => onMerged(await getContact(await db(), id)));
  }

  return (
    <Section id="twins" title="Possible duplicates">
      <Failure failure={failure} title="Merged, but we couldn’t load the contact" />
      <ul className="mt-3 card divide-y divide-line">
        {contact.twins.map((twin) => (
          <li key={twin.id} className="flex flex-wrap items-center gap-x-4 gap-y-2 p-4">
            <div className="min-w-48 flex-1">
              <a
                className="link wrap-anywhere"
                href={hrefFor('/admin/contacts-summary/[id]', { id: twin.id })}
              >
                {twin.name || twin.email}
              </a>
              <p className="text-sm text-muted wrap-anywhere">
                {twin.name && `${twin.email} · `}
                {TWIN_LABELS[twin.same]}
                {twin.registered && ' · has an account'}
              </p>
            </div>
            {contact.user_id && twin.registered ? (
              <p className="text-sm text-muted">Both have an account.</p>
            ) : (
              <Button size="small" variant="secondary" needsScript onClick={() => setOpened(twin)}>
                Merge…<span className="sr-only"> with {twin.email}</span>
              </Button>
            )}
          </li>
        ))}
      </ul>
      {opened && part && (
        <part.MergeDialog contact={contact} twin={opened} onMerged={merged} onClose={close} />
      )}
    </Section>
  );
}

const Account = ({ contact: { user_id: id, account_state: state } }: { contact: ContactPage }) =>
  id && state ? (
    <a className="link" href={hrefFor('/admin/people/[id]', { id })}>
      {ACCOUNT_STATE_LABELS[state]}: see the account
    </a>
  ) : (
    'None'
  );

const ROLES = { owner: 'owner', member: 'member', invited: 'imported, not accepted yet' };

function hubspotText({ hubspot }: ContactPage): string | null {
  if (!hubspot) return null;
  const { state, reason } = hubspot;
  return reason ? `${RECORD_STATE_LABELS[state]}: ${reason}` : RECORD_STATE_LABELS[state];
}

function Facts({ contact, timeZone }: ContactProps) {
  const { consent, consented_at, left_at, businesses } = contact;
  const day = (at: string | null) => (at ? dayText(at, timeZone) : null);
  const facts: [string, ReactNode][] = [
    ['Email', contact.email],
    ['Earlier addresses', contact.other_emails.join(', ')],
    ['Phone', contact.phone],
    ['Business, as they wrote it', contact.business],
    [
      'Businesses here',
      businesses.length > 0 &&
        businesses.map(({ id, name, role }) => (
          <span key={id} className="block">
            <a className="link" href={hrefFor('/admin/businesses/[id]', { id })}>
              {name}
            </a>{' '}
            ({ROLES[role]})
          </span>
        )),
    ],
    ['Account', <Account key="account" contact={contact} />],
    ['Newsletter', CONSENT_LABELS[consent]],
    ['Agreed on', consent !== 'none' && day(consented_at)],
    ['Agreed to', contact.consent_wording],
    ['Unsubscribed on', consent === 'left' && day(left_at)],
    ['Email bounces since', consent === 'bounced' && day(contact.bounced_at)],
    ['HubSpot', hubspotText(contact)],
    ['Imported', day(contact.imported_at)],
    ['First seen', day(contact.created_at)],
    ['Last activity', day(contact.active_at)],
  ];
  return (
    <Section id="facts" title="About them">
      <dl className="mt-3 grid card gap-x-6 gap-y-4 p-5 sm:grid-cols-2 lg:grid-cols-3">
        {facts.map(
          ([label, value]) =>
            value && (
              <div key={label} className="min-w-0">
                <dt className="text-xs text-muted">{label}</dt>
                <dd className="text-sm wrap-anywhere">{value}</dd>
              </div>
            ),
        )}
      </dl>
    </Section>
  );
}

export default screen(ContactScreen);
