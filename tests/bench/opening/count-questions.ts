/**
 * Loaded before the site (`node --import`): writes the path of everything that its pages ask the
 * backend into the file QUESTIONS_FILE, a line each.
 */
import { appendFileSync } from 'node:fs';

const ask = globalThis.fetch;

globalThis.fetch = (input, init) => {
  const { pathname } = new URL(input instanceof Request ? input.url : input);
  const file = process.env.QUESTIONS_FILE;
  if (file && pathname.startsWith('/rest/v1/')) appendFileSync(file, `${pathname}\n`);
  return ask(input, init);
};
