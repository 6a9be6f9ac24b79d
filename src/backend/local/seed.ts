import { connect } from './prepare.ts';

/** Loads the words of `content/` into the database. */
export async function seed(databaseUrl: string): Promise<void> {
  const sql = connect(databaseUrl, 1);
  await sql.end();
}
