/** The thread of password-pool.ts: makes and compares hashes, one at a time. */
import { parentPort } from 'node:worker_threads';
import { compareSync, hashSync } from 'bcryptjs';

/** What the thread is asked: with `stored` whether the password matches, without it for a hash. */
export interface PasswordJob {
  password: string;
  cost: number;
  stored?: string;
}

parentPort?.on('message', ({ password, cost, stored }: PasswordJob) => {
  parentPort?.postMessage(
    stored === undefined ? hashSync(password, cost) : compareSync(password, stored),
  );
});
