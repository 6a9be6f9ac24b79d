/** Names in a sentence: "A", "A and B", "A, B and C". */
export function nameList(names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  const others = names.slice(0, -1).join(', ');
  return others ? `${others} and ${last}` : last;
}
