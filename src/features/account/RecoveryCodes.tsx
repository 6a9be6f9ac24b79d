import { useState } from 'react';
import type { Account } from '#data/account.ts';
import { dayText } from '#lib/locale/dates.ts';
import { reportError } from '#stores/session.ts';
import { Button } from '#ui/Button.tsx';
import { Confirm } from '#ui/Confirm.tsx';
import { Dialog } from '#ui/Dialog.tsx';
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

interface NewCodesProps {
  /** Null: closed. */
  codes: string[] | null;
  siteName: string;
  onClose: () => void;
}

/** New codes, which can't be shown again, to copy, download or write down. */
export function NewCodesDialog({ codes, siteName, onClose }: NewCodesProps) {
  const [copied, setCopied] = useState<'no' | 'yes' | 'failed'>('no');
  const text = codes?.join('\n') ?? '';
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setCopied('yes'),
      () => setCopied('failed'),
    );
  const file = `Recovery codes for ${siteName}. Each works once.\n\n${text}\n`;
  const close = () => {
    setCopied('no');
    onClose();
  };
  return (
    <Dialog
      open={codes !== null}
      onOpenChange={close}
      title="Recovery codes"
      description="If you lose your phone, one of these signs you in. Keep them somewhere safe, away from the phone. We can’t show them again."
      footer={<Button onClick={close}>I’ve saved them</Button>}
    >
      <ol className="grid grid-cols-1 gap-x-6 gap-y-2 rounded-small bg-raised p-4 font-mono text-sm min-[26rem]:grid-cols-2">
        {codes?.map((code) => (
          <li key={code} className="select-all">
            {code}
          </li>
        ))}
      </ol>
      <div className="mt-4 flex flex-wrap items-center gap-3">
        <Button size="small" variant="secondary" onClick={() => void copy()}>
          Copy
        </Button>
        <a
          className="link text-sm"
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(file)}`}
          download="recovery-codes.txt"
        >
          Download
        </a>
        <span role="status" className="text-xs text-muted">
          {copied === 'yes' && 'Copied.'}
          {copied === 'failed' && 'Your browser blocked copying. Select the codes and copy them.'}
        </span>
      </div>
    </Dialog>
  );
}
