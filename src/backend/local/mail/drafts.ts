import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { drawMail } from '#backend/supabase/functions/_shared/mail/layout.ts';
import {
  type MailTemplate,
  mailParts,
} from '#backend/supabase/functions/_shared/mail/templates.ts';
import { readBrand } from './brand.ts';

/**
 * Renders the emails that hosted Supabase Auth sends itself. This file, run with `npx node`, writes
 * supabase/templates/; `--check` tests whether they're current. Auth fills in the double braces.
 */
const FOLDER = new URL('../../supabase/templates/', import.meta.url);

/** File (as in config.toml's `auth.email.template`), our template, and the link's page and type. */
const DRAFTS: [file: string, template: MailTemplate, page: string, type: string][] = [
  ['confirmation', 'confirm', 'confirm', 'signup'],
  ['recovery', 'recovery', 'update-password', 'recovery'],
  ['magic_link', 'email-code', 'confirm', 'email'],
  ['email_change', 'email-change', 'confirm', 'email_change'],
];

/** Renders every draft; the subjects belong in config.toml. */
async function drawDrafts() {
  const brand = { ...(await readBrand('')), siteUrl: '{{ .SiteURL }}' };
  return DRAFTS.map(([file, template, page, type]) => {
    const data = {
      link: `{{ .SiteURL }}/${page}?token_hash={{ .TokenHash }}&type=${type}&next={{ .RedirectTo }}`,
      code: '{{ .Token }}',
      current_address: '{{ .Email }}',
      new_address: '{{ .NewEmail }}',
    };
    const { subject, html } = drawMail(mailParts(template, data, brand), brand);
    return { file: `${file}.html`, subject, html };
  });
}

/** Names of the drafts in supabase/templates/ that are missing or out of date. */
export async function staleDrafts(): Promise<string[]> {
  const stale: string[] = [];
  for (const { file, html } of await drawDrafts()) {
    const written = await readFile(new URL(file, FOLDER), 'utf8').catch(() => '');
    if (written !== html) stale.push(file);
  }
  return stale;
}

async function main(): Promise<void> {
  if (process.argv.includes('--check')) {
    const stale = await staleDrafts();
    if (stale.length === 0) return;
    process.stderr.write(
      `Out of date: ${stale.join(', ')}. Run: npx node src/backend/local/mail/drafts.ts\n`,
    );
    process.exitCode = 1;
    return;
  }
  await mkdir(FOLDER, { recursive: true });
  for (const { file, subject, html } of await drawDrafts()) {
    await writeFile(new URL(file, FOLDER), html);
    process.stdout.write(`${file}: ${subject}\n`);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
