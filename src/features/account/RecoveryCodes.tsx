import { useState } from 'react';
import type { Account } from '#data/account.ts';
import { dayText } from '#lib/locale/dates.ts';
import { reportError } from '#stores/session.ts';
import { Button } from '#ui/Button.tsx';
import { Confirm } from '#ui/Confirm.tsx';
import { Failure } from '#ui/Failure.tsx';
import { useAction } from '#ui/use-action.ts';

interface RecoveryCodesProps {
  stored: Account['recovery_codes'];
  /** Makes codes and opens the dialog that shows them. Throws an AppError. */
  onMake: () => Promise<void>;
  timeZone: string;
}

/** How many codes are left, and new ones. */
export function RecoveryCodes({ stored, onMake, timeZone }: RecoveryCodesProps) {
  const { pending, failure, run } = useAction(reportError);
  const [asking, setAsking] = useState(false);
  return (
    <div className="mt-6 max-w-[60ch] text-sm">
      <h3 className="text-sm font-semibold text-ink">Recovery codes</h3>
      <p className="text-muted">
        {stored
          ? `${stored.left} of the ten codes from ${dayText(stored.made_at, timeZone)} ${stored.left === 1 ? 'is' : 'are'} left.`
          : 'You have none. With a recovery code you can sign in if you lose your phone.'}
      </p>
      <div className="mt-3 flex flex-col items-start gap-4">
        <Button
          size="small"
          variant={stored ? 'secondary' : 'primary'}
          pending={pending}
          onClick={() => (stored ? setAsking(true) : void run(onMake))}
        >
          {stored ? 'Make new codes' : 'Make recovery codes'}
        </Button>
        <Failure failure={failure} />
      </div>
      <Confirm
        question={
          asking
            ? {
                title: 'Make new recovery codes?',
                text: 'The codes you have now stop working.',
                yes: 'Make new codes',
                act: onMake,
              }
            : null
        }
        onClose={() => setAsking(false)}
        onError={reportError}
      />
    </div>
  );
}
