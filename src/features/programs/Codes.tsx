import { useState } from 'react';
import * as v from 'valibot';
import { createSeatCode, revokeSeatCode, type SponsoredProgram } from '#data/programs.ts';
import { CODE_LABELS } from '#domain/program.ts';
import { db } from '#lib/db.ts';
import { dayText } from '#lib/locale/dates.ts';
import { idsByWords } from '#lib/new-id.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { reportError } from '#stores/session.ts';
import { Button } from '#ui/Button.tsx';
import { Confirm, type Question } from '#ui/Confirm.tsx';
import { Field } from '#ui/forms/Field.tsx';
import { Form } from '#ui/forms/Form.tsx';
import { useSchemaForm } from '#ui/forms/use-schema-form.ts';
import { Section } from '#ui/Section.tsx';

interface CodesProps {
  program: SponsoredProgram;
  onChange: (program: SponsoredProgram) => void;
  timeZone: string;
  today: string;
}

const schema = v.object({
  most: v.pipe(
    v.string(),
    v.check((text) => Number(text) >= 1 && Number(text) <= 1000, 'Enter a number from 1 to 1,000.'),
  ),
  expiresOn: v.string(),
});

/** Codes to hand out: how often each can be used, until when, and ending one. */
export function Codes({ program, onChange, timeZone, today }: CodesProps) {
  const [question, setQuestion] = useState<Question | null>(null);
  const [idOf] = useState(idsByWords);
  // Codes for more businesses than there are seats are fine, but rarely meant.
  const blankFor = ({ seats }: SponsoredProgram) => ({
    most: String(Math.min(Math.max(seats.free, 1), 1000)),
    expiresOn: '',
  });
  const fields = useSchemaForm(
    schema,
    async ({ most, expiresOn }) => {
      const id = idOf([most, expiresOn, program.codes.length]);
      onChange(await createSeatCode(await db(), id, program.id, { most: Number(most), expiresOn }));
      fields.form.reset(blankFor(program));
    },
    { defaults: blankFor(program), onError: reportError },
  );
  const end = (id: string, code: string) =>
    setQuestion({
      title: `End ${code}?`,
      text: 'Nobody can use it anymore. Seats that were taken with it stay.',
      yes: 'End the code',
      danger: true,
      act: async () => onChange(await revokeSeatCode(await db(), id)),
    });
  return (
    <Section id="codes" title="Codes" className="card p-5 md:p-6">
      <p className="mt-1 text-sm text-muted">
        Print one on a flyer or read it out. Owners enter it at{' '}
        <a className="link" href={hrefFor('/purchase')}>
          {hrefFor('/purchase')}
        </a>{' '}
        on this site, with or without an account.
      </p>
      <ul className="mt-3 flex flex-col divide-y divide-line empty:hidden">
        {program.codes.map(({ id, code, most, used, expires_at, state }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-3 py-2.5 text-sm">
            <span>
              <a className="link font-semibold" href={`${hrefFor('/purchase')}?code=${code}`}>
                {code}
              </a>
              <span className="block text-xs text-muted">
                {CODE_LABELS[state]}, {used} of {most} used
                {expires_at && `, through ${dayText(expires_at, timeZone)}`}
              </span>
            </span>
            {state === 'open' && (
              <Button size="small" variant="secondary" needsScript onClick={() => end(id, code)}>
                End<span className="sr-only"> {code}</span>
              </Button>
            )}
          </li>
        ))}
      </ul>
      <Form
        of={fields}
        submit="Create a code"
        variant="secondary"
        size="small"
        className="mt-4 items-start gap-4"
      >
        <div className="grid w-full gap-4 sm:grid-cols-2 lg:grid-cols-4">
          <Field label="For how many businesses" inputMode="numeric" {...fields.field('most')} />
          <Field
            label="Last day"
            optional
            type="date"
            min={today}
            max={program.ends_on}
            {...fields.field('expiresOn')}
          />
        </div>
      </Form>
      <Confirm question={question} onClose={() => setQuestion(null)} onError={reportError} />
    </Section>
  );
}
