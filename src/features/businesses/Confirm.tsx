import { type ReactNode, useState } from 'react';
import type { AppError } from '#lib/errors.ts';
import { heardFailure } from '#stores/session.ts';
import { Button } from '#ui/Button.tsx';
import { Dialog } from '#ui/Dialog.tsx';
import { Failure } from '#ui/Failure.tsx';

export interface Question {
  title: string;
  text: ReactNode;
  /** The words of the button that does it. */
  yes: string;
  danger?: boolean;
  /** Throws an AppError. */
  act: () => Promise<void>;
}

/** Asks before something is done that cannot simply be taken back; says when it did not work. */
export function Confirm({ question, onClose }: { question: Question | null; onClose: () => void }) {
  const [pending, setPending] = useState(false);
  const [failure, setFailure] = useState<AppError | null>(null);

  async function act() {
    setPending(true);
    setFailure(null);
    try {
      await question?.act();
      onClose();
    } catch (thrown) {
      setFailure(heardFailure(thrown));
    }
    setPending(false);
  }

  function close() {
    if (pending) return;
    setFailure(null);
    onClose();
  }

  return (
    <Dialog
      open={question !== null}
      onOpenChange={(open) => !open && close()}
      title={question?.title ?? ''}
      description={question?.text}
      footer={
        <>
          <Button variant="secondary" onClick={close}>
            Cancel
          </Button>
          <Button
            variant={question?.danger ? 'danger' : 'primary'}
            pending={pending}
            onClick={() => void act()}
          >
            {question?.yes}
          </Button>
        </>
      }
    >
      <Failure failure={failure} />
    </Dialog>
  );
}
