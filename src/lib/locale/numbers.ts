const WORDS = ['none', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];

/** A whole number as prose spells it: "eight", but "10". */
export const numberText = (count: number): string => WORDS[count] ?? String(count);
