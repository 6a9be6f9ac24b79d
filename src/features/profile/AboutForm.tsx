import { XIcon } from 'lucide-react';
import type { OwnProfile } from '#data/profiles.ts';
import { saveProfile } from '#data/profiles.ts';
import { LANGUAGES, languageFrom } from '#domain/language.ts';
import type { Role } from '#domain/person.ts';
import { db } from '#lib/db.ts';
import { AppError } from '#lib/errors.ts';
import { type TimeZoneOption, timeZoneMeant } from '#lib/locale/time-zones.ts';
import { type Profile, profile as schema } from '#lib/schemas/account.ts';
import { accountChanged, reportError } from '#stores/session.ts';
import { addToast } from '#stores/toasts.ts';
import { Button } from '#ui/Button.tsx';
import { Failure } from '#ui/Failure.tsx';
import { Field } from '#ui/forms/Field.tsx';
import { LongSelect } from '#ui/forms/LongSelect.tsx';
import { Select } from '#ui/forms/Select.tsx';
import { useSchemaForm } from '#ui/forms/use-schema-form.ts';
import { IconButton } from '#ui/IconButton.tsx';
import { TimeZoneField } from './TimeZoneField.tsx';
import { whoSees } from './who-sees.ts';

interface AboutProps {
  userId: string;
  role: Role;
  email: string;
  profile: OwnProfile;
  /** The profile's time zone; null while it's unknown. */
  timeZone: TimeZoneOption | null;
  timeZones: TimeZoneOption[];
  /** Languages to choose from. */
  languages: Option[];
}

type Option = { value: string; label: string };

const QUIZ_LANGUAGES = Object.entries(LANGUAGES).map(([value, { name }]) => ({
  value,
  label: name,
}));

/** The profile form's state. Saving sends only the fields the user changed. */
function useProfileForm({ userId, profile, timeZone, timeZones }: AboutProps) {
  const profileForm = useSchemaForm<Profile>(schema, save, {
    defaults: {
      fullName: profile.full_name,
      preferredName: profile.preferred_name ?? '',
      phone: profile.phone ?? '',
      timeZone: timeZone?.label ?? '',
      locale: languageFrom(profile.locale),
      languages: profile.languages,
    },
    guarded: true,
    onError: reportError,
  });
  const { form, beginFrom } = profileForm;

  async function save(input: Profile) {
    const typed = input.timeZone.trim();
    const zone = timeZones.find(({ value }) => value === timeZoneMeant(timeZones, typed));
    if (typed && !zone) {
      const words = 'Choose a time zone from the list, such as Denver.';
      throw new AppError('invalid', words, { field: 'timeZone' });
    }
    // Only the changed fields, because another tab may have changed the others.
    const changed = changedFrom(form.formState.defaultValues, input);
    if (changed.timeZone !== undefined) changed.timeZone = zone?.value ?? '';
    if (Object.keys(changed).length > 0) await saveProfile(await db(), userId, changed);
    beginFrom({ ...input, timeZone: zone?.label ?? '' });
    await accountChanged();
    addToast({ tone: 'good', title: 'Saved.' });
  }
  return profileForm;
}

/** The user's names, phone number, time zone and languages. */
export function AboutForm(props: AboutProps) {
  const { email, role, timeZones } = props;
  const { form, field, submit, errorOf, failure, pending } = useProfileForm(props);
  return (
    <form method="post" noValidate onSubmit={submit} className="mt-4 flex flex-col gap-5">
      <div className="grid gap-5 sm:grid-cols-2">
        <Field label="Your name" autoComplete="name" {...field('fullName')} />
        <Field
          label="Preferred name"
          optional
          autoComplete="given-name"
          {...field('preferredName')}
        />
        <Field
          label="Phone"
          optional
          type="tel"
          autoComplete="tel"
          hint={whoSees(role, 'phone')}
          {...field('phone')}
        />
        <TimeZoneField
          zones={timeZones}
          shown={form.watch('timeZone')}
          onChoose={(label) => form.setValue('timeZone', label, { shouldDirty: true })}
          {...field('timeZone')}
        />
        <Field
          label="Quiz results in"
          as={Select}
          options={QUIZ_LANGUAGES}
          hint="The other pages are in English."
          {...field('locale')}
        />
      </div>
      <Languages
        hint={`Languages ${role === 'owner' ? 'you’d like to be coached in' : 'you speak'}, best first.`}
        all={props.languages}
        chosen={form.watch('languages')}
        error={errorOf('languages')}
        onChange={(next) => form.setValue('languages', next, { shouldDirty: true })}
      />
      <p className="text-sm text-muted">Sign-in email: {email}</p>
      <Failure failure={failure} />
      <Button type="submit" className="self-start" pending={pending} needsScript>
        Save
      </Button>
    </form>
  );
}

function changedFrom(before: object = {}, now: Profile): Partial<Profile> {
  const known = new Map(Object.entries(before));
  const isNew = ([field, value]: [string, unknown]) =>
    JSON.stringify(value) !== JSON.stringify(known.get(field));
  return Object.fromEntries(Object.entries(now).filter(isNew));
}

interface LanguagesProps {
  hint: string;
  all: Option[];
  chosen: string[];
  error: string | undefined;
  onChange: (next: string[]) => void;
}

/** The chosen languages in order of preference. */
function Languages({ hint, all, chosen, error, onChange }: LanguagesProps) {
  const languageName = (code: string) => all.find(({ value }) => value === code)?.label ?? code;
  const left = all.filter(({ value }) => !chosen.includes(value));
  return (
    <div className="flex flex-col gap-3">
      <Field
        label="Languages"
        optional
        as={LongSelect}
        hint={hint}
        placeholder="Add a language"
        options={left}
        value=""
        error={error}
        onChange={(event) => {
          const { value } = event.currentTarget;
          if (value) onChange([...chosen, value]);
        }}
      />
      {chosen.length > 0 && (
        <ol className="flex flex-wrap gap-2" aria-label="Chosen languages, best first">
          {chosen.map((code) => (
            <li
              key={code}
              className="inline-flex items-center rounded-control border border-line bg-surface pl-3 text-sm"
            >
              {languageName(code)}
              <IconButton
                label={`Remove ${languageName(code)}`}
                onClick={() => onChange(chosen.filter((each) => each !== code))}
                className="grid size-11 place-items-center rounded-control text-muted hover:text-ink"
              >
                <XIcon className="size-4" aria-hidden />
              </IconButton>
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}
