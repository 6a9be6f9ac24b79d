import type { IncomingMessage, Server } from 'node:http';
import { constants } from 'node:os';
import type { Duplex } from 'node:stream';
import { projectRoot } from '#backend/local/project-root.ts';
import type { Backend } from '#backend/local/start.ts';
import { serverConfig } from '#lib/app-config.ts';
import { http } from '#lib/http.ts';
import { isLoopback } from '#lib/loopback.ts';
import { homeFor } from '#session/session.ts';
import { createBackendFetch } from './backend-fetch.ts';
import { closeWithDemoRefusal, demoRefusal } from './demo-guard.ts';
import { isolateSocketFailures, surviveUncaughtErrors } from './isolate-failures.ts';
import { readRedirects } from './redirects.ts';
import { createRequestHandler, type HandlerParts, isRealtimePath } from './request-handler.ts';
import { loadEnvFile, readSettings, type Settings, SettingsError } from './settings.ts';
import { createStoppableServer, type StoppableServer } from './stoppable-server.ts';
import { askIsToolAsBuilt } from './tool-pages.ts';

/** How long responses in progress may take once the site is told to stop. */
const SHUTDOWN_GRACE_MS = 3_000;
/** The longest that a shutdown takes in total; systemd and Docker kill after 10 s or more. */
const SHUTDOWN_LIMIT_MS = 8_500;
/** Ctrl-C sends two signals (terminal and npm), so only a later one counts as a second. */
const SECOND_SIGNAL_MS = 1_000;
/** How long the headers may take to arrive, and a whole request with the largest file. */
const HEADERS_TIMEOUT_MS = 15_000;
const REQUEST_TIMEOUT_MS = 300_000;

/** The source of pages: a build, or the development server. */
export interface Pages extends Pick<HandlerParts, 'files' | 'pages'> {
  upgrade?: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
  close?: () => Promise<void>;
}

/** Prepares pages while the backend starts; `open` runs once their environment is set. */
export type PageMaker = (settings: Settings) => Promise<{ open: () => Promise<Pages> }>;

export function log(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function embeddedBackend(
  settings: Settings,
  lost: (why: string) => void,
): Promise<Backend | undefined> {
  if (settings.backend.kind === 'supabase') return undefined;
  const { startBackend } = await import('#backend/local/start.ts');
  return startBackend({
    dataDir: settings.dataDir,
    siteUrl: settings.siteUrl,
    demo: settings.backend.demo,
    log,
    lost,
    databaseUrl: settings.backend.databaseUrl,
    smtpUrl: settings.smtpUrl,
    trustedProxies: settings.trustedProxies,
    diskReserve: settings.diskReserve,
  });
}

function listen(server: Server, settings: Settings): Promise<void> {
  const { port, host } = settings;
  const sentence = `Port ${port} on ${host} is taken. Stop what uses it, or set PORT to another.`;
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'EADDRINUSE' ? new SettingsError(sentence) : error),
    );
    server.listen(port, host, resolve);
  });
}

/** Finishes responses in progress, then releases the data folder. */
async function close(
  { stop }: StoppableServer,
  backend: Backend | undefined,
  pages: Pages,
): Promise<void> {
  backend?.closeSockets();
  await stop(SHUTDOWN_GRACE_MS);
  await Promise.all([pages.close?.(), backend?.close()]);
}

async function start(
  makePages: PageMaker,
  lost: (why: string) => void,
): Promise<() => Promise<void>> {
  const startedAt = performance.now();
  loadEnvFile();
  const settings = readSettings(process.env);
  const [backend, prepared] = await Promise.all([
    embeddedBackend(settings, lost),
    makePages(settings),
  ]);
  const remote = settings.backend.kind === 'supabase' ? settings.backend : undefined;
  const demoAccounts = settings.backend.kind === 'embedded' && settings.backend.demo;
  const publishableKey = remote?.publishableKey ?? backend?.publishableKey ?? '';

  // Pages read these at run time; none of them are in the build.
  const loopback = settings.host.includes(':') ? '[::1]' : '127.0.0.1';
  process.env.APP_SUPABASE_URL = remote?.url ?? `http://${loopback}:${settings.port}`;
  process.env.APP_SUPABASE_PUBLISHABLE_KEY = publishableKey;
  process.env.SITE_URL = settings.siteUrl;
  const backendFetch = backend && createBackendFetch(backend);
  const pages = await prepared.open();

  const remoteHealth = async () => {
    await http(`${remote?.url}/auth/v1/health`, { headers: { apikey: publishableKey } });
    return true;
  };
  const stoppable = createStoppableServer(
    createRequestHandler({
      siteUrl: settings.siteUrl,
      publishableKey,
      supabaseUrl: remote?.url,
      backend: backend?.fetch,
      mailbox: backend?.mailbox,
      mailPreviews: backend?.mailPreviews,
      payments: backend?.payments,
      home: (request) => homeFor(request, serverConfig(backendFetch)),
      isToolAsBuilt: (slug) => askIsToolAsBuilt(serverConfig(backendFetch), slug),
      healthy: backend?.healthy ?? remoteHealth,
      hasRoom: backend?.hasRoom,
      demoAccounts,
      redirects: await readRedirects(projectRoot),
      files: pages.files,
      pages: pages.pages,
      backendFetch,
    }),
  );
  const { server } = stoppable;
  server.headersTimeout = HEADERS_TIMEOUT_MS;
  server.requestTimeout = REQUEST_TIMEOUT_MS;
  server.on(
    'upgrade',
    isolateSocketFailures((request, socket, head) => {
      const refusal = demoAccounts ? demoRefusal(request) : null;
      if (refusal) closeWithDemoRefusal(socket, refusal);
      else if (backend && isRealtimePath(request.url)) backend.upgrade(request, socket, head);
      else if (pages.upgrade) pages.upgrade(request, socket, head);
      else socket.destroy();
    }),
  );
  await listen(server, settings);
  announce(settings, performance.now() - startedAt);
  return () => close(stoppable, backend, pages);
}

