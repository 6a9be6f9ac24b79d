/** Redirects from `content/redirects.yaml`: always 302, with the query string kept. */
import { match } from '../routing/routes.ts';

export interface Redirect {
  /** A path such as `/newmexicoworkshops`. */
  from: string;
  /** A path on this site, with or without a query and a fragment, or an https URL. */
  to: string;
}

const ADDRESS = /^(?:\/[a-z0-9-]+)+$/;
const pathOf = (address: string) => address.split(/[?#]/, 1)[0] ?? '';

/**
 * Returns a sentence for each problem in a list of redirects: a loop or a chain, a duplicate, a
 * source that's already a page, or a target on this site that isn't one.
 */
export function redirectProblems(redirects: readonly Redirect[]): string[] {
  const problems: string[] = [];
  const seen = new Set<string>();
  const all = new Set(redirects.map(({ from }) => from));
  for (const { from, to } of redirects) {
    if (seen.has(from)) problems.push(`${from} is listed twice. Keep one of them.`);
    seen.add(from);
    if (match(from)) problems.push(`${from} is already a page. Choose another address.`);
    if (!ADDRESS.test(from)) problems.push(`${from} isn’t a path such as /workshops.`);
    if (/^https:\/\/[^/]/.test(to)) continue;
    if (!/^\/(?![/\\])/.test(to)) {
      problems.push(`${from} leads to ${to}. Use a path on this site or an https address.`);
      continue;
    }
    const target = pathOf(to);
    if (target === from) problems.push(`${from} leads to itself.`);
    else if (all.has(target)) {
      problems.push(`${from} leads to ${target}, which redirects again. Name the final address.`);
    } else if (!match(target)) problems.push(`${from} leads to ${to}, which isn’t a page.`);
  }
  return problems;
}

/**
 * Returns where to redirect a request, or null if its path isn't a redirect. The request's query is
 * appended to the target's own, before the target's fragment.
 * @param search the query with its `?`, or an empty string
 */
export function redirectTarget(
  redirects: readonly Redirect[],
  pathname: string,
  search: string,
): string | null {
  const found = redirects.find(({ from }) => from === pathname);
  if (!found) return null;
  const [address = '', anchor] = found.to.split('#', 2);
  const query = search.replace(/^\?/, '');
  const joint = query === '' ? '' : `${address.includes('?') ? '&' : '?'}${query}`;
  return `${address}${joint}${anchor === undefined ? '' : `#${anchor}`}`;
}
