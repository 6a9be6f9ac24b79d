/**
 * How far zones are ahead of UTC. Asking Intl takes a slow phone 50 ms for the first date, so a page
 * comes with the offsets of its reader's zone; a browser asks Intl only about other times and zones.
 */

/** From an instant on, how far a zone is ahead of UTC, both in ms. */
type Change = readonly [from: number, offset: number];

/** Changes of a zone within a period, the first at its start. */
interface Period {
  changes: readonly Change[];
  end: number;
}

const MINUTE_MS = 60_000;
const WEEK_MS = 7 * 24 * 60 * MINUTE_MS;

const periods = new Map<string, Period | null>();
const formats = new Map<string, Intl.DateTimeFormat>();

/** Whether this runtime knows a time zone by this name. */
export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }) !== null;
  } catch {
    return false;
  }
}

/** A cached format of the clock in a zone. */
function clockOf(timeZone: string): Intl.DateTimeFormat {
  const made = formats.get(timeZone);
  if (made) return made;
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: isTimeZone(timeZone) ? timeZone : 'UTC',
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  formats.set(timeZone, format);
  return format;
}

function computedOffset(instant: number, timeZone: string): number {
  const parts = clockOf(timeZone).formatToParts(instant);
  const value = (type: string) => Number(parts.find((part) => part.type === type)?.value);
  const clock = Date.UTC(
    value('year'),
    value('month') - 1,
    value('day'),
    value('hour'),
    value('minute'),
    value('second'),
  );
  return clock - Math.floor(instant / 1_000) * 1_000;
}

/** How far a zone is ahead of UTC at an instant, both in ms; 0 for a zone that isn't known. */
export function offsetAt(instant: number, timeZone: string): number {
  if (timeZone === 'UTC') return 0;
  if (!periods.has(timeZone)) periods.set(timeZone, periodOfPage(timeZone));
  const period = periods.get(timeZone);
  const change = period?.changes.findLast(([from]) => from <= instant);
  return period && change && instant < period.end ? change[1] : computedOffset(instant, timeZone);
}

/** The instant of the change of offset between two instants, to the minute. */
function changeBetween(before: number, after: number, timeZone: string): number {
  const offset = computedOffset(before, timeZone);
  let low = before / MINUTE_MS;
  let high = after / MINUTE_MS;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (computedOffset(middle * MINUTE_MS, timeZone) === offset) low = middle;
    else high = middle;
  }
  return high * MINUTE_MS;
}

/** Looks for changes week by week: no zone changes its offset twice within one. */
function computedPeriod(timeZone: string, year: number): Period {
  const start = Date.UTC(year - 2, 0);
  const end = Date.UTC(year + 2, 0);
  const changes: [number, number][] = [[start, computedOffset(start, timeZone)]];
  for (let week = start; week < end; week += WEEK_MS) {
    const offset = computedOffset(week + WEEK_MS, timeZone);
    if (offset === changes.at(-1)?.[1]) continue;
    changes.push([changeBetween(week, week + WEEK_MS, timeZone), offset]);
  }
  return { changes, end };
}

/**
 * A zone's offsets, from two years ago to the end of next year, as text for the page's
 * `<meta name="time-zone">`: "America/Denver 29979360 28927800 -420 …", in minutes.
 */
export function offsetsText(timeZone: string, now = new Date()): string {
  if (timeZone === 'UTC') return timeZone;
  const known = periods.get(timeZone);
  const year = now.getUTCFullYear();
  const isCurrent = known?.end === Date.UTC(year + 2, 0);
  const { changes, end } = isCurrent ? known : computedPeriod(timeZone, year);
  periods.set(timeZone, { changes, end });
  return [timeZone, ...[end, ...changes.flat()].map((ms) => ms / MINUTE_MS)].join(' ');
}

/** The offsets that came with the page, if they're of this zone. */
function periodOfPage(timeZone: string): Period | null {
  if (typeof document === 'undefined') return null;
  const meta = document.querySelector<HTMLMetaElement>('meta[name="time-zone"]');
  const [name, ...minutes] = meta?.content.split(' ') ?? [];
  if (name !== timeZone) return null;
  const [end = 0, ...rest] = minutes.map((text) => Number(text) * MINUTE_MS);
  const changes = rest.flatMap((from, index): Change[] =>
    index % 2 === 0 ? [[from, rest[index + 1] ?? 0]] : [],
  );
  return { changes, end };
}
