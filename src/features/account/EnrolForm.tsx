import { useMemo, useState } from 'react';
import type { Enrolment } from '#data/account.ts';
import { codeEntry } from '#lib/schemas.ts';
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

/** The secret for the app, as a picture and as text, and the first code that it shows. */
export function EnrolForm({ enrolment, store, onDone }: EnrolFormProps) {
  const form = useSchemaForm<{ code: string }>(codeEntry, async ({ code }) => {
    await store.confirmFactor(enrolment.id, code);
    onDone();
  });
  return (
    <Form of={form} submit="Add this app">
      <ol className="flex list-decimal flex-col gap-5 pl-5 text-sm">
        <li className="pl-1">
          <p>Let the app read this picture, or press the link on the phone itself.</p>
          <Picture uri={enrolment.uri} />
          <a className="link" href={enrolment.uri}>
            Open it in an app on this device
          </a>
        </li>
        <li className="pl-1">
          <p>No camera? Type this key into the app.</p>
          <Secret secret={enrolment.secret} />
        </li>
        <li className="pl-1">Type the six digits that the app shows now.</li>
      </ol>
      <CodeField {...form.field('code')} />
    </Form>
  );
}

/** Dark on light in both themes: many cameras read nothing else. */
function Picture({ uri }: { uri: string }) {
  const { size, path } = useMemo(() => qrPath(uri), [uri]);
  return (
    <svg
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label="The key as a QR picture"
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
  // Groups of four, which is how apps show and people type it.
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
        Copy the key
      </Button>
      <span role="status" className="text-xs text-muted">
        {copied === 'yes' && 'Copied.'}
        {copied === 'failed' && 'This browser does not let us copy. Mark the key and copy it.'}
      </span>
    </div>
  );
}
