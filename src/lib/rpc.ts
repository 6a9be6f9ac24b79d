/** Database procedures, with typed arguments and schema-checked results. */
import * as v from 'valibot';
import { collect, takeAnswer } from './batch.ts';
import type { Database } from './database.types.ts';
import { AppError, toAppError } from './errors.ts';
import { HttpError } from './http.ts';
import type { Db } from './supabase.ts';
import { callAsVisitor } from './visitor-call.ts';

type Procedures = Database['public']['Functions'];
type Procedure = keyof Procedures;
type Args<Name extends Procedure> = Procedures[Name]['Args'];

/** The schema for results that nobody reads. */
export const ignored = v.pipe(
  v.unknown(),
  v.transform((): void => {}),
);

/**
 * Parses a result with its schema and drops unknown fields. Throws an AppError: `not-found` if a
 * required result is null, `unexpected` if it doesn't match; the cause says where.
 */
function checked<Expected extends v.GenericSchema>(
  name: Procedure,
  answer: unknown,
  schema: Expected,
): v.InferOutput<Expected> {
  const read = v.safeParse(schema, answer, { abortEarly: true });
  if (read.success) return read.output;
  if (answer === null || answer === undefined) throw new AppError('not-found');
  const [issue] = read.issues;
  const cause = new Error(`${name} answered ${v.getDotPath(issue) ?? ''}: ${issue.message}`);
  throw new AppError('unexpected', undefined, { cause });
}

/**
 * Calls a procedure and returns its result.
 * @param schema of the result; `ignored` if nobody reads it
 * @throws AppError, `unexpected` if the result doesn't match the schema
 */
export async function rpc<Name extends Procedure, Expected extends v.GenericSchema>(
  db: Db,
  name: Name,
  schema: Expected,
  args?: Args<Name>,
): Promise<v.InferOutput<Expected>> {
  // Only noted down: the page's own call, later, gets the answer.
  if (collect(db, name, args)) return new Promise(() => {});
  const kept = takeAnswer(db, name, args);
  if (kept) return checked(name, kept.data, schema);
  const { data, error, status } = await db.rpc(name, args);
  if (error) throw toAppError(error, status);
  return checked(name, data, schema);
}

/** The same for visitors' pages that don't need a client. Throws like `rpc`. */
export async function visitorRpc<Name extends Procedure, Expected extends v.GenericSchema>(
  name: Name,
  schema: Expected,
  args?: Args<Name>,
): Promise<v.InferOutput<Expected>> {
  const answer = await callAsVisitor(name, args).catch((thrown: unknown) => {
    if (!(thrown instanceof HttpError)) throw toAppError(thrown, 0);
    throw toAppError(thrown.data ?? thrown, thrown.status);
  });
  return checked(name, answer, schema);
}
