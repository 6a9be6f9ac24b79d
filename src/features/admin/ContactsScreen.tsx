import { useMemo } from 'react';
import { type ListedContact, listContacts } from '#data/contacts.ts';
import {
  CONSENT_LABELS,
  CONSENTS,
  CONTACT_SOURCES,
  CONTACT_STATE_LABELS,
  type ContactFilter,
  type ContactState,
  contactFilter,
  SOURCE_LABELS,
} from '#domain/contact.ts';
import { RECORD_STATE_LABELS } from '#domain/hubspot.ts';
import type { ListPage, Place } from '#domain/list.ts';
import { db } from '#lib/db.ts';
import { shortDayText } from '#lib/locale/dates.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { Button } from '#ui/Button.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';
import { CsvButton } from '#ui/table/CsvButton.tsx';
import type { DataColumn } from '#ui/table/columns.ts';
import { AdminList, useAdminList } from './list/AdminList.tsx';

interface ContactsProps {
  filter: ContactFilter;
  page: ListPage<ListedContact>;
  /** The reader's IANA time zone. */
  timeZone: string;
}

const nameOf = ({ name, email }: ListedContact) => name || email;
const sourcesOf = ({ sources }: ListedContact) =>
  sources.map((source) => SOURCE_LABELS[source]).join(', ');
/** When the consent was given or withdrawn. */
const consentDay = ({ consent, consented_at, left_at, bounced_at }: ListedContact) => {
  const days = { none: null, pending: null, subscribed: consented_at, left: left_at };
  return consent === 'bounced' ? bounced_at : days[consent];
};

/** States that say the same as the column of the newsletter. */
const OF_NEWSLETTER: ReadonlySet<ContactState> = new Set([
  'subscribed',
  'unsubscribed',
  'bounced',
  'unconfirmed',
]);

const columnsIn = (timeZone: string): DataColumn<ListedContact>[] => [
  {
    id: 'name',
    header: 'Name',
    isRowHeader: true,
    sort: { ascending: 'name' },
    cell: (contact) => (
      <span className="block wrap-anywhere">
        <a className="link" href={hrefFor('/admin/contacts-summary/[id]', { id: contact.id })}>
          {nameOf(contact)}
        </a>
        {contact.name && (
          <span className="block text-xs font-normal text-muted">{contact.email}</span>
        )}
      </span>
    ),
    csv: ({ name }) => name,
  },
  { id: 'email', header: 'Email', csv: ({ email }) => email },
  {
    id: 'state',
    header: 'State',
    none: 'Nothing else',
    onCard: 'bare',
    isUsual: ({ state, has_twin }) => state === 'registered' && !has_twin,
    cell: ({ state, waiting, has_twin }) =>
      (has_twin || !OF_NEWSLETTER.has(state)) && (
        <>
          {!OF_NEWSLETTER.has(state) && CONTACT_STATE_LABELS[state]}
          {waiting > 1 && ` (${waiting})`}
          {has_twin && <span className="block text-xs text-muted">Possible duplicate</span>}
        </>
      ),
    csv: ({ state }) => CONTACT_STATE_LABELS[state],
  },
  {
    id: 'source',
    header: 'Source',
    from: 'wide',
    none: 'None',
    onCard: 'hidden',
    cell: (contact) => sourcesOf(contact) || null,
    csv: sourcesOf,
  },
  {
    id: 'consent',
    header: 'Newsletter',
    breaks: 'never',
    isUsual: ({ consent }) => consent === 'none',
    cell: (contact) => {
      const day = consentDay(contact);
      return (
        <>
          {CONSENT_LABELS[contact.consent]}
          {day && <span className="block text-xs text-muted">{shortDayText(day, timeZone)}</span>}
        </>
      );
    },
    csv: ({ consent }) => CONSENT_LABELS[consent],
  },
  { id: 'consent-on', header: 'Newsletter since or until', csv: consentDay },
  {
    id: 'businesses',
    header: 'Businesses',
    from: 'wide',
    none: 'None',
    onCard: 'bare',
    cell: ({ businesses }) => businesses.join(', ') || null,
    csv: ({ businesses }) => businesses.join(', '),
  },
  {
    id: 'hubspot',
    header: 'HubSpot',
    from: 'wide',
    none: 'Not sent',
    cell: ({ hubspot }) => hubspot && RECORD_STATE_LABELS[hubspot.state],
    csv: ({ hubspot }) => hubspot && RECORD_STATE_LABELS[hubspot.state],
  },
  {
    id: 'active',
    header: 'Last activity',
    sort: { descending: 'newest' },
    breaks: 'never',
    cell: ({ active_at }) => shortDayText(active_at, timeZone),
    csv: ({ active_at }) => active_at,
  },
];

