/** Addresses that lead elsewhere: `content/redirects.yaml`, always 302, with the query kept. */
import { match } from '../routing/routes.ts';

export interface Redirect {
  /** A path such as `/newmexicoworkshops`. */
  from: string;
  /** A path of this site, with or without a query and an anchor, or an https address. */
  to: string;
}

const ADDRESS = /^(?:\/[a-z0-9-]+)+$/;
const pathOf = (address: string) => address.split(/[?#]/, 1)[0] ?? '';

/**
 * What is wrong with a list of redirects, a sentence each: a circle or a chain, an address twice, one
 * that a page has, and a target on this site that is no page.
 */
export function redirectProblems(redirects: readonly Redirect[]): string[] {
  const problems: string[] = [];
  const seen = new Set<string>();
  const all = new Set(redirects.map(({ from }) => from));
  for (const { from, to } of redirects) {
    if (seen.has(from)) problems.push(`${from} stands twice: keep one of them.`);
    seen.add(from);
    if (match(from)) problems.push(`${from} is a page already: choose another address.`);
    if (!ADDRESS.test(from)) problems.push(`${from} is no path such as /workshops.`);
    if (/^https:\/\/[^/]/.test(to)) continue;
    if (!/^\/(?![/\\])/.test(to)) {
      problems.push(`${from} leads to ${to}: a path of this site or an https address is needed.`);
      continue;
    }
    const target = pathOf(to);
    if (target === from) problems.push(`${from} leads to itself.`);
    else if (all.has(target)) {
      problems.push(`${from} leads to ${target}, which leads on: name the last address at once.`);
    } else if (!match(target)) problems.push(`${from} leads to ${to}, which is no page.`);
  }
  return problems;
}

/**
 * Gives where a request is redirected to; null where its path isn't a redirect. Its query is added to the target's
 * own, and the target's anchor stays last.
 * @param search the query with its `?`, or nothing
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
