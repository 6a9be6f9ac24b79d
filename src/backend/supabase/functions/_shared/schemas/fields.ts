/** Rules shared by the fields of several forms. */
import * as v from 'valibot';

/** Trimmed text of at most this many characters. */
export const textUpTo = (longest: number, tooLong = `Keep it to ${longest} characters.`) =>
  v.pipe(v.string(), v.trim(), v.maxLength(longest, tooLong));

/** The first problem with each field, in words; `''` is the whole form. */
export function problemsOf(issues: readonly v.BaseIssue<unknown>[]): Record<string, string> {
  const problems: Record<string, string> = {};
  for (const issue of issues) problems[String(issue.path?.[0]?.key ?? '')] ??= issue.message;
  return problems;
}
