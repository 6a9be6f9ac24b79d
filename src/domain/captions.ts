/** Captions of videos, as WebVTT (https://www.w3.org/TR/webvtt1/). */

/** What's said or heard from one moment to another, in seconds from the start. */
export interface Cue {
  start: number;
  end: number;
  /** Without markup; lines are separated by '\n'. */
  text: string;
}

/** The longest captions of a video, in characters. */
export const MOST_CAPTIONS = 100_000;

const TIME = /^(?:(\d{2,4}):)?([0-5]\d):([0-5]\d\.\d{3})$/;
const TIMES = /^[ \t]*(\S+)[ \t]+-->[ \t]+(\S+)(?:[ \t].*)?$/;

/** Captions with one kind of line break, without a byte-order mark or space around them. */
export const cleanCaptions = (text: string): string => withoutEnds(text.replace(/\r\n?/g, '\n'));

const SPACE = new Set(['\ufeff', ' ', '\t', '\n']);
/** Without a pattern: one for the end would try every space of a long text. */
function withoutEnds(text: string): string {
  let [first, end] = [0, text.length];
  while (SPACE.has(text[first] ?? '')) first += 1;
  while (end > first && SPACE.has(text[end - 1] ?? '')) end -= 1;
  return text.slice(first, end);
}

function secondsOf(time: string | undefined): number | null {
  const [, hours = '0', minutes, seconds] = TIME.exec(time ?? '') ?? [];
  if (minutes === undefined) return null;
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
}

function timesOf(line: string): { start: number; end: number } | null {
  const [, from, to] = TIMES.exec(line) ?? [];
  const [start, end] = [secondsOf(from), secondsOf(to)];
  return start === null || end === null ? null : { start, end };
}

const isBlank = (line: string) => /^[ \t]*$/.test(line);

/** What's wrong with the times of a caption, in the middle of a sentence; null if nothing is. */
function timeTrouble(line: string, before: number, length: number | null): string | null {
  const times = timesOf(line);
  if (!times) return 'write the times like 00:01.000 --> 00:04.500.';
  if (times.end <= times.start) return 'the caption ends before it starts.';
  if (times.start < before) return 'the caption starts before the one above it.';
  // Players and encoders disagree by a second at most.
  if (length !== null && times.end > length + 1) {
    return `the caption ends after the video, which is ${Math.round(length)} seconds long.`;
  }
  return null;
}

const HEADLESS = 'Captions start with a line that says WEBVTT, and an empty one.';

/**
 * What's wrong with captions, in a sentence; null if nothing is. `private.captions_trouble` decides
 * the same way when a tool is published.
 * @param text as `cleanCaptions` returns it
 * @param length of the video in seconds; null if nobody knows
 */
export function captionsTrouble(text: string, length: number | null): string | null {
  if (!/^WEBVTT([ \t][^\n]*)?(\n|$)/.test(text)) return HEADLESS;
  let block: 'header' | 'none' | 'cue' | 'words' = 'header';
  let before = 0;
  let cues = 0;
  for (const [index, line] of [...text.split('\n'), ''].entries()) {
    if (isBlank(line)) {
      if (block === 'cue') return `Line ${index}: a caption has no words.`;
      block = 'none';
    } else if (line.includes('-->')) {
      if (block === 'header') return HEADLESS;
      const trouble = timeTrouble(line, before, length);
      if (trouble) return `Line ${index + 1}: ${trouble}`;
      before = timesOf(line)?.start ?? before;
      cues += 1;
      block = 'cue';
    } else if (block === 'cue') block = 'words';
  }
  return cues === 0 ? 'There are no captions in this file.' : null;
}

const ENTITIES: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  nbsp: ' ',
  lrm: '',
  rlm: '',
};

const withoutMarkup = (text: string) =>
  text
    // No tag has another one in it; looking for one would take a minute for a file of "<".
    .replace(/<[^<>]*>/g, '')
    .replace(/&(amp|lt|gt|nbsp|lrm|rlm);/g, (_, name: string) => ENTITIES[name] ?? '');

/** The captions of a text that has no trouble, in order. */
export function captionCues(text: string): Cue[] {
  return text.split(/\n[ \t]*\n+/).flatMap((block) => {
    const lines = block.split('\n');
    const at = lines.findIndex((line) => line.includes('-->'));
    const times = timesOf(lines[at] ?? '');
    if (!times) return [];
    const words = withoutMarkup(lines.slice(at + 1).join('\n')).trim();
    return words === '' ? [] : [{ ...times, text: words }];
  });
}

/** Silence after which a transcript starts a new paragraph, in seconds. */
const PAUSE = 2;
/** The length that a paragraph of a transcript ends at, with its sentence, in characters. */
const LONG = 400;

/** A transcript made of captions, in paragraphs: a new one after a pause, or after a long one. */
export function transcriptOf(text: string): string[] {
  const paragraphs: string[] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const cue of captionCues(text)) {
    const words = cue.text.replace(/\s+/g, ' ');
    const last = paragraphs.at(-1);
    const isNew =
      last === undefined || cue.start - end >= PAUSE || (last.length > LONG && /[.!?]$/.test(last));
    if (isNew) paragraphs.push(words);
    else paragraphs[paragraphs.length - 1] = `${last} ${words}`;
    end = cue.end;
  }
  return paragraphs;
}

/** "1:05" for 65 seconds. */
export function lengthText(seconds: number): string {
  const whole = Math.round(seconds);
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60)];
  const two = (number: number) => String(number).padStart(2, '0');
  const rest = two(whole % 60);
  return hours > 0 ? `${hours}:${two(minutes)}:${rest}` : `${minutes}:${rest}`;
}
