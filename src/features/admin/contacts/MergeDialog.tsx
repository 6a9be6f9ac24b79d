import { useEffect, useState } from 'react';
import * as v from 'valibot';
import {
  type ContactMerge,
  type ContactPage,
  getContactMerge,
  mergeContacts,
} from '#data/contacts.ts';
import { CONSENT_LABELS } from '#domain/contact.ts';
import { db } from '#lib/db.ts';
import type { AppError } from '#lib/errors.ts';
import { textUpTo } from '#lib/schemas/fields.ts';
import { reportError } from '#stores/session.ts';
import { Failure } from '#ui/Failure.tsx';
import { Field } from '#ui/forms/Field.tsx';
import { FormDialog } from '#ui/forms/FormDialog.tsx';
import { RadioList } from '#ui/forms/RadioList.tsx';
import { TextArea } from '#ui/forms/TextArea.tsx';
import { useSchemaForm } from '#ui/forms/use-schema-form.ts';
import { Notice } from '#ui/Notice.tsx';

export type Twin = ContactPage['twins'][number];

interface MergeProps {
  contact: ContactPage;
  twin: Twin;
  /** Called with the id of the contact that stays. */
  onMerged: (id: string) => void;
  onClose: () => void;
}

const schema = v.object({
  keep: v.string(),
  reason: v.pipe(
    textUpTo(2000, 'Keep it to 2,000 characters.'),
    v.minLength(3, 'Say why, for the audit log.'),
  ),
});

/** Shows what merging two contacts leaves, asks why, and merges them. */
export function MergeDialog({ contact, twin, onMerged, onClose }: MergeProps) {
  const otherOf = (keep: string) => (keep === contact.id ? twin.id : contact.id);
  const fields = useSchemaForm<{ keep: string; reason: string }>(
    schema,
    async ({ keep, reason }) => {
      await mergeContacts(await db(), keep, otherOf(keep), reason);
      onMerged(keep);
    },
    {
      guarded: true,
      defaults: { keep: twin.registered ? twin.id : contact.id, reason: '' },
      onError: reportError,
    },
  );
  const keep = fields.form.watch('keep');
  const { merge, failure } = useMerge(keep, otherOf(keep));
  return (
    <FormDialog
      title="Merge these two contacts?"
      description="Messages and details come together in one contact. This can’t be undone."
      action="Merge"
      danger
      fields={fields}
      onClose={onClose}
    >
      <RadioList
        legend="Which address stays?"
        options={[
          [contact.id, `${contact.email}${contact.user_id ? ' (has an account)' : ''}`],
          [twin.id, `${twin.email}${twin.registered ? ' (has an account)' : ''}`],
        ]}
        error={fields.errorOf('keep')}
        {...fields.form.register('keep')}
      />
      <Failure failure={failure} title="We couldn’t compare them" />
      {merge && <Preview merge={merge} />}
      <Field
        label="Reason"
        hint="Other admins see it in the audit log."
        as={TextArea}
        rows={2}
        {...fields.field('reason')}
      />
      <Failure failure={fields.failure} />
    </FormDialog>
  );
}

function useMerge(keep: string, drop: string) {
  const [merge, setMerge] = useState<ContactMerge | null>(null);
  const [failure, setFailure] = useState<AppError | null>(null);
  useEffect(() => {
    let isOver = false;
    setFailure(null);
    db()
      .then((client) => getContactMerge(client, keep, drop))
      .then(
        (answer) => !isOver && setMerge(answer),
        (thrown) => !isOver && setFailure(reportError(thrown)),
      );
    return () => {
      isOver = true;
    };
  }, [keep, drop]);
  return { merge, failure };
}

/** What happens to the newsletter, in words. */
function newsletterText({
  consent,
  was_subscribed,
  other_consent,
  other_email,
  email,
}: ContactMerge) {
  if (consent === 'left') {
    return was_subscribed
      ? `${other_email} unsubscribed, so ${email} won’t get the newsletter anymore.`
      : 'Unsubscribed, and it stays that way.';
  }
  if (other_consent === 'subscribed') {
    const loses = `${other_email} agreed to the newsletter for that address only, and won’t get it anymore.`;
    return consent === 'subscribed' ? `${email} keeps getting it. ${loses}` : loses;
  }
  return CONSENT_LABELS[consent];
}

function Preview({ merge }: { merge: ContactMerge }) {
  const { refusal, name, business, phone, email, other_email, messages } = merge;
  if (refusal) {
    return (
      <Notice tone="danger" live="polite">
        {refusal}
      </Notice>
    );
  }
  const facts = [
    ['Name', name],
    ['Business', business],
    ['Phone', phone],
    ['Email', email],
    ['Also known as', other_email],
    ['Messages', String(messages)],
    ['Newsletter', newsletterText(merge)],
  ] as const;
  return (
    <section aria-label="What stays" aria-live="polite">
      <dl className="grid gap-x-4 gap-y-2 rounded-control bg-raised p-4 text-sm sm:grid-cols-[auto_1fr]">
        {facts.map(
          ([label, value]) =>
            value && (
              <div key={label} className="contents">
                <dt className="text-muted">{label}</dt>
                <dd className="wrap-anywhere">{value}</dd>
              </div>
            ),
        )}
      </dl>
    </section>
  );
}
