/**
 * Imports `@supabase/lite` without telemetry, and restores Node's own `process.emitWarning`: the
 * one that lite 0.10.0 sets throws when a warning is an Error.
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
