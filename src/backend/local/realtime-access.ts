import type { Sql, TransactionSql } from 'postgres';
import type { Caller } from './lite.ts';

/** What someone may do in a channel. */
export interface Access {
  /** Hear broadcasts, see presence. */
  read: { broadcast: boolean; presence: boolean };
  write: { broadcast: boolean; presence: boolean };
}

export const EVERYTHING: Access = {
  read: { broadcast: true, presence: true },
  write: { broadcast: true, presence: true },
};

const NOTHING = { broadcast: false, presence: false };
const EXTENSIONS = ['broadcast', 'presence'] as const;

/** Ends the transaction without a trace, and without being an error to anybody. */
class RollBack extends Error {}

/**
 * Asks the policies on `realtime.messages` about one topic, the way Supabase's Realtime does: may this
 * person select a message of this topic, may they insert one. Nothing of it stays.
 *
 * @throws what the database says when it cannot be asked; a refusal is no error.
 */
export async function accessTo(sql: Sql, caller: Caller, topic: string): Promise<Access> {
  const access: Access = { read: { ...NOTHING }, write: { ...NOTHING } };
  await inVain(sql, async (transaction) => {
    await transaction`
      insert into realtime.messages (topic, extension, event, payload, private)
      values (${topic}, 'broadcast', 'probe', '{}', true), (${topic}, 'presence', 'probe', '{}', true)
    `;
    await transaction`select
      set_config('request.jwt.claims', ${JSON.stringify(caller)}, true),
      set_config('request.jwt.claim.sub', ${'sub' in caller ? String(caller.sub) : ''}, true),
      set_config('request.jwt.claim.role', ${caller.role}, true),
      set_config('realtime.topic', ${topic}, true),
      set_config('role', ${caller.role}, true)`;
    await unlessRefused(transaction, async (step) => {
      // Written in this transaction: nobody else's rows are looked at, however many a topic has.
      const rows = await step<{ extension: string }[]>`
        select extension from realtime.messages
        where topic = ${topic} and event = 'probe' and inserted_at = now()::timestamp
      `;
      for (const { extension } of rows) {
        if (extension === 'broadcast' || extension === 'presence') access.read[extension] = true;
      }
    });
    for (const extension of EXTENSIONS) {
      await unlessRefused(transaction, async (step) => {
        await step`
          insert into realtime.messages (topic, extension, event, payload, private)
          values (${topic}, ${extension}, 'probe', '{}', true)
        `;
        access.write[extension] = true;
      });
    }
  });
  return access;
}

async function inVain(sql: Sql, fn: (transaction: TransactionSql) => Promise<void>): Promise<void> {
  try {
    await sql.begin(async (transaction) => {
      await fn(transaction);
      throw new RollBack();
    });
  } catch (error) {
    if (!(error instanceof RollBack)) throw error;
  }
}

/** A policy refuses with an error too: 42501, or PT401 for a session that was ended. */
async function unlessRefused(
  transaction: TransactionSql,
  fn: (step: TransactionSql) => Promise<void>,
): Promise<void> {
  try {
    await transaction.savepoint(fn);
  } catch (error) {
    const { code } = error as { code?: string };
    if (code !== '42501' && !code?.startsWith('PT4')) throw error;
  }
}
