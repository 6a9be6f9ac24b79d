import { saveProfile } from '#data/profiles.ts';
import type { SessionFacts } from '#data/session.ts';
import { db } from '#lib/door.ts';
import { type Profile, profile } from '#lib/schemas.ts';
import { accountChanged } from '#stores/session.ts';
import { addToast } from '#stores/toasts.ts';
import { Button } from '#ui/Button.tsx';
import { Field } from '#ui/Field.tsx';
import { Notice } from '#ui/Notice.tsx';
import { Select } from '#ui/Select.tsx';
import { useSchemaForm } from '#ui/use-schema-form.ts';

export interface ProfileInitial {
  session: SessionFacts;
  /** IANA names that the server knows. */
  timeZones: string[];
}

/** What a person shows of themselves, and the zone in which they read dates. */
export default function ProfileScreen({ initial }: { initial: ProfileInitial }) {
  const { session, timeZones } = initial;
  const { form, submit, errorOf, failure, pending, ready } = useSchemaForm<Profile>(
    profile,
    async (input) => {
      await saveProfile(await db(), session.userId, input);
      form.reset(input);
      await accountChanged();
      addToast({ tone: 'good', title: 'Saved.' });
    },
    { defaults: { fullName: session.fullName, timeZone: session.timeZone }, guarded: true },
  );
  const options = timeZones.map((name) => ({ value: name, label: name.replaceAll('_', ' ') }));
  return (
    <form method="post" noValidate onSubmit={submit} className="flex max-w-xl flex-col gap-5">
      <Field
        label="Your name"
        autoComplete="name"
        error={errorOf('fullName')}
        {...form.register('fullName')}
      />
      <Field
        label="Time zone"
        as={Select}
        options={options}
        hint="Dates and times are shown in this zone."
        error={errorOf('timeZone')}
        {...form.register('timeZone')}
      />
      <p className="text-sm text-muted">
        You sign in with {session.email}.{' '}
        <a className="link" href="/update-password">
          Choose a new password
        </a>
      </p>
      {failure && (
        <Notice tone="danger" live="assertive">
          {failure.message}
        </Notice>
      )}
      <Button type="submit" className="self-start" pending={pending} disabled={!ready}>
        Save
      </Button>
    </form>
  );
}
