import { defineMiddleware } from 'astro:middleware';
import { pageCalls } from '#data/page-data.ts';
import { publicConfig, serverConfig } from '#lib/app-config.ts';
import { AppError, toAppError } from '#lib/errors.ts';
import { answered, logFailure, newReference, plainErrorPage } from '#lib/failure.ts';
import { addressOf } from '#lib/routing/address.ts';
import { isErrorPage, isOutsideTable, match, pathForLogs } from '#lib/routing/routes.ts';
import { decide, openVisit } from '#session/session.ts';

/** Errors that have their own page and status; all others show the 500 page. */
const ERROR_PAGES: Partial<Record<AppError['kind'], [page: string, status: number]>> = {
  'not-found': ['/404', 404],
  denied: ['/403', 403],
  network: ['/503', 503],
};

/** Handles sessions, guards and headers for pages rendered on demand. */
export const onRequest = defineMiddleware(async (context, next) => {
  const { url, locals, request } = context;
  if (context.isPrerendered || locals.reference !== undefined) return next();
  locals.reference = newReference();
  locals.askedPath = addressOf(url.pathname);
  let setCookies: string[] = [];
  let end = () => {};
  const finish = (answer: Response, status?: number) =>
    answered(answer, status, setCookies, request.headers.get('accept-encoding'));

  const fail = async (thrown: unknown): Promise<Response> => {
    const { kind, status, code } = toAppError(thrown);
    locals.failureCode = code;
    const [page, shown] = ERROR_PAGES[kind] ?? ['/500', status];
    if (shown >= 500) logFailure(locals.reference, pathForLogs(url.pathname), thrown);
    try {
      return await finish(await context.rewrite(page), shown);
    } catch (error) {
      logFailure(locals.reference, pathForLogs(url.pathname), error);
      return finish(plainErrorPage(locals.reference), 500);
    }
  };

  try {
    const config = serverConfig(locals.backendFetch);
    locals.appConfig = publicConfig(url, config);
    const visit = await openVisit(request, config, (db) => pageCalls(db, url));
    locals.db = visit.db;
    locals.session = visit.session;
    ({ setCookies, end } = visit);

    const found = match(url.pathname);
    if (isErrorPage(url.pathname) || (!found && isOutsideTable(url.pathname))) {
      return await finish(await next());
    }
    if (!found) return await fail(new AppError('not-found'));
    const decision = decide(found.route, visit, url.pathname + url.search);
    if (decision.kind === 'redirect') {
      return await finish(context.redirect(decision.to, 302));
    }
    if (decision.kind === 'forbidden') return await fail(new AppError('denied'));
    if (decision.kind === 'trouble') return await fail(decision.error);
    return await finish(await next());
  } catch (error) {
    return await fail(error);
  } finally {
    end();
  }
});
