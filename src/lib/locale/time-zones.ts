/** Time zones: the browser's own, offsets from UTC, and the list that people choose from. */
import { isTimeZone } from './zone-offsets.ts';
import { placeOf } from './zone-text.ts';

/** Former names that JavaScript engines still use, with the current ones. */
const RENAMED: Record<string, string> = {
  'Africa/Asmera': 'Africa/Asmara',
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Catamarca': 'America/Argentina/Catamarca',
  'America/Coral_Harbour': 'America/Atikokan',
  'America/Cordoba': 'America/Argentina/Cordoba',
  'America/Godthab': 'America/Nuuk',
  'America/Indianapolis': 'America/Indiana/Indianapolis',
  'America/Jujuy': 'America/Argentina/Jujuy',
  'America/Louisville': 'America/Kentucky/Louisville',
  'America/Mendoza': 'America/Argentina/Mendoza',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'Europe/Kiev': 'Europe/Kyiv',
  'Pacific/Enderbury': 'Pacific/Kanton',
  'Pacific/Ponape': 'Pacific/Pohnpei',
  'Pacific/Truk': 'Pacific/Chuuk',
};

/** A zone's current name, if this runtime knows it: `Asia/Kolkata` for `Asia/Calcutta`. */
function presentName(zone: string): string {
  const renamed = RENAMED[zone];
  return renamed !== undefined && isTimeZone(renamed) ? renamed : zone;
}

/** The IANA name of this browser's zone; null if it doesn't tell. */
export function browserTimeZone(): string | null {
  // TypeScript says string, but some browsers return undefined.
  const zone: unknown = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return typeof zone === 'string' && /^[A-Z]/.test(zone) && isTimeZone(zone)
    ? presentName(zone)
    : null;
}

export interface TimeZoneOption {
  /** An IANA name. */
  value: string;
  /** "Denver, Mountain Time (GMT-7)" */
  label: string;
}

/** "GMT-7", "GMT+5:30", from the parts of the clock of a zone at an instant. */
function offsetText(parts: readonly Intl.DateTimeFormatPart[], now: Date): string {
  const clock = Object.fromEntries(parts.map(({ type, value }) => [type, Number(value)]));
  const { year = 0, month = 1, day, hour, minute } = clock;
  const local = Date.UTC(year, month - 1, day, hour, minute);
  const minutes = local / 60_000 - Math.floor(now.getTime() / 60_000);
  const rest = Math.abs(minutes) % 60;
  const hours = `${minutes < 0 ? '-' : '+'}${(Math.abs(minutes) - rest) / 60}`;
  return `GMT${hours}${rest === 0 ? '' : `:${String(rest).padStart(2, '0')}`}`;
}

/**
 * A zone's label: place, name and current UTC offset. One format gives both, and isn't kept (as
 * `offsetAt` would), because each takes 30 kB of the server's memory, and there are 418 zones.
 */
function labelOf(zone: string, now: Date): string {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    timeZoneName: 'longGeneric',
  });
  const parts = format.formatToParts(now);
  const offset = offsetText(parts, now);
  if (zone === 'UTC') return `UTC (${offset})`;
  const place = placeOf(zone);
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
  return name.startsWith('GMT') ? `${place} (${offset})` : `${place}, ${name} (${offset})`;
}

const HOUR_MS = 3_600_000;
let made: { hour: number; options: TimeZoneOption[] } | null = null;

/**
 * All zones to choose from, sorted by label. Recomputed hourly, because clocks change on the hour.
 * Server only: browsers name some zones differently.
 */
export function timeZoneOptions(now = new Date()): TimeZoneOption[] {
  const hour = Math.floor(now.getTime() / HOUR_MS);
  if (made?.hour === hour) return made.options;
  const zones = new Set(['UTC', ...Intl.supportedValuesOf('timeZone').map(presentName)]);
  const options = [...zones]
    .map((value) => ({ value, label: labelOf(value, now) }))
    .toSorted((a, b) => a.label.localeCompare(b.label, 'en-US'));
  made = { hour, options };
  return options;
}

/** Options as text, a line each: as an island's props, the list would be 50 kB of the page. */
export const timeZoneText = (options: readonly TimeZoneOption[]): string =>
  options.map(({ value, label }) => `${value}\t${label}`).join('\n');

/** The options in a text of `timeZoneText`. */
export const timeZonesIn = (text: string): TimeZoneOption[] =>
  text.split('\n').map((line) => {
    const [value = '', label = ''] = line.split('\t');
    return { value, label };
  });

/**
 * Finds the zone that a person typed: a label, an IANA name, or text that occurs in exactly one
 * label. Null if it matches no zone, or several.
 */
export function timeZoneMeant(options: readonly TimeZoneOption[], typed: string): string | null {
  const wanted = typed.trim().toLowerCase();
  if (wanted === '') return null;
  const exact = options.find(
    ({ value, label }) => label.toLowerCase() === wanted || value.toLowerCase() === wanted,
  );
  if (exact) return exact.value;
  const alike = options.filter(({ label }) => label.toLowerCase().includes(wanted));
  return alike.length === 1 ? (alike[0]?.value ?? null) : null;
}

/** A zone as an option, even if it isn't in the list, such as the former name of a zone. */
export function timeZoneOption(zone: string, now = new Date()): TimeZoneOption {
  const value = presentName(zone);
  const listed = timeZoneOptions(now).find((option) => option.value === value);
  return listed ?? { value: zone, label: isTimeZone(zone) ? labelOf(zone, now) : zone };
}
