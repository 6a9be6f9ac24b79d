/** Functions that the browser calls as the signed-in person. */
import * as v from 'valibot';
import { AppError, type ErrorKind, toAppError } from '#lib/errors.ts';
import type { Db } from '#lib/supabase.ts';

const KINDS: Record<number, ErrorKind> = {
  401: 'signed-out',
  403: 'denied',
  404: 'not-found',
  409: 'conflict',
  422: 'invalid',
  429: 'rate-limited',
};

const refusal = v.object({ message: v.string() });

/** Calls a function. @throws AppError, with the function's own sentence */
export async function callFunction<Expected extends v.GenericSchema>(
  db: Db,
  name: string,
  body: Record<string, string>,
  schema: Expected,
): Promise<v.InferOutput<Expected>> {
  const { data, error } = await db.functions.invoke(name, { body });
  // The function's own answer, if it refused.
  const answer: unknown = error?.context;
  if (answer instanceof Response) {
    const said = v.safeParse(refusal, await answer.json().catch(() => null));
    const kind = KINDS[answer.status] ?? 'unexpected';
    throw new AppError(kind, said.success ? said.output.message : undefined);
  }
  if (error) throw toAppError(error);
  return v.parse(schema, data);
}
