import { useStore } from '@nanostores/react';
import { useEffect, useState } from 'react';
import { answersQuestion } from '#lib/answers-question.ts';
import { db } from '#lib/db.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { createAnswersStore } from '#stores/answers.ts';
import { Button } from '#ui/Button.tsx';
import { DialogWindow } from '#ui/DialogWindow.tsx';
import { Failure } from '#ui/Failure.tsx';

interface PromptProps {
  /** The claim of a registration's answers, if any. */
  claim: string | null;
  businessId: string | null;
}

/** Asks users who just signed in whether earlier quiz answers are theirs. */
export function AnswersPrompt({ claim, businessId }: PromptProps) {
  const [store] = useState(() =>
    createAnswersStore({
      db,
      businessId: () => businessId,
      open: (id) => location.assign(hrefFor('/dashboard/skills/quiz/[id]', { id })),
    }),
  );
  const now = useStore(store.$answers, { ssr: 'initial' });

  useEffect(() => void store.look(claim), [store, claim]);

  const asking = now.state === 'asking' ? now : null;
  return (
    <DialogWindow
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
          {/* Not the first button: it deletes what someone answered. */}
          <Button autoFocus onClick={() => void store.use()}>
            Use them
          </Button>
        </>
      }
    >
      {asking && <Failure failure={asking.failure} />}
    </DialogWindow>
  );
}