const MAILING_COLUMNS: DataColumn<ListedContact>[] = [
  { id: 'email', header: 'Email', csv: ({ email }) => email },
  { id: 'name', header: 'Name', csv: ({ name }) => name },
  { id: 'since', header: 'Subscribed on', csv: ({ consented_at }) => consented_at },
  { id: 'wording', header: 'Agreed to', csv: ({ consent_wording }) => consent_wording },
];

/** Everyone who confirmed that they want the newsletter, whatever the list shows. */
async function* readSubscribers() {
  const client = await db();
  let place: Place | null = null;
  do {
    const page: ListPage<ListedContact> = await listContacts(
      client,
      { words: '', source: null, consent: 'subscribed', show: null, sort: 'name', place },
      500,
    );
    yield page.rows;
    place = page.next;
  } while (place);
  return { isComplete: true };
}

const optionsOf = <Value extends string>(labels: Record<Value, string>, values: readonly Value[]) =>
  values.map((value) => ({ value, label: labels[value] }));

/** Everyone who wrote, subscribed, registered or was imported. */
function ContactsScreen({ filter, page, timeZone }: ContactsProps) {
  const list = useAdminList<ListedContact, ContactFilter>(
    { path: hrefFor('/admin/contacts-summary'), codec: contactFilter, read: listContacts },
    { filter, page },
  );
  const columns = useMemo(() => columnsIn(timeZone), [timeZone]);
  return (
    <div className="flex flex-col gap-6">
      <header className="flex flex-wrap items-start justify-between gap-4">
        <div>
          <h1>Contacts</h1>
          <p className="mt-2 max-w-[60ch] text-muted">
            Everyone who wrote to us, signed up for the newsletter, registered or were imported.
          </p>
        </div>
        <Button variant="secondary" href={hrefFor('/admin/import')}>
          Import a list
        </Button>
      </header>
      <AdminList
        list={list}
        codec={contactFilter}
        caption="Contacts"
        noun={['contact', 'contacts']}
        columns={columns}
        onlyLinks
        nameOf={nameOf}
        searchBy="name, email or business"
        choices={[
          {
            key: 'show',
            label: 'Show',
            any: 'Everyone',
            options: [
              { value: 'waiting', label: 'Waiting for an answer' },
              { value: 'twins', label: 'Possible duplicates' },
            ],
          },
          {
            key: 'source',
            label: 'Source',
            any: 'Any',
            options: optionsOf(SOURCE_LABELS, CONTACT_SOURCES),
          },
          {
            key: 'consent',
            label: 'Newsletter',
            any: 'Any',
            options: optionsOf(CONSENT_LABELS, CONSENTS),
          },
          {
            key: 'sort',
            label: 'Sort by',
            options: [
              { value: 'newest', label: 'Newest' },
              { value: 'name', label: 'Name' },
            ],
          },
        ]}
        name="contacts"
        empty={
          <EmptyState title="No contacts yet">
            People who write, subscribe or register show up here.
          </EmptyState>
        }
      />
      <section aria-labelledby="mailing" className="flex flex-col items-start gap-3 card p-5">
        <h2 id="mailing" className="text-lg">
          Mailing list
        </h2>
        <p className="max-w-[68ch] text-sm text-muted">
          For a mailing outside the{' '}
          <a className="link" href={hrefFor('/admin/newsletter')}>
            newsletter
          </a>
          , use this file: it only has people who are subscribed, with what they agreed to and when.
          Don’t send mailings to the list above, which has everyone.
        </p>
        <CsvButton
          name="mailing-list"
          label="Download the mailing list"
          variant="secondary"
          columns={MAILING_COLUMNS}
          readAll={readSubscribers}
        />
      </section>
    </div>
  );
}

export default screen(ContactsScreen);
