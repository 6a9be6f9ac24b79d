/**
 * How code that Node runs is written. Node keeps the source of what it has loaded in memory, at two
 * bytes a character if one of them isn't in Latin-1, such as a typographic apostrophe. Functions
 * and classes keep their names, for the log's stack traces.
 */
export const serverOutput = {
  charset: 'ascii',
  minify: { compress: true, mangle: { keepNames: true }, codegen: { removeWhitespace: true } },
} as const;
