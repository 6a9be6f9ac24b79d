/** The demo accounts that people can sign in with. Every start needs these, and only the first the rest of the demo. */
import { connect, queryOne } from '#backend/supabase/functions/_shared/connection.ts';

/** The password of the six demo accounts; nobody else in the demo has one. */
export const demoPassword = 'demo-Passw0rd!';

/** Accounts people can sign in with; the others are only there to be seen. */
export const demoAccounts = [
  'owner@demo.test',
  'owner2@demo.test',
  'coach@demo.test',
  'coach2@demo.test',
  'sponsor@demo.test',
  'admin@demo.test',
];

/** Whether the database has any accounts, of the demo or others. */
export const hasAccounts = (databaseUrl: string): Promise<boolean> => hasAny(databaseUrl, null);

/** Whether any account with the publicly known password exists. */
export const hasDemoAccounts = (databaseUrl: string): Promise<boolean> =>
  hasAny(databaseUrl, demoAccounts);

async function hasAny(databaseUrl: string, emails: readonly string[] | null): Promise<boolean> {
  const db = connect(databaseUrl, { max: 1 });
  try {
    const row = await queryOne<{ found: boolean }>(db)`
      select exists (
        select from auth.users where ${emails}::text[] is null or email = any(${emails})
      ) as found`;
    return row?.found === true;
  } finally {
    await db.destroy();
  }
}
