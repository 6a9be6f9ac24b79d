import { isLoopback } from '#lib/loopback.ts';
import type { Settings } from './settings.ts';

/**
 * Prints where the site is and, with demo data, who can sign in.
 * @param startedInMs milliseconds since the start of the process's own work
 */
export function announce(
  settings: Settings,
  startedInMs: number,
  log: (line: string) => void,
): void {
  log('');
  log(`  ${settings.siteUrl}   ready in ${(startedInMs / 1000).toFixed(1)} s`);
  if (settings.backend.kind === 'supabase') {
    log(`  backend   ${settings.backend.url}`);
  } else {
    // Another address than this machine's means a proxy in front, and other people behind it.
    const alone = isLoopback(new URL(settings.siteUrl).hostname);
    log(`  data      ${settings.dataDir}`);
    if (settings.backend.demo) {
      log('  accounts  owner@demo.test, owner2@demo.test, coach@demo.test, coach2@demo.test,');
      log('            admin@demo.test; password demo-Passw0rd!');
    }
    if (!settings.smtpUrl) {
      log(
        alone
          ? `  mailbox   ${settings.siteUrl}/_local/mailbox`
          : '  mail      is kept and not sent: set SMTP_URL',
      );
    }
  }
  log('');
}
