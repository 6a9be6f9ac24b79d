/**
 * Preloaded into the site (`node --import`): logs the path of each request from its pages to the
 * backend, one per line, to the file QUESTIONS_FILE.
 */

import { subscribe } from 'node:diagnostics_channel';
import { appendFileSync } from 'node:fs';

subscribe('trellis:backend-request', (message) => {
  const { pathname } = new URL((message as { url: string }).url);
  const file = process.env.QUESTIONS_FILE;
  if (file && pathname.startsWith('/rest/v1/')) appendFileSync(file, `${pathname}\n`);
});
