// For start.mjs: bundles the server if it has changed, and prints the file to run.
import { ensureBundle } from './bundle.ts';

process.stdout.write(await ensureBundle());
