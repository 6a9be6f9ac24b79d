/** How often it's looked whether the parent is still there. */
const WATCH_MS = 1_000;
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/**
 * Calls `told` whenever this process is to end: with the signal that says so, which a terminal sends
 * when it's closed; without one because the npm that started it has ended. Of SIGHUP and SIGKILL npm
 * passes nothing on.
 * See decisions/013-npm-start-ends-with-npm.md.
 */
export function onShutdownSignal(told: (signal?: NodeJS.Signals) => void): void {
  for (const signal of SIGNALS) process.on(signal, () => told(signal));
  // A closed terminal or reader takes no more output; that alone is no reason to end.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  if (!process.env.npm_lifecycle_event) return;
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    told();
  }, WATCH_MS);
  watch.unref();
}
