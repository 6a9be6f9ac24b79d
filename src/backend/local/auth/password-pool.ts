import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { PasswordJob } from './password-worker.ts';

/**
 * Makes and compares hashes in threads of their own: one takes a tenth of a second of computing, during
 * which the main thread would answer nobody. The threads start when they're first needed, and keep no
 * process alive that has nothing else to do.
 */

/** One core is left to everything else. */
const THREADS = Math.max(1, Math.min(4, availableParallelism() - 1));

/** How many wait at most: about five seconds' work for one thread. */
const LONGEST_QUEUE = 64;

interface Waiting {
  job: PasswordJob;
  resolve: (answer: string | boolean) => void;
  reject: (reason: unknown) => void;
}

/** More passwords wait than can be looked at soon. */
export class TooManyPasswords extends Error {}

const queue: Waiting[] = [];
const idle: Worker[] = [];
let started = 0;

/**
 * Does a job as soon as a thread is free.
 * @returns the hash, or whether the password matches.
 * @throws TooManyPasswords when too many wait already.
 */
export function inPasswordThread(job: PasswordJob): Promise<string | boolean> {
  return new Promise((resolve, reject) => {
    if (queue.length >= LONGEST_QUEUE) return reject(new TooManyPasswords());
    queue.push({ job, resolve, reject });
    next();
  });
}

function next(): void {
  if (queue.length === 0) return;
  const worker = idle.pop() ?? (started < THREADS ? start() : undefined);
  if (!worker) return;
  const { job, resolve, reject } = queue.shift() as Waiting;
  const settle = (how: () => void) => {
    worker.off('message', answered).off('error', failed).off('exit', failed);
    how();
    next();
  };
  const answered = (answer: string | boolean) =>
    settle(() => {
      worker.unref();
      idle.push(worker);
      resolve(answer);
    });
  const failed = (reason: unknown) =>
    settle(() =>
      reject(reason instanceof Error ? reason : new Error('A thread for passwords ended.')),
    );
  worker.once('message', answered).once('error', failed).once('exit', failed);
  worker.ref();
  worker.postMessage(job);
}

function start(): Worker {
  started += 1;
  const worker = new Worker(new URL('./password-worker.ts', import.meta.url));
  // Its job has been told; without a listener an error would end this process.
  worker.on('error', () => {});
  worker.once('exit', () => {
    started -= 1;
    const place = idle.indexOf(worker);
    if (place !== -1) idle.splice(place, 1);
    next();
  });
  return worker;
}
