import { useStore } from '@nanostores/react';
import { useEffect, useState } from 'react';
import { answersQuestion } from '#lib/answers-question.ts';
import { pendingClaim } from '#lib/browser/pending-claim.ts';
import { db } from '#lib/db.ts';
import { hrefFor } from '#lib/routing/routes.ts';
import { createAnswersStore } from '#stores/answers.ts';
import { Button } from '#ui/Button.tsx';
import { Dialog } from '#ui/Dialog.tsx';
import { Failure } from '#ui/Failure.tsx';

/** Asks users who just signed in whether earlier quiz answers are theirs. */
export function AnswersPrompt({ businessId }: { businessId: string | null }) {
  const [store] = useState(() =>
    createAnswersStore({
      db,
      businessId: () => businessId,
      open: (id) => location.assign(hrefFor('/dashboard/skills/quiz/[id]', { id })),
    }),
  );
  const now = useStore(store.$answers, { ssr: 'initial' });

  useEffect(() => void store.look(pendingClaim()), [store]);

  const asking = now.state === 'asking' ? now : null;
  return (
    <Dialog
      open={asking !== null}
      onOpenChange={(open) => {
        if (!open) store.later();
      }}
      {...answersQuestion(asking?.from ?? 'browser', asking?.count ?? 0)}
      footer={
        <>
          <Button variant="quiet" onClick={() => void store.refuse()}>
            Not mine, delete them
          </Button>
          <Button onClick={() => void store.use()}>Use them</Button>
        </>
      }
    >
      {asking && <Failure failure={asking.failure} />}
    </Dialog>
  );
}