/** Prints the address, the startup time and, with demo data, the accounts. */
function announce(settings: Settings, startedInMs: number): void {
  log('');
  log(`  ${settings.siteUrl}   ready in ${(startedInMs / 1000).toFixed(1)} s`);
  if (settings.backend.kind === 'supabase') {
    log(`  backend   ${settings.backend.url}`);
  } else {
    // If the site's URL isn't this machine's, there's a proxy in front and other people behind it.
    const alone = isLoopback(new URL(settings.siteUrl).hostname);
    log(`  data      ${settings.dataDir}`);
    if (settings.backend.demo) {
      log('  accounts  owner@demo.test, owner2@demo.test, coach@demo.test, coach2@demo.test,');
      log('            sponsor@demo.test, admin@demo.test; password demo-Passw0rd!');
    }
    if (!settings.smtpUrl) {
      log(
        alone
          ? `  mailbox   ${settings.siteUrl}/_local/mailbox`
          : '  email     is kept, not sent: set SMTP_URL',
      );
    }
  }
  log('');
}

/**
 * Calls `end` when this process should stop: on a signal, or when the npm that started it is gone,
 * since npm passes on neither SIGHUP nor SIGKILL. See decisions/013-npm-start-ends-with-npm.md.
 */
function onShutdownSignal(end: (signal?: NodeJS.Signals) => void): void {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    process.on(signal, () => end(signal));
  // A closed terminal or pipe takes no more output, which alone is no reason to stop.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  if (!process.env.npm_lifecycle_event) return;
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    end();
  }, 1_000).unref();
}

/**
 * Runs the site until it's told to stop. Reports an invalid setting in a sentence and exits with 1.
 * Exits at once if stopped while starting, on a second signal, or when stopping takes too long.
 */
export function serve(makePages: PageMaker): void {
  let stop: (() => Promise<void>) | undefined;
  let endingSince: number | undefined;
  const end = (exitCode: number, signal?: NodeJS.Signals) => {
    if (endingSince !== undefined) {
      const isSecond = signal && performance.now() - endingSince > SECOND_SIGNAL_MS;
      if (isSecond) process.exit(128 + constants.signals[signal]);
      return;
    }
    endingSince = performance.now();
    if (!stop) process.exit(exitCode || 1);
    setTimeout(() => {
      process.stderr.write('Stopping took too long, so the site cut off what was still running.\n');
      process.exit(1);
    }, SHUTDOWN_LIMIT_MS).unref();
    stop().then(
      () => process.exit(exitCode),
      (error: unknown) => {
        process.stderr.write(`Stopping went wrong: ${String(error)}\n`);
        process.exit(1);
      },
    );
  };
  onShutdownSignal((signal) => end(0, signal));
  surviveUncaughtErrors(() => end(1));
  const lost = (why: string) => {
    process.stderr.write(`${why}\n`);
    end(1);
  };
  start(makePages, lost).then(
    (started) => {
      stop = started;
    },
    (error: unknown) => {
      const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
      // Errors that the operator can fix don't need a stack trace.
      const known = name === 'SettingsError' || name === 'DataFolderError';
      const isFull = (error as NodeJS.ErrnoException | null)?.code === 'ENOSPC';
      const full = `The disk is full. Free up some space and start again (${message}).`;
      process.stderr.write(`${isFull ? full : known ? message : stack}\n`);
      process.exit(1);
    },
  );
}
