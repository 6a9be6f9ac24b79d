import { useStore } from '@nanostores/react';
import { useState } from 'react';
import type { Account } from '#data/account.ts';
import { db } from '#lib/db.ts';
import { $session, accountChanged } from '#stores/session.ts';
import { screen } from '#ui/ScreenBoundary.tsx';
import { createAccountStore } from './account-store.ts';
import { DeletionSection } from './DeletionSection.tsx';
import { DevicesSection } from './DevicesSection.tsx';
import { ExportSection } from './ExportSection.tsx';
import { FactorSection } from './FactorSection.tsx';
import { SignInSection } from './SignInSection.tsx';

export interface SecurityInitial {
  account: Account;
  timeZone: string;
  /** The name that authenticator apps show for this account. */
  siteName: string;
}

/** Sign-in settings and devices, the export of the user's data, and account deletion. */
function SecurityScreen({ initial }: { initial: SecurityInitial }) {
  const [store] = useState(() => createAccountStore(db, accountChanged, initial.account));
  const account = useStore(store.$account, { ssr: 'initial' });
  const session = useStore($session, { ssr: 'initial' });
  // The profile form on this page can change it, so prefer the session's value.
  const timeZone = session.state === 'signed-in' ? session.facts.timeZone : initial.timeZone;
  const { siteName } = initial;
  return (
    <div className="flex max-w-2xl flex-col gap-10">
      <SignInSection account={account} store={store} timeZone={timeZone} />
      <FactorSection account={account} store={store} timeZone={timeZone} siteName={siteName} />
      <DevicesSection account={account} store={store} timeZone={timeZone} />
      <ExportSection />
      <DeletionSection account={account} store={store} timeZone={timeZone} />
    </div>
  );
}

export default screen(SecurityScreen);
