// What `npm start` and the container run: the server in a process that takes little memory (decision 089).
// In JavaScript: Node's compiler for TypeScript would stay in the process's memory.
import { spawnSync } from 'node:child_process';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** V8's limits; what stands before this file in the command wins. */
const LIMITS = [
  '--max-old-space-size=192',
  '--min-semi-space-size=8',
  '--max-semi-space-size=8',
  '--heap-growing-percent=60',
  '--no-allocation-site-pretenuring',
];
/** glibc gives every thread a heap of its own, and keeps large blocks that were freed. */
const MALLOC = { MALLOC_MMAP_THRESHOLD_: '32768', MALLOC_ARENA_MAX: '1' };

// While the server is bundled, nothing notices that npm is gone (decision 013).
const parent = process.ppid;
const built = spawnSync(
  process.execPath,
  [
    '--experimental-strip-types',
    '--disable-warning=ExperimentalWarning',
    fileURLToPath(new URL('build-server.ts', import.meta.url)),
  ],
  { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] },
);
if (built.status !== 0) process.exit(built.status ?? 1);
if (process.env.npm_lifecycle_event && process.ppid !== parent) process.exit(1);
const server = built.stdout;

// Node and glibc read these when a process starts, so Node replaces its own, once. Where it can't, it
// runs the server as it is, and that takes more memory.
if (process.platform !== 'win32') {
  process.execve?.(process.execPath, [process.execPath, ...LIMITS, ...process.execArgv, server], {
    ...MALLOC,
    ...process.env,
  });
}
await import(pathToFileURL(server).href);
