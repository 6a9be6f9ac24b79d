import { useState } from 'react';
import { Button } from '#ui/Button.tsx';
import { useOpenedPart } from '#ui/use-part.ts';
import { WRITE } from '../icons.tsx';

const loadDialog = () => import('./NewConversation.tsx');

/** Opens a dialog with the people the reader can message. */
export function NewConversationButton() {
  const [open, setOpen] = useState(false);
  const part = useOpenedPart(loadDialog, open, () => setOpen(false));
  return (
    <>
      <Button size="small" needsScript onClick={() => setOpen(true)}>
        {WRITE}
        New message
      </Button>
      {open && part && <part.NewConversation onClose={() => setOpen(false)} />}
    </>
  );
}
