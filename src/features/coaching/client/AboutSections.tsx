import type { ClientRecord } from '#data/coaching-client.ts';
import { CONTACT_CHANNEL_LABELS } from '#domain/engagement-text.ts';
import { nameList } from '#domain/name-list.ts';
import { avatarSrc } from '#lib/files/image-request.ts';
import { dayText, momentText, timeText } from '#lib/locale/dates.ts';
import { money } from '#lib/locale/money.ts';
import { wholeText } from '#lib/locale/numbers.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { Avatar } from '#ui/Avatar.tsx';
import { Button } from '#ui/Button.tsx';
import { Section } from '#ui/Section.tsx';
import { Still } from '#ui/Still.tsx';
import type { Reader } from '../when.ts';

type Line = readonly [name: string, value: React.ReactNode];

/** Pairs of a label and what's known; unknown ones are left out. */
function Lines({ lines, none }: { lines: readonly Line[]; none: string }) {
  const known = lines.filter(([, value]) => value);
  if (known.length === 0) return <p className="mt-2 text-sm text-muted">{none}</p>;
  return (
    <dl className="mt-4 grid grid-cols-[6.5rem_minmax(0,1fr)] gap-x-4 gap-y-2 text-sm">
      {known.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-muted">{name}</dt>
          <dd className="wrap-anywhere">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

interface ContactProps {
  client: ClientRecord;
  /** The owner's languages, by name. */
  languages: readonly string[];
  reader: Reader;
  /** Null once coaching is closed. */
  onLog: (() => void) | null;
}

/** "Phoenix" of America/Phoenix */
const placeOf = (zone: string) => zone.replace(/^.*\//, '').replaceAll('_', ' ');

/** Who the owner is and how to reach them, and when the coach tried. */
export function ContactSection({ client, languages, reader, onLog }: ContactProps) {
  const { owner } = client;
  return (
    <Section id="contact" title="Contact" className="card scroll-mt-20 p-5 md:p-6">
      <div className="mt-3 flex items-center gap-3">
        <Avatar
          id={owner.user_id}
          name={owner.full_name}
          src={avatarSrc(owner.avatar_path)}
          size={48}
        />
        <div className="min-w-0">
          <p className="font-semibold wrap-anywhere">{owner.full_name || 'No name yet'}</p>
          {owner.preferred_name && owner.preferred_name !== owner.full_name && (
            <p className="text-sm text-muted wrap-anywhere">Goes by {owner.preferred_name}</p>
          )}
        </div>
      </div>
      <Still of={[client]}>
        {() => <Reach client={client} languages={languages} reader={reader} />}
      </Still>
      <Contacts contacts={client.contacts} reader={reader} />
      {onLog && (
        <Button className="mt-4" size="small" variant="secondary" needsScript onClick={onLog}>
          Log a contact
        </Button>
      )}
    </Section>
  );
}

/** Their phone, when it's daytime for them, and their languages. */
function Reach({ client, languages, reader }: Omit<ContactProps, 'onLog'>) {
  const { owner } = client;
  const phone = owner.phone || client.business?.facts.phone || '';
  const zone = owner.time_zone;
  return (
    <Lines
      none="No phone number yet."
      lines={[
        [
          'Phone',
          phone && (
            <a key="phone" className="link" href={`tel:${phone.replace(/[^\d+]/g, '')}`}>
              {phone}
            </a>
          ),
        ],
        [
          'Their time',
          zone &&
            zone !== reader.timeZone &&
            `${timeText(reader.now, zone)} when you opened this (${placeOf(zone)})`,
        ],
        ['Languages', languages.join(', ')],
      ]}
    />
  );
}

function Contacts({ contacts, reader }: { contacts: ClientRecord['contacts']; reader: Reader }) {
  if (contacts.length === 0) return null;
  return (
    <details className="mt-4 text-sm" open={contacts.length <= 3}>
      <summary className="link inline-block py-1 pointer-coarse:py-3">
        {contacts.length === 1 ? '1 contact logged' : `${contacts.length} contacts logged`}
      </summary>
      <Still of={[contacts]}>
        {() => (
          <ol className="mt-1 flex flex-col divide-y divide-line">
            {contacts.map(({ id, at, channel, reached, note }) => (
              <li key={id} className="py-2">
                <p>
                  {CONTACT_CHANNEL_LABELS[channel]}
                  <span className="text-muted">, {reached ? 'reached them' : 'no answer'}</span>
                </p>
                <p className="text-xs text-muted">{momentText(at, reader.timeZone)}</p>
                {note && <p className="mt-0.5 text-muted wrap-anywhere">{note}</p>}
              </li>
            ))}
          </ol>
        )}
      </Still>
    </details>
  );
}

/** What the owner asked for, in their own words. */
export function AskedFor({ client }: { client: ClientRecord }) {
  const areas = client.skill_areas.filter(({ key }) => client.areas.includes(key));
  return (
    <Section id="asked" title="What they asked" className="card scroll-mt-20 p-5 md:p-6">
      {client.note && (
        <p className="mt-2 max-w-[68ch] whitespace-pre-line wrap-anywhere">{client.note}</p>
      )}
      {!client.note && <p className="mt-2 text-sm text-muted">They didn’t add a note.</p>}
      {areas.length > 0 && (
        <p className="mt-2 text-sm text-muted">
          About {nameList(areas.map(({ name }) => name.toLowerCase()))}.
        </p>
      )}
    </Section>
  );
}

interface FactsProps {
  client: ClientRecord;
  business: NonNullable<ClientRecord['business']>;
}

/** The business in brief; its own page has the rest. */
export function BusinessFacts({ client, business }: FactsProps) {
  const { facts, snapshots, id } = business;
  const [latest] = snapshots;
  const staff = [
    latest?.full_time != null && `${wholeText(latest.full_time)} full-time`,
    latest?.part_time != null && `${wholeText(latest.part_time)} part-time`,
  ].filter(Boolean);
  const amount = (minor: number | null | undefined) =>
    minor != null && latest?.currency ? money(minor, latest.currency) : '';
  return (
    <Section id="business" title="Business" className="card scroll-mt-20 p-5 md:p-6">
      {facts.description && (
        <p className="mt-2 line-clamp-5 text-sm whitespace-pre-line wrap-anywhere">
          {facts.description}
        </p>
      )}
      <Lines
        none="Just a name so far."
        lines={[
          ['Open', { trading: 'Yes', 'not-yet': 'Not yet', '': '' }[facts.trading]],
          ['Industry', facts.industry],
          ['Stage', facts.stage],
          ['Address', [facts.city, facts.region].filter(Boolean).join(', ')],
          ['Staff', staff.join(', ')],
          ['Revenue', amount(latest?.revenue_minor)],
          ['Profit', amount(latest?.profit_minor)],
          ['Figures from', latest && dayText(`${latest.taken_on}T00:00Z`, 'UTC')],
          ['What would help most', facts.help_wanted],
        ]}
      />
      <p className="mt-4 flex flex-col items-start gap-2 text-sm">
        <a className="link" href={hrefFor('/dashboard/businesses/[id]', { id })}>
          All about {client.business_name}
        </a>
        <a className="link" href={hrefFor('/dashboard/businesses/[id]/plan', { id })}>
          One-page plan
        </a>
        <a className="link" href={hrefFor('/dashboard/businesses/[id]/forecast', { id })}>
          Cash forecast
        </a>
      </p>
    </Section>
  );
}
