/** The colors of styles/tokens.css for what the build draws. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { tokenColors } from '#lib/files/token-colors.ts';

/** Returns a lookup by role: `ink` reads --color-ink. It throws if tokens.css has no such role. */
export const cardColors = (folder = process.cwd(), theme: 'light' | 'dark' = 'light') =>
  tokenColors(readFileSync(join(folder, 'src/styles/tokens.css'), 'utf8'), theme);
