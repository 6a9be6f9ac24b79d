import { SquarePen } from 'lucide-react';
import { useState } from 'react';
import { Button } from '#ui/Button.tsx';
import { useOpenedPart } from '#ui/use-part.ts';

const loadDialog = () => import('./NewConversation.tsx');

/** Opens a dialog with the people the reader can message. */
export function NewConversationButton() {
  const [open, setOpen] = useState(false);
  const part = useOpenedPart(loadDialog, open, () => setOpen(false));
  return (
    <>
      <Button size="small" needsScript onClick={() => setOpen(true)}>
        <SquarePen className="size-4" aria-hidden="true" />
        New message
      </Button>
      {open && part && <part.NewConversation onClose={() => setOpen(false)} />}
    </>
  );
}
