import * as v from 'valibot';
import type { ListedToggle, ToggleChange } from '#data/toggles.ts';
import { AUDIENCE_LABELS, AUDIENCES, ROLES_LABELS } from '#domain/admin-toggles.ts';
import { ROLES } from '#domain/person.ts';
import { textUpTo } from '#lib/schemas/fields.ts';
import { Failure } from '#ui/Failure.tsx';
import { Checkbox } from '#ui/forms/Checkbox.tsx';
import { Field } from '#ui/forms/Field.tsx';
import { FormDialog } from '#ui/forms/FormDialog.tsx';
import { RadioList } from '#ui/forms/RadioList.tsx';
import { Select } from '#ui/forms/Select.tsx';
import { TextArea } from '#ui/forms/TextArea.tsx';
import { type SchemaForm, useSchemaForm } from '#ui/forms/use-schema-form.ts';

const schema = v.pipe(
  v.object({
    audience: v.picklist(AUDIENCES),
    roles: v.array(v.string()),
    percentage: v.pipe(v.string(), v.trim()),
    expiresOn: v.string(),
    ownerId: v.string(),
    reason: v.pipe(
      textUpTo(2000, 'Keep it to 2,000 characters.'),
      v.minLength(3, 'Say why, for the audit log.'),
    ),
  }),
  v.forward(
    v.partialCheck(
      [['audience'], ['roles']],
      ({ audience, roles }) => audience !== 'roles' || roles.length > 0,
      'Choose at least one role.',
    ),
    ['roles'],
  ),
  v.forward(
    v.partialCheck(
      [['audience'], ['percentage']],
      ({ audience, percentage }) => audience !== 'percentage' || /^[1-9]\d?$/.test(percentage),
      'Enter a number from 1 to 99.',
    ),
    ['percentage'],
  ),
);
type Input = v.InferOutput<typeof schema>;

interface ToggleDialogProps {
  toggle: ListedToggle;
  label: string;
  /** The admin's own id. */
  userId: string;
  /** Throws an AppError, which the dialog shows. */
  onSave: (change: ToggleChange) => Promise<void>;
  onClose: () => void;
}

/** Changes who a toggle is on for, with a reason. */
export function ToggleDialog({ toggle, label, userId, onSave, onClose }: ToggleDialogProps) {
  const { owner } = toggle;
  const fields = useSchemaForm<Input>(
    schema,
    async ({ audience, roles, percentage, expiresOn, ownerId, reason }) => {
      await onSave({
        audience,
        roles: audience === 'roles' ? roles : [],
        percentage: audience === 'percentage' ? Number(percentage) : null,
        expiresOn: expiresOn || null,
        ownerId: ownerId || null,
        reason,
      });
      onClose();
    },
    {
      guarded: true,
      defaults: {
        audience: toggle.audience,
        roles: toggle.roles,
        percentage: toggle.percentage === null ? '' : String(toggle.percentage),
        expiresOn: toggle.expires_on ?? '',
        ownerId: owner?.id ?? '',
        reason: '',
      },
    },
  );
  const { field, failure } = fields;
  const owners = [
    { value: '', label: 'Nobody' },
    { value: userId, label: 'Me' },
    ...(owner && owner.id !== userId ? [{ value: owner.id, label: owner.name }] : []),
  ];
  return (
    <FormDialog
      fields={fields}
      title={`Change “${label}”`}
      description={toggle.description}
      action="Save"
      onClose={onClose}
    >
      <AudienceFields fields={fields} />
      <Field
        label="Look at it by"
        optional
        type="date"
        hint="From two weeks before, it’s on the overview. Nothing changes by itself."
        {...field('expiresOn')}
      />
      <Field label="Owner" as={Select} options={owners} {...field('ownerId')} />
      <Field
        label="Reason"
        hint="Other admins see it in the audit log."
        as={TextArea}
        rows={3}
        {...field('reason')}
      />
      <Failure failure={failure} />
    </FormDialog>
  );
}

/** Who it's on for, with the roles or the share if that's the choice. */
function AudienceFields({ fields: { field, form, errorOf } }: { fields: SchemaForm<Input> }) {
  const audience = form.watch('audience');
  return (
    <>
      <RadioList
        legend="Who it’s on for"
        options={AUDIENCES.map((value) => [value, AUDIENCE_LABELS[value]] as const)}
        error={errorOf('audience')}
        {...form.register('audience')}
      />
      {audience === 'roles' && (
        <fieldset className="flex flex-col gap-3">
          <legend className="mb-2 text-sm font-semibold">Roles</legend>
          {ROLES.map((role) => (
            <Checkbox
              key={role}
              label={ROLES_LABELS[role]}
              value={role}
              error={role === 'admin' ? errorOf('roles') : undefined}
              {...form.register('roles')}
            />
          ))}
        </fieldset>
      )}
      {audience === 'percentage' && (
        <Field
          label="Percent of people"
          hint="The same people each time. Visitors without an account aren’t among them."
          inputMode="numeric"
          {...field('percentage')}
        />
      )}
    </>
  );
}
