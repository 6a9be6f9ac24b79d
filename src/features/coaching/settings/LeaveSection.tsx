import { useState } from 'react';
import { Button } from '#ui/Button.tsx';
import { Section } from '#ui/Section.tsx';
import { useOpenedPart } from '#ui/use-part.ts';

interface LeaveProps {
  clients: number;
  /** Called once the notes are stored. */
  onLeft: () => Promise<void>;
}

const loadDialog = () => import('./LeaveDialog.tsx');

/** How a coach stops, with a note about each client for the next coach. */
export function LeaveSection({ clients, onLeft }: LeaveProps) {
  const [isOpen, setOpen] = useState(false);
  const [hasLeft, setLeft] = useState(false);
  const part = useOpenedPart(loadDialog, isOpen, () => setOpen(false));
  return (
    <Section id="leave" title="Leaving" className="card p-5 md:p-6">
      <p className="mt-1 max-w-[60ch] text-sm text-muted">
        {clients === 0
          ? 'You have no clients. To stop for good, uncheck “Takes new clients” and tell an admin.'
          : 'Write a note about each of your clients for the next coach. They stay with you until an admin has found someone, and you get no new ones.'}
      </p>
      <p role="status" className="mt-2 text-sm font-medium empty:hidden">
        {hasLeft && 'The admins have your notes and look for other coaches.'}
      </p>
      {clients > 0 && (
        <Button
          className="mt-4"
          variant="secondary"
          size="small"
          needsScript
          onClick={() => setOpen(true)}
        >
          Hand over my clients
        </Button>
      )}
      {isOpen && part && (
        <part.LeaveDialog
          onClose={() => setOpen(false)}
          onLeft={() => {
            setLeft(true);
            void onLeft();
          }}
        />
      )}
    </Section>
  );
}
