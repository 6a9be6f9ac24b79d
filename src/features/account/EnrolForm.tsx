import { useMemo, useState } from 'react';
import type { Enrolment } from '#data/account.ts';
import { codeEntry } from '#lib/schemas/account.ts';
import { Button } from '#ui/Button.tsx';
import { Form } from '#ui/forms/Form.tsx';
import { useSchemaForm } from '#ui/forms/use-schema-form.ts';
import { CodeField } from './account-parts.tsx';
import type { AccountStore } from './account-store.ts';
import { qrPath } from './qr-path.ts';

interface EnrolFormProps {
  enrolment: Enrolment;
  store: AccountStore;
  onDone: () => void;
}

/** The app's key as a QR code and as text, and a field for the first code. */
export function EnrolForm({ enrolment, store, onDone }: EnrolFormProps) {
  const form = useSchemaForm<{ code: string }>(codeEntry, async ({ code }) => {
    await store.confirmFactor(enrolment.id, code);
    onDone();
  });
  return (
    <Form of={form} submit="Add this app">
      <ol className="flex list-decimal flex-col gap-5 pl-5 text-sm">
        <li className="pl-1">
          <p>Scan this QR code with the app, or tap the link on your phone.</p>
          <Picture uri={enrolment.uri} />
          <a className="link" href={enrolment.uri}>
            Open the app on this device
          </a>
        </li>
        <li className="pl-1">
          <p>Can’t scan it? Type this key into the app.</p>
          <Secret secret={enrolment.secret} />
        </li>
        <li className="pl-1">Enter the six-digit code the app shows.</li>
      </ol>
      <CodeField {...form.field('code')} />
    </Form>
  );
}

/** Dark on light in both themes, because many cameras can't read anything else. */
function Picture({ uri }: { uri: string }) {
  const { size, path } = useMemo(() => qrPath(uri), [uri]);
  return (
    <svg
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label="QR code"
      shapeRendering="crispEdges"
      className="my-3 size-48 rounded-small"
    >
      <rect width={size} height={size} fill="white" />
      <path d={path} fill="black" />
    </svg>
  );
}

function Secret({ secret }: { secret: string }) {
  const [copied, setCopied] = useState<'no' | 'yes' | 'failed'>('no');
  // In groups of four, the way authenticator apps show it and people type it.
  const shown = secret.match(/.{1,4}/g)?.join(' ') ?? secret;
  const copy = () =>
    navigator.clipboard.writeText(secret).then(
      () => setCopied('yes'),
      () => setCopied('failed'),
    );
  return (
    <div className="mt-2 flex flex-wrap items-center gap-3">
      <code className="rounded-small bg-raised px-2 py-1 font-mono text-sm select-all [overflow-wrap:anywhere]">
        {shown}
      </code>
      <Button size="small" variant="secondary" onClick={() => void copy()}>
        Copy key
      </Button>
      <span role="status" className="text-xs text-muted">
        {copied === 'yes' && 'Copied.'}
        {copied === 'failed' && 'Your browser blocked copying. Select the key and copy it.'}
      </span>
    </div>
  );
}
