import { defineMiddleware } from 'astro:middleware';
import { publicConfig, serverConfig } from '#lib/app-config.ts';
import { AppError, toAppError } from '#lib/errors.ts';
import { answered, logFailure, newReference, plainErrorPage } from '#lib/failure.ts';
import { isErrorPage, isOutsideTable, match } from '#lib/routes.ts';
import { decide, openVisit } from '#lib/session.ts';

/** Sessions, guards and headers of the pages that are rendered when asked for. */
export const onRequest = defineMiddleware(async (context, next) => {
  const { url, locals, request } = context;
  if (context.isPrerendered || locals.reference !== undefined) return next();
  locals.reference = newReference();
  locals.askedPath = url.pathname;
  let setCookies: string[] = [];

  const fail = async (thrown: unknown): Promise<Response> => {
    const error = toAppError(thrown);
    if (error.kind === 'not-found') return answered(await context.rewrite('/404'), 404, setCookies);
    if (error.kind === 'denied') return answered(await context.rewrite('/403'), 403, setCookies);
    logFailure(locals.reference, url.pathname, thrown);
    const { status } = error;
    try {
      return answered(await context.rewrite('/500'), status, setCookies);
    } catch {
      return answered(plainErrorPage(locals.reference), status, setCookies);
    }
  };

  try {
    const config = serverConfig();
    locals.appConfig = publicConfig(url, config);
    const visit = await openVisit(request, config);
    locals.db = visit.db;
    locals.session = visit.session;
    setCookies = visit.setCookies;

    const found = match(url.pathname);
    if (isErrorPage(url.pathname) || (!found && isOutsideTable(url.pathname))) {
      return answered(await next(), undefined, setCookies);
    }
    if (!found) return await fail(new AppError('not-found'));
    const decision = decide(found.route, visit, url.pathname + url.search);
    if (decision.kind === 'redirect') {
      return answered(context.redirect(decision.to, 302), undefined, setCookies);
    }
    if (decision.kind === 'forbidden') return await fail(new AppError('denied'));
    if (decision.kind === 'trouble') return await fail(decision.error);
    return answered(await next(), undefined, setCookies);
  } catch (error) {
    return fail(error);
  }
});
