import { saveCoachSettings } from '#data/coach-settings.ts';
import { db } from '#lib/db.ts';
import { addDays } from '#lib/locale/dates.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { addToast } from '#stores/toasts.ts';
import { Checkbox } from '#ui/forms/Checkbox.tsx';
import { Field } from '#ui/forms/Field.tsx';
import { Form } from '#ui/forms/Form.tsx';
import { TextArea } from '#ui/forms/TextArea.tsx';
import { useSchemaForm } from '#ui/forms/use-schema-form.ts';
import { Section } from '#ui/Section.tsx';
import type { SettingsProps } from '../CoachSettingsScreen.tsx';
import { inputOf, type SettingsInput, settingsOf, settingsSchema } from './settings-schema.ts';

interface ProfileProps extends SettingsProps {
  /** Stores a change. Throws an AppError. */
  onStore: (change: () => Promise<void>) => Promise<void>;
}

/** The profile that owners see, and how many clients the coach takes. */
export function ProfileForm({ settings, languages, timeZone, today, onStore }: ProfileProps) {
  const fields = useSchemaForm<SettingsInput>(
    settingsSchema,
    async (input) => {
      await onStore(async () => saveCoachSettings(await db(), settingsOf(input)));
      fields.beginFrom(input);
      addToast({ tone: 'good', title: 'Saved.' });
    },
    { defaults: inputOf(settings), guarded: true },
  );
  const { field, form } = fields;
  const { areas, industries } = settings.choices;
  return (
    <Form of={fields} submit="Save" className="items-start gap-6">
      <Section id="profile" title="What owners see" className="card w-full p-5 md:p-6">
        <div className="mt-4 flex flex-col gap-5">
          <Field
            label="About you"
            hint="What you’ve run or helped run, and how you work. Two or three sentences are enough."
            as={TextArea}
            rows={5}
            {...field('about')}
          />
          <fieldset>
            <legend className="text-sm font-semibold">Good at</legend>
            <div className="mt-2 grid gap-3 sm:grid-cols-2 pointer-coarse:gap-5">
              {areas.map(({ key, name }) => (
                <Checkbox
                  key={key}
                  label={name}
                  value={key}
                  defaultChecked={settings.areas.includes(key)}
                  {...form.register('areas')}
                />
              ))}
            </div>
          </fieldset>
          <Field
            label="Industries you know"
            optional
            hint={
              industries.length > 0
                ? `Separated by commas. Owners here write ${industries.slice(0, 5).join(', ')}.`
                : 'Separated by commas.'
            }
            {...field('industries')}
          />
          <p className="text-sm text-muted">
            Owners also see your name and photo, your languages (
            {languages.length > 0 ? languages.join(', ') : 'none yet'}) and your time zone (
            {timeZone ?? 'none yet'}). You change those on{' '}
            <a className="link" href={hrefFor('/dashboard/profile')}>
              your profile
            </a>
            .
          </p>
        </div>
      </Section>
      <Section id="capacity" title="How many you take" className="card w-full p-5 md:p-6">
        <div className="mt-4 flex flex-col gap-5">
          <Field
            className="max-w-sm"
            label="Most clients at the same time"
            optional
            hint="Leave it empty for no limit."
            inputMode="numeric"
            {...field('capacity')}
          />
          <Checkbox
            label="Takes new clients"
            hint="While it’s unchecked, owners can’t choose you. Your clients stay."
            defaultChecked={settings.accepting}
            {...form.register('accepting')}
          />
          <Field
            className="max-w-sm"
            label="No new clients until"
            optional
            type="date"
            min={addDays(today, 1)}
            hint="They can choose you again from that day on."
            {...field('pausedUntil')}
          />
        </div>
      </Section>
    </Form>
  );
}
