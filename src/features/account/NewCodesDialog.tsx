import { useState } from 'react';
import { Button } from '#ui/Button.tsx';
import { DialogWindow } from '#ui/DialogWindow.tsx';

interface NewCodesProps {
  codes: string[];
  siteName: string;
  onClose: () => void;
}

/** New codes, which can't be shown again, to copy, download or write down. */
export function NewCodesDialog({ codes, siteName, onClose }: NewCodesProps) {
  const [copied, setCopied] = useState<'no' | 'yes' | 'failed'>('no');
  const text = codes.join('\n');
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setCopied('yes'),
      () => setCopied('failed'),
    );
  const file = `Recovery codes for ${siteName}. Each works once.\n\n${text}\n`;
  return (
    <DialogWindow
      open
      onOpenChange={onClose}
      title="Recovery codes"
      description="If you lose your phone, one of these signs you in. Keep them somewhere safe, away from the phone. We can’t show them again."
      footer={<Button onClick={onClose}>I’ve saved them</Button>}
    >
      <ol className="grid grid-cols-1 gap-x-6 gap-y-2 rounded-small bg-raised p-4 font-mono text-sm min-[26rem]:grid-cols-2">
        {codes.map((code) => (
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
    </DialogWindow>
  );
}
