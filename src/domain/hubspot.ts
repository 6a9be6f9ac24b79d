/** The sync with HubSpot as admins see it: its steps, what's sent as what, and how far it is. */
import { choiceParam, type FilterOf, filterCodec, placeParam, textParam } from './list.ts';

export const HUBSPOT_STATES = ['off', 'previewing', 'previewed', 'live', 'stopped'] as const;

/** What an admin can have done. */
export type HubSpotStep = 'check' | 'preview' | 'send' | 'stop';

export const HUBSPOT_KINDS = ['contact', 'company'] as const;
export type HubSpotKind = (typeof HUBSPOT_KINDS)[number];
export const HUBSPOT_KIND_LABELS: Record<HubSpotKind, string> = {
  contact: 'Contact',
  company: 'Company',
};

/** Our field → the HubSpot property that it's sent as, for each kind. */
export type HubSpotMapping = Record<HubSpotKind, Record<string, string>>;

/** What a property can take: text, a date, or an id of ours, whose values are unique. */
export type HubSpotFit = 'id' | 'text' | 'date';

interface HubSpotField {
  kind: HubSpotKind;
  /** Its name in the mapping. */
  name: string;
  label: string;
  /** It's always sent. */
  isNeeded?: boolean;
  fits: readonly HubSpotFit[];
}

/** Everything that can be sent. */
export const HUBSPOT_FIELDS: readonly HubSpotField[] = [
  { kind: 'contact', name: 'id', label: 'Our ID', isNeeded: true, fits: ['id'] },
  { kind: 'contact', name: 'email', label: 'Email', isNeeded: true, fits: ['text', 'id'] },
  { kind: 'contact', name: 'first_name', label: 'First name', fits: ['text'] },
  { kind: 'contact', name: 'last_name', label: 'Last name', fits: ['text'] },
  { kind: 'contact', name: 'business', label: 'Business', fits: ['text'] },
  {
    kind: 'contact',
    name: 'subscribed_on',
    label: 'Agreed to the newsletter on',
    fits: ['date', 'text'],
  },
  { kind: 'contact', name: 'agreed_to', label: 'Words they agreed to', fits: ['text'] },
  { kind: 'company', name: 'id', label: 'Our ID', isNeeded: true, fits: ['id'] },
  { kind: 'company', name: 'name', label: 'Name', isNeeded: true, fits: ['text'] },
  { kind: 'company', name: 'website', label: 'Website', fits: ['text'] },
];

export const RECORD_STATES = [
  'waiting',
  'sending',
  'sent',
  'unchanged',
  'refused',
  'removed',
] as const;
export type RecordState = (typeof RECORD_STATES)[number];

export const RECORD_STATE_LABELS: Record<RecordState, string> = {
  waiting: 'Waiting',
  sending: 'Being sent',
  sent: 'In HubSpot',
  unchanged: 'In HubSpot',
  refused: 'Refused',
  removed: 'Removed',
};

/** What should become of a record in HubSpot. */
export const RECORD_WANTS = ['save', 'archive', 'erase'] as const;

/** What the dry run found. */
export const RECORD_CHANGES = ['new', 'changed', 'unchanged'] as const;
export type RecordChange = (typeof RECORD_CHANGES)[number];
export const RECORD_CHANGE_LABELS: Record<RecordChange, string> = {
  new: 'New',
  changed: 'Changed',
  unchanged: 'The same',
};

export const hubspotFilter = filterCodec({
  /** Of an address or a company's name. */
  words: textParam('q'),
  kind: choiceParam('kind', HUBSPOT_KINDS, null),
  state: choiceParam('state', ['waiting', 'sent', 'refused', 'removed'], null),
  change: choiceParam('change', RECORD_CHANGES, null),
  sort: choiceParam('sort', ['name'], 'name'),
  place: placeParam(),
});
export type HubSpotFilter = FilterOf<typeof hubspotFilter>;

/** How many records there are of a kind, in a state, with what the dry run found. */
interface RecordCount {
  state: RecordState;
  wants: (typeof RECORD_WANTS)[number];
  change: RecordChange | null;
  count: number;
}

const sum = (counts: readonly RecordCount[], isCounted: (each: RecordCount) => boolean) =>
  counts.filter(isCounted).reduce((total, { count }) => total + count, 0);

/** How far the dry run or the sending is, and what came of it. */
export function countsOf(records: readonly RecordCount[]) {
  const ours = records.filter(({ state }) => state !== 'removed');
  const isSaved = ({ wants }: RecordCount) => wants === 'save';
  const toSave = ours.filter(isSaved);
  return {
    all: sum(toSave, () => true),
    /** Looked at by the dry run. */
    compared: sum(toSave, ({ change, state }) => change !== null || state === 'refused'),
    fresh: sum(toSave, ({ change }) => change === 'new'),
    changed: sum(toSave, ({ change }) => change === 'changed'),
    same: sum(toSave, ({ change }) => change === 'unchanged'),
    sent: sum(toSave, ({ state }) => state === 'sent' || state === 'unchanged'),
    refused: sum(ours, ({ state }) => state === 'refused'),
    waiting: sum(toSave, ({ state }) => state === 'waiting' || state === 'sending'),
    /** To be removed from HubSpot. */
    leaving: sum(ours, (each) => !isSaved(each) && each.state !== 'refused'),
  };
}
