// Loaded before everything else, and in JavaScript: it makes Node keep the code it has compiled, so that
// at the next start it needs no compiler for TypeScript, which takes 37 MB (decision 089).
import module from 'node:module';
import { fileURLToPath } from 'node:url';

// Where the folder can't be written, Node goes on without. Node 20 can't do it at all.
module.enableCompileCache?.(
  fileURLToPath(new URL('../../node_modules/.cache/node', import.meta.url)),
);
