/**
 * Gives `@supabase/lite` without what it does to its process: no telemetry, and Node's own
 * `process.emitWarning`, in whose place lite 0.10.0 puts one that throws on a warning that is an
 * Error, as those of Node are (too many listeners, for one).
 */
export async function loadLite() {
  process.env.DO_NOT_TRACK = '1';
  const { emitWarning } = process;
  const [lite, { createPostgresConnection }] = await Promise.all([
    import('@supabase/lite'),
    import('@supabase/lite/postgres'),
  ]);
  process.emitWarning = emitWarning;
  return { ...lite, createPostgresConnection };
}
