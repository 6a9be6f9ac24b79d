/** What stays on one line in a narrow column: dates, numbers with their unit, and short calculations. */

/** A column of words is readable at this many characters, since longer ones wrap. */
export const MOST = 14;

const SPACE = '\u00a0';

/** "5", "$1,450", "7.65%", "10:30", "5th", and before a comma */
const NUMBER = /^[($−+]*\d[\d,.:/–-]*(?:st|nd|rd|th)?%?[),;.]*$/;
/** "March", "Week", "At" */
const CAPITALIZED = /^\p{Lu}\p{L}*\.?$/u;
/** "days", "a.m." */
const UNIT = /^\p{Ll}[\p{Ll}.]*[),;.]*$/u;
/** What joins two numbers, in English and Spanish. */
const BETWEEN = /^(?:to|of|or|and|a|de|o|y|[×÷+−–])$/;
/** What a number isn't followed by as its unit. */
const SMALL =
  /^(?:a|al|and|as|at|by|con|de|en|for|from|in|is|of|on|o|or|per|por|that|the|to|with|y)$/;

/** Whether a line mustn't end between these words, which are followed by `after`. */
function belong(word: string, next: string, after: string | undefined): boolean {
  if (NUMBER.test(next)) {
    if (CAPITALIZED.test(word) || BETWEEN.test(word)) return true;
    // A number alone in the last line.
    return after === undefined && word.length <= 5 && !NUMBER.test(word);
  }
  if (!/[\d)]$/.test(word) || !NUMBER.test(word)) return false;
  if (BETWEEN.test(next)) return after !== undefined && NUMBER.test(after);
  return UNIT.test(next) && !SMALL.test(next);
}

/**
 * The text of a table's cell with no-break spaces, so that lines don't end within "March 3" or
 * "26 days". A piece is never longer than a column of words is wide.
 */
export function unbroken(text: string): string {
  const words = text.split(' ');
  let piece = '';
  return words.reduce((line, word, place) => {
    const before = words[place - 1];
    if (before === undefined) {
      piece = word;
      return word;
    }
    const after = words[place + 1];
    const longer = `${piece}${SPACE}${word}`;
    // "10 to" alone would end a line worse than "10" does.
    const whole = BETWEEN.test(word) && NUMBER.test(before) ? `${longer} ${after}` : longer;
    const stays = whole.length <= MOST && belong(before, word, after);
    piece = stays ? longer : word;
    return line + (stays ? SPACE : ' ') + word;
  }, '');
}

/** Whether a text is one short word that could be cut at its hyphen, such as "1099-NEC" or a phone number. */
export const isHyphenated = (text: string): boolean =>
  text.length <= MOST && /^\S+-\S+$/.test(text);
