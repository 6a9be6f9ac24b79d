import type { ReactNode } from 'react';
import type { AppError } from '#lib/errors.ts';
import { Button } from './Button.tsx';
import { Dialog } from './Dialog.tsx';
import type { DialogProps } from './DialogWindow.tsx';
import { Failure } from './Failure.tsx';
import { useAction } from './use-action.ts';

export interface Question {
  title: string;
  text: ReactNode;
  /** The confirm button's label. */
  yes: string;
  /** The cancel button's label. */
  no?: string;
  danger?: boolean;
  /** Throws an AppError. */
  act: () => Promise<void>;
}

interface ConfirmProps extends Pick<DialogProps, 'onCloseAutoFocus'> {
  /** Null while the dialog is closed. */
  question: Question | null;
  onClose: () => void;
  /** Converts what `act` threw to an AppError. */
  onError: (thrown: unknown) => AppError;
}

/** Asks for confirmation before an action that's hard to undo, and shows its error if it fails. */
export function Confirm({ question, onClose, onError, ...dialog }: ConfirmProps) {
  const { pending, failure, run, clearFailure } = useAction(onError);

  const act = () =>
    run(async () => {
      await question?.act();
      onClose();
    });

  function close() {
    if (pending) return;
    clearFailure();
    onClose();
  }

  return (
    <Dialog
      {...dialog}
      open={question !== null}
      onOpenChange={(open) => !open && close()}
      title={question?.title ?? ''}
      description={question?.text}
      footer={
        <>
          <Button variant="secondary" onClick={close}>
            {question?.no ?? 'Cancel'}
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
