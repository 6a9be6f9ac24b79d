import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import getPort from 'get-port';
import { projectRoot } from '#backend/local/project-root.ts';
import manifest from '../../../package.json' with { type: 'json' };

/** The site as `npm start` runs it, in a separate process. */
export interface SiteProcess {
  url: string;
  /** Everything it has printed. */
  output: () => string;
  /** Sends a signal and waits; returns the exit code. */
  stop: (signal?: NodeJS.Signals) => Promise<number | null>;
}

/**
 * Starts the site and waits until it says that it's ready.
 * @param env settings in addition to this process's environment; see `.env.example`
 * @throws Error with its output, if it exits before it's ready
 */
export async function startSite(env: Record<string, string>): Promise<SiteProcess> {
  const port = env.PORT ? Number(env.PORT) : await getPort({ host: '127.0.0.1' });
  const child: ChildProcess = spawn(process.execPath, manifest.scripts.start.split(' ').slice(2), {
    cwd: projectRoot,
    env: { ...process.env, PORT: String(port), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const exited = once(child, 'exit');
  await new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        output += chunk.toString();
        if (/ready in [\d.]+ s/.test(output)) resolve();
      });
    }
    child.once('exit', (code) => reject(new Error(`The site stopped (${code}).\n${output}`)));
  });
  return {
    url: `http://127.0.0.1:${port}`,
    output: () => output,
    async stop(signal = 'SIGTERM') {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal);
      await exited;
      return child.exitCode;
    },
  };
}
