import { createServer, type Server } from 'node:http';
import { pathToFileURL } from 'node:url';
import type { Backend } from '#backend/local/start.ts';
import { homeFor } from '#lib/session.ts';
import { announce } from './announce.ts';
import { ensureBuild } from './build.ts';
import { createFrontDoor, type FrontDoorParts } from './front-door.ts';
import {
  loadEnvFile,
  projectRoot,
  readSettings,
  type Settings,
  SettingsError,
} from './settings.ts';

const SHUTDOWN_GRACE_MS = 5_000;

function log(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function embeddedBackend(settings: Settings): Promise<Backend | undefined> {
  if (settings.backend.kind === 'supabase') return undefined;
  const { startBackend } = await import('#backend/local/start.ts');
  return startBackend({
    dataDir: settings.dataDir,
    siteUrl: settings.siteUrl,
    demo: settings.backend.demo,
    log,
    ...(settings.backend.databaseUrl && { databaseUrl: settings.backend.databaseUrl }),
    ...(settings.smtpUrl && { smtpUrl: settings.smtpUrl }),
  });
}

function listen(server: Server, settings: Settings): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(
        error.code === 'EADDRINUSE'
          ? new SettingsError(
              `Port ${settings.port} on ${settings.host} is taken. Stop what uses it, or set PORT to another.`,
            )
          : error,
      );
    });
    server.listen(settings.port, settings.host, resolve);
  });
}

/** Finishes what is being answered, then lets the data folder go. */
async function close(server: Server, backend: Backend | undefined): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), SHUTDOWN_GRACE_MS);
  await closed;
  clearTimeout(timer);
  await backend?.close();
}

async function supabaseHealthy(url: string, key: string): Promise<boolean> {
  const { http } = await import('#lib/http.ts');
  await http(`${url}/auth/v1/health`, { headers: { apikey: key }, timeout: 3_000 });
  return true;
}

async function start(): Promise<void> {
  loadEnvFile();
  const settings = readSettings(process.env);
  const startedAt = performance.now();
  const [backend, build] = await Promise.all([
    embeddedBackend(settings),
    ensureBuild({ projectRoot, dataDir: settings.dataDir, log }),
  ]);
  const remote = settings.backend.kind === 'supabase' ? settings.backend : undefined;
  const publishableKey = remote?.publishableKey ?? backend?.publishableKey ?? '';

  // The pages read these when they are asked for; nothing of them is in the build.
  const loopback = `http://${settings.host.includes(':') ? '[::1]' : '127.0.0.1'}:${settings.port}`;
  process.env.APP_SUPABASE_URL = remote?.url ?? loopback;
  process.env.APP_SUPABASE_PUBLISHABLE_KEY = publishableKey;
  process.env.SITE_URL = settings.siteUrl;
  const { handler } = (await import(pathToFileURL(build.handler).href)) as {
    handler: FrontDoorParts['pages'];
  };

  const server = createServer(
    createFrontDoor({
      siteUrl: settings.siteUrl,
      publishableKey,
      supabaseUrl: remote?.url,
      backend: backend?.fetch,
      mailbox: backend?.mailbox,
      home: homeFor,
      healthy: () =>
        backend ? backend.healthy() : supabaseHealthy(remote?.url ?? '', publishableKey),
      files: build.client,
      pages: handler,
    }),
  );
  await listen(server, settings);
  announce(settings, performance.now() - startedAt, log);

  let stopping = false;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (stopping) return;
      stopping = true;
      void close(server, backend).then(
        () => process.exit(0),
        (error: unknown) => {
          process.stderr.write(`Stopping went wrong: ${String(error)}\n`);
          process.exit(1);
        },
      );
    });
  }
}

start().catch((error: unknown) => {
  // A setting is the operator's to mend: the sentence is enough. All else shows where it broke.
  const known = error instanceof SettingsError || (error as Error)?.name === 'DataFolderError';
  process.stderr.write(
    `${known ? (error as Error).message : ((error as Error)?.stack ?? error)}\n`,
  );
  process.exit(1);
});
