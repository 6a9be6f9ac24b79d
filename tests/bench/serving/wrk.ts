import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const CONNECTIONS = 32;
const SECONDS = 3;

/** Whether a program is installed. */
export const isInstalled = (program: string): Promise<boolean> =>
  run('sh', ['-c', `command -v ${program}`]).then(
    () => true,
    () => false,
  );

/**
 * Requests per second that a server answers to wrk, from one thread: random pages of many, as a
 * browser asks for them.
 * @param pages how many there are: `/page-1`, `/page-2` …
 * @throws Error if any response isn't a 200
 */
export async function requestsPerSecond(
  url: string,
  pages: number,
  encoding: string,
  folder: string,
): Promise<number> {
  const script = path.join(folder, `pages-${pages}.lua`);
  await writeFile(
    script,
    `request = function()
  return wrk.format("GET", "/page-" .. math.random(${pages}))
end`,
  );
  const { stdout } = await run('wrk', [
    ...['-t1', `-c${CONNECTIONS}`, `-d${SECONDS}s`, '-s', script],
    ...['-H', `accept-encoding: ${encoding}`, url],
  ]);
  if (/Non-2xx/.test(stdout)) throw new Error(stdout);
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1] ?? Number.NaN);
}
