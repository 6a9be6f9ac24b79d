/** Whether calendars are written as RFC 5545 has it. */
import { isPublicPage, type Site } from './built-site.ts';

const TIME = /^\d{8}T\d{6}Z$/;
/** Octets in a line, without its end. */
const LINE = 75;

/** The properties of each event of a calendar, by name; a folded line is put together again. */
function eventsOf(calendar: string): Map<string, string>[] {
  const lines = calendar.replace(/\r\n[ \t]/g, '').split('\r\n');
  const events: Map<string, string>[] = [];
  let open: Map<string, string> | undefined;
  for (const line of lines) {
    const [, name = '', value = ''] = /^([A-Z-]+)[^:]*:(.*)$/.exec(line) ?? [];
    if (line === 'BEGIN:VEVENT') open = new Map();
    else if (line === 'END:VEVENT' && open) events.push(open);
    else open?.set(name, value);
  }
  return events;
}

/** What is wrong with a calendar. */
export function calendarDefects(site: Site, file: string): string[] {
  const calendar = site.read(file).toString();
  const defects: string[] = [];
  const say = (defect: string) => defects.push(`${file}: ${defect}`);
  if (/[^\r]\n|\r[^\n]/.test(calendar)) say('has a line that does not end with CR and LF');
  for (const line of calendar.split(/\r?\n/)) {
    if (Buffer.byteLength(line) > LINE)
      say(`has a line of ${Buffer.byteLength(line)} octets: ${line}`);
  }
  if (!/^BEGIN:VCALENDAR\r\n.*END:VCALENDAR(\r\n)?$/s.test(calendar)) say('is no whole calendar');
  for (const name of ['VERSION:2.0', 'PRODID:']) {
    if (!calendar.includes(`\r\n${name}`)) say(`has no ${name}`);
  }
  const count = (mark: string) => calendar.split(`\r\n${mark}\r\n`).length - 1;
  if (count('BEGIN:VEVENT') !== count('END:VEVENT')) say('has an event that does not end');
  const events = eventsOf(calendar);
  if (events.length === 0) say('has nothing in it');
  const ids = new Set<string>();
  for (const event of events) {
    const id = event.get('UID') ?? '';
    if (!id) say('has an event without UID');
    if (ids.has(id)) say(`has two events of the UID ${id}`);
    ids.add(id);
    for (const name of ['DTSTAMP', 'DTSTART', 'DTEND']) {
      const value = event.get(name) ?? '';
      if (!TIME.test(value)) say(`${id} has a ${name} that is no time: ${value}`);
    }
    if ((event.get('DTEND') ?? '') <= (event.get('DTSTART') ?? ''))
      say(`${id} ends before it begins`);
    if (!event.get('SUMMARY')) say(`${id} has no SUMMARY`);
    const url = event.get('URL') ?? '';
    if (!isPublicPage(site, url)) say(`${id} leads to ${url}, which is no page`);
  }
  return defects;
}
