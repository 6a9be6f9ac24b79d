import { useState } from 'react';
import * as v from 'valibot';
import { inviteToProgram, type SponsoredProgram } from '#data/programs.ts';
import { db } from '#lib/db.ts';
import { textUpTo } from '#lib/schemas/fields.ts';
import { reportError } from '#stores/session.ts';
import { Field } from '#ui/forms/Field.tsx';
import { Form } from '#ui/forms/Form.tsx';
import { TextArea } from '#ui/forms/TextArea.tsx';
import { useSchemaForm } from '#ui/forms/use-schema-form.ts';
import { Notice } from '#ui/Notice.tsx';
import { Section } from '#ui/Section.tsx';

interface InviteProps {
  program: SponsoredProgram;
  onChange: (program: SponsoredProgram) => void;
  isAdmin: boolean;
}

const addressesIn = (text: string) => [
  ...new Set(
    text
      .split(/[\s,;]+/)
      .map((address) => address.toLowerCase())
      .filter((address) => address !== ''),
  ),
];

const schema = v.object({
  addresses: v.pipe(
    v.string(),
    v.check((text) => addressesIn(text).length > 0, 'Enter at least one address.'),
    v.check((text) => addressesIn(text).length <= 50, 'Enter at most 50 addresses.'),
    v.check(
      (text) => addressesIn(text).every((address) => /^[^@]+@[^@]+\.[^@.]+$/.test(address)),
      'An email address looks like name@example.com.',
    ),
  ),
  words: textUpTo(1000),
});

/** Invites owners by email. Whether someone accepts isn't shown: which businesses have a seat is theirs to tell. */
export function Invite({ program, onChange, isAdmin }: InviteProps) {
  const [said, setSaid] = useState<string | null>(null);
  const blank = { addresses: '', words: '' };
  const fields = useSchemaForm(
    schema,
    async ({ addresses, words }) => {
      const wanted = addressesIn(addresses);
      const { sent, program: now } = await inviteToProgram(await db(), program.id, wanted, words);
      onChange(now);
      setSaid(
        sent === wanted.length
          ? `${sent === 1 ? 'One invitation is' : `${sent} invitations are`} on the way.`
          : `Only ${sent} of ${wanted.length} seats were free, so we sent ${sent} ${sent === 1 ? 'invitation' : 'invitations'}, in the order of the addresses.`,
      );
      fields.form.reset(blank);
    },
    { defaults: blank, guarded: true, onError: reportError },
  );
  return (
    <Section id="invite" title="Invite owners" className="card p-5 md:p-6">
      <p className="mt-1 text-sm text-muted">
        We hold a seat for each for 30 days.{' '}
        {isAdmin
          ? 'The sponsor sees how many seats are free, not who accepted.'
          : 'You’ll see how many seats are free, not who accepted.'}
      </p>
      {said && <Notice tone="good" live="polite" title={said} className="mt-3" />}
      <Form
        of={fields}
        submit="Send the invitations"
        variant="secondary"
        size="small"
        className="mt-4 items-start gap-4"
      >
        <div className="grid w-full gap-4 lg:grid-cols-2">
          <Field
            label="Email addresses"
            hint="Up to 50, one on each line."
            as={TextArea}
            rows={4}
            {...fields.field('addresses')}
          />
          <Field
            label="Message"
            hint={`It’s in the email, under ${isAdmin ? `${program.sponsor}’s` : 'your organization’s'} name.`}
            optional
            as={TextArea}
            rows={4}
            {...fields.field('words')}
          />
        </div>
      </Form>
    </Section>
  );
}
