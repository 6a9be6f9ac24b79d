import { useState } from 'react';
import { chooseBusiness } from '#lib/business-choice.ts';
import { db } from '#lib/db.ts';
import { hrefFor } from '#lib/routes.ts';
import type { Db } from '#lib/supabase.ts';
import { notifyTabs, reportError } from '#stores/session.ts';
import { Button } from '#ui/Button.tsx';
import { useAction } from '#ui/use-action.ts';
import { useReady } from '#ui/use-ready.ts';

interface InvitationDeps {
  /** Throw an AppError. */
  accept: (client: Db) => Promise<{ business_id: string }>;
  decline: (client: Db) => Promise<void>;
  onDeclined: () => void;
}

/** Answers an invitation; a person who joins goes to the business. */
export function useInvitation({ accept, decline, onDeclined }: InvitationDeps) {
  const { pending, failure, run } = useAction(reportError);
  const [choice, setChoice] = useState<'join' | 'decline'>('join');

  function join() {
    setChoice('join');
    return run(async () => {
      const { business_id: id } = await accept(await db());
      chooseBusiness(id);
      notifyTabs('changed');
      location.assign(hrefFor('/dashboard/businesses/[id]', { id }));
      // The buttons stay as they are until the next page is there.
      await new Promise(() => {});
    });
  }

  function refuse() {
    setChoice('decline');
    return run(async () => {
      await decline(await db());
      onDeclined();
    });
  }

  return { failure, join, refuse, pending: pending ? choice : null };
}

interface ButtonsProps {
  answer: ReturnType<typeof useInvitation>;
  /** The business that is named to screen readers, where there are several. */
  business?: string;
}

export function InvitationButtons({ answer: { pending, join, refuse }, business }: ButtonsProps) {
  const ready = useReady();
  return (
    <>
      <Button
        pending={pending === 'join'}
        disabled={!ready || pending === 'decline'}
        onClick={() => void join()}
      >
        Join{business && <span className="sr-only"> {business}</span>}
      </Button>
      <Button
        variant="quiet"
        pending={pending === 'decline'}
        disabled={!ready || pending === 'join'}
        onClick={() => void refuse()}
      >
        No, thank you{business && <span className="sr-only"> to {business}</span>}
      </Button>
    </>
  );
}
