import { useStore } from '@nanostores/react';
import { useEffect, useState } from 'react';
import { db } from '#lib/door.ts';
import { hrefFor } from '#lib/routes.ts';
import { createAnswersStore } from '#stores/answers.ts';
import { Button } from '#ui/Button.tsx';
import { Dialog } from '#ui/Dialog.tsx';
import { Failure } from '#ui/Failure.tsx';

/** Asks whether the answers of this browser belong to the person who has signed in. */
export function AnswersPrompt({ businessId }: { businessId: string | null }) {
  const [store] = useState(() =>
    createAnswersStore({
      db,
      businessId: () => businessId,
      open: (id) => location.assign(hrefFor('/dashboard/skills/quiz/[id]', { id })),
    }),
  );
  const now = useStore(store.$answers, { ssr: 'initial' });

  useEffect(() => {
    const address = new URL(location.href);
    const claim = address.searchParams.get('claim');
    if (!claim) return store.look();
    address.searchParams.delete('claim');
    history.replaceState(history.state, '', address);
    void store.take(claim);
  }, [store]);

  const count = now.state === 'asking' ? now.answers.answers.length : 0;
  return (
    <Dialog
      open={now.state === 'asking'}
      onOpenChange={(open) => {
        if (!open) store.later();
      }}
      title="Use the answers from this browser?"
      description={`Before signing in, ${count === 1 ? 'one question was' : `${count} questions were`} answered here. They can be the start of your skills quiz.`}
      footer={
        <>
          <Button variant="quiet" onClick={store.refuse}>
            They are not mine: delete them
          </Button>
          <Button onClick={() => void store.use()}>Use them</Button>
        </>
      }
    >
      {now.state === 'asking' && <Failure failure={now.failure} />}
    </Dialog>
  );
}
