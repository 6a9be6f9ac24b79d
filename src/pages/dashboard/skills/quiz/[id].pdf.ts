import type { APIRoute } from 'astro';
import { getResult } from '#data/skills.ts';
import { pdfName, resultsPdf } from '#features/skills/report-pdf.ts';
import { createAllowance } from '#lib/allowance.ts';
import { serverConfig } from '#lib/app-config.ts';
import { site } from '#lib/content/site.ts';
import { AppError } from '#lib/errors.ts';
import { signedIn } from '#session/session.ts';

export const prerender = false;

/** Drawing one takes about as long as 20 pages do. */
const allow = createAllowance(20, 60);

/** Results as a PDF of one page, for whoever can read them: the owner, and a coach they shared with. */
export const GET: APIRoute = async ({ locals, params }) => {
  const { timeZone, userId } = signedIn(locals);
  const view = await getResult(locals.db, params.id ?? '');
  if (view?.attempt.state !== 'submitted') throw new AppError('not-found');
  allow(userId);
  const { siteUrl } = serverConfig();
  const pdf = await resultsPdf(view, { product: site.product, siteUrl, timeZone });
  return new Response(Buffer.from(pdf), {
    headers: {
      'Content-Type': 'application/pdf',
      'Content-Disposition': `inline; filename="${pdfName(view)}"`,
      'Cache-Control': 'private, no-store',
    },
  });
};
