/**
 * Preloaded into the site (`node --import`): logs the path of each request from its pages to the
 * backend, one per line, to the file QUESTIONS_FILE.
 */
import { appendFileSync } from 'node:fs';

const ask = globalThis.fetch;

globalThis.fetch = (input, init) => {
  const { pathname } = new URL(input instanceof Request ? input.url : input);
  const file = process.env.QUESTIONS_FILE;
  if (file && pathname.startsWith('/rest/v1/')) appendFileSync(file, `${pathname}\n`);
  return ask(input, init);
};
