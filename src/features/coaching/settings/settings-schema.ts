import * as v from 'valibot';
import type { CoachSettings, CoachSettingsInput } from '#data/coach-settings.ts';
import { textUpTo } from '#lib/schemas/fields.ts';

/** The most industries that a coach names. */
const INDUSTRIES = 16;

const industriesIn = (text: string): string[] => [
  ...new Set(
    text
      .split(/[,\n]/)
      .map((each) => each.trim())
      .filter((each) => each !== ''),
  ),
];

export const settingsSchema = v.object({
  about: textUpTo(2000, 'Keep it to 2,000 characters.'),
  areas: v.array(v.string()),
  /** Separated by commas. */
  industries: v.pipe(
    v.string(),
    v.check((text) => industriesIn(text).length <= INDUSTRIES, 'Name at most 16 industries.'),
    v.check(
      (text) => industriesIn(text).every((each) => each.length <= 120),
      'Keep each to 120 characters.',
    ),
  ),
  /** Empty: no limit. */
  capacity: v.pipe(
    v.string(),
    v.trim(),
    v.check(
      (value) => value === '' || (/^\d{1,3}$/.test(value) && Number(value) <= 200),
      'Enter a number from 0 to 200, or leave it empty.',
    ),
  ),
  accepting: v.boolean(),
  /** A date, or empty. */
  pausedUntil: v.string(),
});
export type SettingsInput = v.InferOutput<typeof settingsSchema>;

export const inputOf = (settings: CoachSettings): SettingsInput => ({
  about: settings.about,
  areas: settings.areas,
  industries: settings.industries.join(', '),
  capacity: settings.capacity === null ? '' : String(settings.capacity),
  accepting: settings.accepting,
  pausedUntil: settings.paused_until ?? '',
});

export const settingsOf = (input: SettingsInput): CoachSettingsInput => ({
  about: input.about,
  areas: input.areas,
  industries: industriesIn(input.industries),
  capacity: input.capacity === '' ? null : Number(input.capacity),
  accepting: input.accepting,
  paused_until: input.pausedUntil || null,
});
