/** Checks that a page's Content Security Policy allows exactly its inline scripts and styles. */
import { createHash } from 'node:crypto';
import { all, at, attribute, drawings, one, type Page } from './built-site.ts';

/** Attributes that none of the site's policies allows. */
const REFUSED = /^(style$|on[a-z])/;

/** Script types that need a hash. Others are data, except speculation rules (see below). */
const RUN = [null, '', 'module', 'text/javascript', 'importmap'];

const hashOf = (content: string) =>
  `'sha256-${createHash('sha256').update(content).digest('base64')}'`;

/** The sources that a directive of a policy names. */
function sources(policy: string, directive: string): string[] {
  const found = policy
    .split(';')
    .map((each) => each.trim().split(/\s+/))
    .find(([name]) => name === directive);
  return found?.slice(1) ?? [];
}

/** Lists what a page's own policy would block, and sources that make the policy too permissive. */
export function policyDefects(page: Page): string[] {
  const policy = one(page, 'meta[http-equiv="content-security-policy"]', 'content') ?? '';
  const defects: string[] = [];
  // A redirect page needs no policy: one would have to allow its script, which forwards the query.
  if (page.leadsOn && policy === '') return defects;
  const [scripts, styles] = [sources(policy, 'script-src'), sources(policy, 'style-src')];
  if (scripts.length === 0 || styles.length === 0) {
    defects.push(`${page.file}: has no policy for scripts and styles`);
  }
  for (const loose of ["'unsafe-inline'", "'unsafe-eval'", '*', 'https:', 'http:', 'data:']) {
    if ([...scripts, ...styles].includes(loose)) defects.push(`${page.file}: allows ${loose}`);
  }
  for (const script of all(page, 'script')) {
    const type = attribute(script, 'type');
    if (attribute(script, 'src') !== null) continue;
    const rules = type === 'speculationrules' && scripts.includes("'inline-speculation-rules'");
    if (!RUN.includes(type) && (type !== 'speculationrules' || rules)) continue;
    if (!scripts.includes(hashOf(script.textContent))) {
      defects.push(`${at(page, script)} is a script that the policy does not name`);
    }
  }
  for (const style of all(page, 'style')) {
    if (!styles.includes(hashOf(style.textContent))) {
      defects.push(`${at(page, style)} is a style that the policy does not name`);
    }
  }
  for (const element of all(page, '*')) {
    for (const { key } of element.attributes) {
      if (REFUSED.test(key)) {
        defects.push(`${at(page, element)} has the attribute ${key}, which the policy refuses`);
      }
    }
  }
  for (const { tag, attributes } of drawings(page)) {
    for (const key of attributes.keys()) {
      if (REFUSED.test(key)) {
        defects.push(`${page.file} <${tag}> has the attribute ${key}, which the policy refuses`);
      }
    }
  }
  return defects;
}
