import { SquarePen } from 'lucide-react';
import { useState } from 'react';
import { Button } from '#ui/Button.tsx';
import { useReady } from '#ui/use-ready.ts';
import { NewConversation } from './NewConversation.tsx';

/** Begins a conversation: asks with whom. */
export function NewButton() {
  const ready = useReady();
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button size="small" disabled={!ready} onClick={() => setOpen(true)}>
        <SquarePen className="size-4" aria-hidden="true" />
        New message
      </Button>
      {open && <NewConversation onClose={() => setOpen(false)} />}
    </>
  );
}
