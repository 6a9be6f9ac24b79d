// Runs a site's backend in a separate process that tests can kill. Prints "ready" when it's up.
// Email goes to SMTP_URL. With the argument `rows`, it then inserts numbered rows and prints each number once it's stored.

import { startBackend } from '#backend/local/start.ts';
import { connect } from '../../../fixtures/connection.ts';

const [dataDir = '', content, work] = process.argv.slice(2);
const backend = await startBackend({
  dataDir,
  siteUrl: 'http://127.0.0.1:4321',
  demo: content === 'demo',
  tick: false,
  smtpUrl: process.env.SMTP_URL,
});
process.on('SIGTERM', () => void backend.close().then(() => process.exit(0)));
process.stdout.write('ready\n');

if (work === 'rows') {
  const sql = connect(backend.databaseUrl, 2);
  await sql`create table public.kept (n int primary key)`;
  for (let n = 1; ; n += 1) {
    await sql`insert into public.kept values (${n})`;
    process.stdout.write(`${n}\n`);
  }
}
setInterval(() => {}, 60_000);
