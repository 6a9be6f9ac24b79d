import { randomBytes, randomInt } from 'node:crypto';
import { type Database, query, queryOne } from '#backend/supabase/functions/_shared/connection.ts';
import type { MailTemplate } from '#backend/supabase/functions/_shared/mail/templates.ts';
import { isLoopbackName } from '../gateway/client-address.ts';
import type { AuthContext, AuthRequest } from './session.ts';
import { codeHash, linkHash, type Registration, storeToken, type TokenKind } from './store.ts';

/** How long an emailed link or code is valid, in seconds; `otp_expiry` of Supabase Auth. */
export const MAIL_TOKEN_SECONDS = 3600;

/**
 * Queues an email in the caller's transaction.
 * @param goodFor seconds after which it's no longer sent, because its link or code has expired.
 * @returns whether it goes out; false if the mailbox has reached its limit for the day.
 */
export async function queueMail(
  db: Database,
  to: string,
  template: MailTemplate,
  data: Record<string, unknown>,
  goodFor: number | null = null,
): Promise<boolean> {
  const row = await queryOne<{ goes: boolean }>(db)`
    select private.send_mail(
      ${to}, ${template}, ${JSON.stringify(data)}::jsonb, now() + make_interval(secs => ${goodFor})
    ) as goes`;
  return row?.goes === true;
}

/**
 * The path of `redirect_to`; null if it's missing, on another site, or the home page.
 */
function nextPath(siteUrl: string, redirectTo: string | null): string | null {
  if (!redirectTo || !URL.canParse(redirectTo, siteUrl)) return null;
  const [target, site] = [new URL(redirectTo, siteUrl), new URL(siteUrl)];
  const ours =
    target.origin === site.origin ||
    (isLoopbackName(target.hostname) &&
      isLoopbackName(site.hostname) &&
      target.protocol === site.protocol &&
      target.port === site.port);
  if (!ours || target.pathname.startsWith('//')) return null;
  const path = target.pathname + target.search;
  return path === '/' ? null : path;
}

const PAGES: Record<TokenKind, { path: string; type: string }> = {
  signup: { path: '/confirm', type: 'signup' },
  email: { path: '/confirm', type: 'email' },
  recovery: { path: '/update-password', type: 'recovery' },
  email_change_current: { path: '/confirm', type: 'email_change' },
  email_change_new: { path: '/confirm', type: 'email_change' },
};

interface RegistrationLink {
  registration?: Registration | undefined;
  /** The registration's metadata, when only its link is sent again. */
  metadata?: Registration['metadata'] | undefined;
}

/** Creates a one-time link, stores its hash and returns its URL. */
export async function makeLink(
  context: AuthContext,
  db: Database,
  request: AuthRequest,
  token: { userId: string; kind: TokenKind; email: string } & RegistrationLink,
): Promise<string> {
  const secret = randomBytes(32).toString('base64url');
  await storeToken(db, { ...token, hash: linkHash(secret), seconds: MAIL_TOKEN_SECONDS });
  const page = PAGES[token.kind];
  const url = new URL(page.path, context.siteUrl);
  url.searchParams.set('token_hash', secret);
  url.searchParams.set('type', page.type);
  const next = nextPath(context.siteUrl, request.query.get('redirect_to'));
  if (next && next.split('?')[0] !== page.path) url.searchParams.set('next', next);
  return url.href;
}

/** How many wrong attempts make a code invalid. */
const CODE_TRIES = 10;

export async function mailConfirmation(
  context: AuthContext,
  db: Database,
  request: AuthRequest,
  account: { userId: string; email: string } & RegistrationLink,
): Promise<void> {
  const link = await makeLink(context, db, request, { ...account, kind: 'signup' });
  await query(db)`update auth.users set confirmation_sent_at = now() where id = ${account.userId}`;
  await queueMail(db, account.email, 'confirm', { link }, MAIL_TOKEN_SECONDS);
}

/**
 * Mails a sign-in code and link. After too many codes in one day, it mails only the link, which
 * nobody can guess.
 */
export async function mailCode(
  context: AuthContext,
  db: Database,
  request: AuthRequest,
  account: { userId: string; email: string },
): Promise<void> {
  let code: string | null = null;
  if (await context.limits.newCode(db, account.email)) {
    code = String(randomInt(1_000_000)).padStart(6, '0');
    const hash = codeHash(context.pepper, 'email', account.email, code);
    const token = { ...account, kind: 'email', hash, seconds: MAIL_TOKEN_SECONDS } as const;
    await storeToken(db, { ...token, tries: CODE_TRIES });
  }
  const link = await makeLink(context, db, request, { ...account, kind: 'email' });
  await query(db)`update auth.users set recovery_sent_at = now() where id = ${account.userId}`;
  const isQueued =
    code !== null &&
    (await queueMail(db, account.email, 'email-code', { code, link }, MAIL_TOKEN_SECONDS));
  // Even if strangers have used up this mailbox's codes, its owner still gets a link.
  if (!isQueued) await queueMail(db, account.email, 'email-link', { link }, MAIL_TOKEN_SECONDS);
}

/** Tells an address's owner that someone tried to register it or move an account to it. */
export async function mailAlreadyRegistered(
  context: AuthContext,
  db: Database,
  email: string,
): Promise<void> {
  await queueMail(db, email, 'already-registered', {
    link: new URL('/login', context.siteUrl).href,
    recover_link: new URL('/recover', context.siteUrl).href,
  });
}
