import { type BaseSyntheticEvent, useId } from 'react';
import { Button } from '../Button.tsx';
import { type DialogProps, DialogWindow } from '../DialogWindow.tsx';

interface FormDialogProps extends Omit<DialogProps, 'open' | 'onOpenChange' | 'footer'> {
  /** The result of `useSchemaForm`. */
  fields: { submit: (event?: BaseSyntheticEvent) => Promise<void>; pending: boolean };
  /** The buttons' labels. */
  action: string;
  cancel?: string;
  danger?: boolean;
  onClose: () => void;
}

/**
 * A dialog with a form, open until the user saves or closes it. It brings the dialog's code, so
 * load a component that uses it with `useOpenedPart`.
 */
export function FormDialog(props: FormDialogProps) {
  const { fields, action, cancel = 'Cancel', danger = false, onClose, children, ...dialog } = props;
  const id = useId();
  return (
    <DialogWindow
      {...dialog}
      open
      onOpenChange={onClose}
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            {cancel}
          </Button>
          <Button
            type="submit"
            form={id}
            variant={danger ? 'danger' : 'primary'}
            pending={fields.pending}
          >
            {action}
          </Button>
        </>
      }
    >
      <form
        id={id}
        method="post"
        noValidate
        onSubmit={fields.submit}
        className="flex flex-col gap-4"
      >
        {children}
      </form>
    </DialogWindow>
  );
}
