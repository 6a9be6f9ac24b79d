/** Fonts and colors for documents that are drawn on the server: those of the site's light theme. */
import strong from '#styles/fonts/report-strong.ttf?inline';
import text from '#styles/fonts/report-text.ttf?inline';
import title from '#styles/fonts/report-title.ttf?inline';
import tokens from '#styles/tokens.css?raw';
import { tokenColors } from './token-colors.ts';

const bytesOf = (dataUrl: string) => Buffer.from(dataUrl.split(',')[1] ?? '', 'base64');

export const reportFonts = { text: bytesOf(text), strong: bytesOf(strong), title: bytesOf(title) };

/** `#rrggbb` of a role in tokens.css. */
export const reportColor = tokenColors(tokens);
