import { setting } from '../settings.ts';
import type { MailBrand } from './layout.ts';

/** Who sends, from the settings MAIL_PRODUCT (the site's host when left out), MAIL_ORGANISATION,
 * MAIL_ADDRESS and SITE_URL. */
export function brandFromSettings(): MailBrand {
  const siteUrl = (setting('SITE_URL') ?? 'http://127.0.0.1:4321').replace(/\/+$/, '');
  const product = setting('MAIL_PRODUCT') ?? new URL(siteUrl).host;
  return {
    product,
    organisation: setting('MAIL_ORGANISATION') ?? product,
    email: setting('MAIL_ADDRESS') ?? 'hello@localhost',
    siteUrl,
  };
}
