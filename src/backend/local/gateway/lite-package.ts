/**
 * Gives `@supabase/lite` without telemetry, and keeps Node's own `process.emitWarning`: that of
 * lite 0.10.0 throws on a warning that is an Error.
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
