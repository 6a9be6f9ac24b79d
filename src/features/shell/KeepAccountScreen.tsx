import { useState } from 'react';
import { keepAccount } from '#data/account.ts';
import type { SessionFacts } from '#data/session.ts';
import { db } from '#lib/db.ts';
import { dayText } from '#lib/locale/dates.ts';
import { accountChanged, reportError } from '#stores/session.ts';
import { addToast } from '#stores/toasts.ts';
import { Button } from '#ui/Button.tsx';
import { FailureLine } from '#ui/Failure.tsx';
import { Notice } from '#ui/Notice.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';
import { useAction } from '#ui/use-action.ts';
import { useFacts } from './use-facts.ts';

interface KeepAccountProps {
  initial: Pick<SessionFacts, 'deletionDueAt' | 'timeZone'>;
}

/** A notice on every signed-in page while the account is scheduled for deletion. */
function KeepAccountScreen({ initial }: KeepAccountProps) {
  const [kept, setKept] = useState(false);
  const { pending, failure, run } = useAction(reportError);
  const { deletionDueAt, timeZone } = useFacts(initial);
  if (kept || deletionDueAt === null) return null;

  const keep = () =>
    run(async () => {
      await keepAccount(await db());
      setKept(true);
      addToast({ tone: 'good', title: 'Your account won’t be deleted.' });
      await accountChanged();
    });

  return (
    <Notice
      tone="caution"
      className="no-print mb-7"
      title={`Your account will be deleted on ${dayText(deletionDueAt, timeZone)}`}
      action={
        <Button size="small" pending={pending} onClick={() => void keep()}>
          Keep my account
        </Button>
      }
    >
      You asked us to delete it. Until then everything works as usual.
      <FailureLine failure={failure} />
    </Notice>
  );
}

export default screen(KeepAccountScreen);
