import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import type { MailBrand } from '#backend/supabase/functions/_shared/mail/layout.ts';

/** Who sends: content/site.yaml. */
export async function readBrand(siteUrl: string): Promise<MailBrand> {
  const path = new URL('../../../../content/site.yaml', import.meta.url);
  // Its schema in collections/site.ts asks for all three.
  const { product, organisation, email } = parse(await readFile(path, 'utf8')) as MailBrand;
  return {
    product,
    organisation,
    email,
    siteUrl: siteUrl.replace(/\/+$/, ''),
  };
}
