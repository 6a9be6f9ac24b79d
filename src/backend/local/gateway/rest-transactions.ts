import {
  CompiledQuery,
  type DatabaseConnection,
  PostgresDialect,
  type PostgresDialectConfig,
  PostgresDriver,
  type TransactionSettings,
} from 'kysely';
import { escapeLiteral } from 'pg';
import type { Caller } from './lite.ts';

/** A PostgreSQL dialect that opens a transaction with the statements of the current request. */
export class RestDialect extends PostgresDialect {
  readonly #config: PostgresDialectConfig;
  readonly #opening: () => string | undefined;

  /** @param opening the statements; undefined for a transaction of no request. */
  constructor(config: PostgresDialectConfig, opening: () => string | undefined) {
    super(config);
    this.#config = config;
    this.#opening = opening;
  }

  override createDriver(): PostgresDriver {
    return new RestDriver(this.#config, this.#opening);
  }
}

class RestDriver extends PostgresDriver {
  readonly #opening: () => string | undefined;

  constructor(config: PostgresDialectConfig, opening: () => string | undefined) {
    super(config);
    this.#opening = opening;
  }

  override async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings) {
    const opening = this.#opening();
    if (opening === undefined) return super.beginTransaction(connection, settings);
    try {
      await connection.executeQuery(CompiledQuery.raw(opening));
    } catch (error) {
      // Kysely doesn't: as it sees it, the transaction never started.
      await connection.executeQuery(CompiledQuery.raw('rollback')).catch(() => {});
      throw error;
    }
  }
}

interface Opening {
  readOnly: boolean;
  /** The statement timeout in ms; undefined for the connection's own. */
  timeout: number | undefined;
  /** The call, if the request calls a procedure. */
  procedure:
    | {
        method: string;
        path: string;
        readOnly: boolean;
        requestHeaders?: Record<string, string>;
      }
    | undefined;
}

/**
 * The statements that open a request's transaction, to send in one message. They set what PostgREST
 * sets: https://docs.postgrest.org/en/v13/references/transactions.html#transaction-scoped-settings.
 * lite sends each setting by itself, which takes ten round trips.
 */
export function openingOf(caller: Caller, { readOnly, timeout, procedure }: Opening): string {
  const settings: Record<string, string> = {
    role: caller.role,
    'request.jwt.claim.sub': caller.sub ?? '',
    'request.jwt.claim.role': caller.role,
    'request.jwt.claims': JSON.stringify(caller),
    ...(procedure && {
      'response.status': '',
      'response.headers': '',
      'request.method': procedure.method,
      'request.path': procedure.path,
      'request.headers': JSON.stringify(procedure.requestHeaders ?? {}),
    }),
    ...(timeout && { statement_timeout: String(timeout) }),
  };
  const set = Object.entries(settings).map(
    ([name, value]) => `set_config('${name}', ${escapeLiteral(value)}, true)`,
  );
  const isReadOnly = readOnly || procedure?.readOnly;
  return `start transaction${isReadOnly ? ' read only' : ''}; select ${set.join(', ')}`;
}

/** The only headers that reach lite and the database: no cookie, authorization or key. */
const PASSED_ON = [
  'accept',
  'accept-profile',
  'cache-control',
  'content-length',
  'content-profile',
  'content-type',
  'if-modified-since',
  'if-none-match',
  'prefer',
  'range',
  'range-unit',
  'x-metadata',
  'x-upsert',
];

/**
 * The headers of a request to pass on.
 * @param address the client's, which replaces what the client says it is
 */
export function passedOn(headers: Headers, address: string | undefined): Record<string, string> {
  const passed: Record<string, string> = {};
  for (const name of PASSED_ON) {
    const value = headers.get(name);
    if (value !== null) passed[name] = value;
  }
  if (address) passed['x-forwarded-for'] = address;
  return passed;
}
