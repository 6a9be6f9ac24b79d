import { readFile } from 'node:fs/promises';
import * as v from 'valibot';
import { parse } from 'yaml';
import type { MailBrand } from '#backend/supabase/functions/_shared/mail/layout.ts';
import { inProject } from '../project-root.ts';

const file = inProject('content/site.yaml');
const schema = v.object({ product: v.string(), organisation: v.string(), email: v.string() });

/** Who emails are from, as content/site.yaml says. */
export async function readBrand(siteUrl: string): Promise<MailBrand> {
  const site = v.parse(schema, parse(await readFile(file, 'utf8')));
  return { ...site, siteUrl: siteUrl.replace(/\/+$/, '') };
}
