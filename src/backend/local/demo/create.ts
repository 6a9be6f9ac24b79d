/**
 * Makes the demo data in a process of its own: in the server's, what only this needs (the demo's texts,
 * an image library) would take memory for as long as the site runs.
 */
import { fork } from 'node:child_process';
import * as v from 'valibot';
import { inProject } from '../project-root.ts';

const child = inProject('src/backend/local/demo/child.ts');

const answer = v.union([
  v.object({ created: v.boolean() }),
  v.object({
    failure: v.object({
      message: v.string(),
      stack: v.optional(v.string()),
      code: v.optional(v.string()),
      syscall: v.optional(v.string()),
      path: v.optional(v.string()),
    }),
  }),
]);

/**
 * Fills an empty database with demo data, and stores the files that belong to it.
 * @param storage the folder where the storage service keeps files
 * @returns whether there was anything to do
 * @throws what went wrong there, with its code and path if it's an error of the system
 */
export async function createDemo(databaseUrl: string, storage: string): Promise<boolean> {
  const started = fork(child, {
    execArgv: ['--experimental-strip-types', '--disable-warning=ExperimentalWarning'],
  });
  try {
    const said = await new Promise((resolve, reject) => {
      started.once('message', resolve);
      started.once('error', reject);
      started.once('exit', (code, signal) =>
        reject(new Error(`The demo data wasn't created: its process ended (${signal ?? code}).`)),
      );
      started.send({ databaseUrl, storage });
    });
    const result = v.parse(answer, said);
    if ('created' in result) return result.created;
    const { message, ...facts } = result.failure;
    throw Object.assign(new Error(message), facts);
  } finally {
    if (started.connected) started.disconnect();
  }
}
