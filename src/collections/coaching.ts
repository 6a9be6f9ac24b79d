/** How long each step of coaching may take. */
import { z } from 'astro/zod';
import { words } from './vocabulary.ts';

const days = z.int().min(1, 'Give at least one day.').max(60, 'Give at most 60 days.');

/** `content/coaching.yaml`. */
export const coachingSchema = z.strictObject({
  /** Where the business days are, as an IANA name. */
  time_zone: z.string(),
  assign_days: days,
  accept_days: days,
  contact_days: days,
  write_up_days: days,
  /** Calendar days. */
  stale_days: days,
  /** Days that aren't business days, beside Saturdays and Sundays. */
  holidays: z.array(
    z.strictObject({ date: z.iso.date('Write the day as 2026-11-26.'), name: words(80) }),
  ),
});
