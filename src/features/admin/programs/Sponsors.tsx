import { useState } from 'react';
import * as v from 'valibot';
import { type AnyProgram, setSponsor } from '#data/admin-programs.ts';
import { db } from '#lib/db.ts';
import { textUpTo } from '#lib/schemas/fields.ts';
import { reportError } from '#stores/session.ts';
import { Button } from '#ui/Button.tsx';
import { Confirm, type Question } from '#ui/Confirm.tsx';
import { Field } from '#ui/forms/Field.tsx';
import { Form } from '#ui/forms/Form.tsx';
import { useSchemaForm } from '#ui/forms/use-schema-form.ts';
import { Section } from '#ui/Section.tsx';

interface SponsorsProps {
  program: AnyProgram;
  onChange: (program: AnyProgram) => void;
}

const schema = v.object({
  address: v.pipe(textUpTo(254), v.minLength(3, 'An email address looks like name@example.com.')),
});

/** Who sees a program's totals and hands out its seats. */
export function Sponsors({ program, onChange }: SponsorsProps) {
  const [question, setQuestion] = useState<Question | null>(null);
  const fields = useSchemaForm(
    schema,
    async ({ address }) => {
      onChange(await setSponsor(await db(), program.id, address, true));
      fields.form.reset({ address: '' });
    },
    { defaults: { address: '' }, onError: reportError },
  );
  const remove = (address: string) =>
    setQuestion({
      title: `Remove ${address}?`,
      text: 'They no longer see the program and can’t hand out seats. Codes they made keep working.',
      yes: 'Remove',
      danger: true,
      act: async () => onChange(await setSponsor(await db(), program.id, address, false)),
    });
  return (
    <Section id="sponsors" title="Sponsors" className="card p-5 md:p-6">
      <p className="mt-1 text-sm text-muted">
        They see {program.has_report ? 'totals of the program' : 'how many seats are free'} and hand
        out seats. We tell new ones by email.
      </p>
      <ul className="mt-3 flex flex-col divide-y divide-line empty:hidden">
        {program.sponsors.map((address) => (
          <li
            key={address}
            className="flex flex-wrap items-center justify-between gap-3 py-2.5 text-sm"
          >
            <span className="min-w-0 wrap-anywhere">{address}</span>
            <Button size="small" variant="secondary" needsScript onClick={() => remove(address)}>
              Remove<span className="sr-only"> {address}</span>
            </Button>
          </li>
        ))}
      </ul>
      <Form
        of={fields}
        submit="Add a sponsor"
        variant="secondary"
        size="small"
        className="mt-4 items-start gap-4"
      >
        <Field
          label="Email"
          type="email"
          className="w-full max-w-sm"
          {...fields.field('address')}
        />
      </Form>
      <Confirm question={question} onClose={() => setQuestion(null)} onError={reportError} />
    </Section>
  );
}
