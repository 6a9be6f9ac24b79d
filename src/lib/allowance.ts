/** How often one person may ask for something that takes the server a while. */
import { AppError } from './errors.ts';

/**
 * Counts requests per person in this process.
 * @param most how many are allowed in `seconds`
 * @returns a function that counts one and throws `rate-limited` if it's one too many
 */
export function createAllowance(most: number, seconds: number): (personId: string) => void {
  let counts = new Map<string, number>();
  let until = 0;
  return (personId) => {
    const now = performance.now();
    // One window for everyone, so that memory is bounded by those who asked in it.
    if (now >= until) {
      counts = new Map();
      until = now + seconds * 1000;
    }
    const count = (counts.get(personId) ?? 0) + 1;
    if (count > most) throw new AppError('rate-limited');
    counts.set(personId, count);
  };
}
