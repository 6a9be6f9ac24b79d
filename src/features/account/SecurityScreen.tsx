import { useStore } from '@nanostores/react';
import { useState } from 'react';
import type { Account } from '#data/account.ts';
import { db } from '#lib/db.ts';
import { accountChanged } from '#stores/session.ts';
import { screen } from '#ui/ScreenBoundary.tsx';
import { createAccountStore } from './account-store.ts';
import { DevicesSection } from './DevicesSection.tsx';
import { FactorSection } from './FactorSection.tsx';
import { SignInSection } from './SignInSection.tsx';

export interface SecurityInitial {
  account: Account;
  timeZone: string;
  /** The name that authenticator apps show for this account. */
  siteName: string;
}

/** How and where the user signs in. */
function SecurityScreen({ initial }: { initial: SecurityInitial }) {
  const [store] = useState(() => createAccountStore(db, accountChanged, initial.account));
  const account = useStore(store.$account, { ssr: 'initial' });
  const { timeZone, siteName } = initial;
  return (
    <div className="flex max-w-2xl flex-col gap-10">
      <SignInSection account={account} store={store} timeZone={timeZone} />
      <FactorSection account={account} store={store} timeZone={timeZone} siteName={siteName} />
      <DevicesSection account={account} store={store} timeZone={timeZone} />
    </div>
  );
}

export default screen(SecurityScreen);
