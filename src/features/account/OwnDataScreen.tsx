import { useStore } from '@nanostores/react';
import { useState } from 'react';
import type { Account } from '#data/account.ts';
import { db } from '#lib/db.ts';
import { accountChanged } from '#stores/session.ts';
import { screen } from '#ui/ScreenBoundary.tsx';
import { createAccountStore } from './account-store.ts';
import { DeletionSection } from './DeletionSection.tsx';
import { ExportSection } from './ExportSection.tsx';

/** What the user can do with the data we store about them: download all of it, or delete it. */
function OwnDataScreen({ initial }: { initial: { account: Account; timeZone: string } }) {
  const [store] = useState(() => createAccountStore(db, accountChanged, initial.account));
  const account = useStore(store.$account, { ssr: 'initial' });
  return (
    <div className="flex max-w-2xl flex-col gap-10">
      <ExportSection />
      <DeletionSection account={account} store={store} timeZone={initial.timeZone} />
    </div>
  );
}

export default screen(OwnDataScreen);
