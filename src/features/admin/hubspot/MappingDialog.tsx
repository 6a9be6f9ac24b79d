import * as v from 'valibot';
import type { HubSpotSync } from '#data/hubspot.ts';
import { HUBSPOT_FIELDS, HUBSPOT_KIND_LABELS, type HubSpotMapping } from '#domain/hubspot.ts';
import { Failure } from '#ui/Failure.tsx';
import { Field } from '#ui/forms/Field.tsx';
import { FormDialog } from '#ui/forms/FormDialog.tsx';
import { Select } from '#ui/forms/Select.tsx';
import { useSchemaForm } from '#ui/forms/use-schema-form.ts';

interface MappingDialogProps {
  mapping: HubSpotMapping;
  properties: NonNullable<HubSpotSync['connection']>['properties'];
  /** Throws an AppError, which the dialog shows. */
  onSave: (mapping: HubSpotMapping) => Promise<void>;
  onClose: () => void;
}

type Input = Record<string, string>;
type HubSpotField = (typeof HUBSPOT_FIELDS)[number];

/** A field's name in the form. */
const inputOf = ({ kind, name }: HubSpotField) => `${kind}-${name}`;

const schema = v.object(
  Object.fromEntries(
    HUBSPOT_FIELDS.map((field) => [
      inputOf(field),
      field.isNeeded
        ? v.pipe(v.string(), v.minLength(1, 'Choose a property. This is always sent.'))
        : v.string(),
    ]),
  ),
);

const mappingFrom = (input: Input): HubSpotMapping => {
  const of = (kind: HubSpotField['kind']) =>
    Object.fromEntries(
      HUBSPOT_FIELDS.filter((field) => field.kind === kind && input[inputOf(field)]).map(
        (field) => [field.name, input[inputOf(field)] ?? ''],
      ),
    );
  return { contact: of('contact'), company: of('company') };
};

/** Chooses the HubSpot property of each field, among those that can take it. */
export function MappingDialog({ mapping, properties, onSave, onClose }: MappingDialogProps) {
  const fields = useSchemaForm<Input>(
    schema,
    async (input) => {
      await onSave(mappingFrom(input));
      onClose();
    },
    {
      guarded: true,
      defaults: Object.fromEntries(
        HUBSPOT_FIELDS.map((field) => [inputOf(field), mapping[field.kind][field.name] ?? '']),
      ),
    },
  );

  function optionsFor({ kind, name, fits }: HubSpotField) {
    const fitting = properties[kind].filter((each) => fits.includes(each.fits));
    const now = mapping[kind][name];
    return [
      ...(now && !fitting.some((each) => each.name === now)
        ? [{ value: now, label: `${now} (doesn’t fit)` }]
        : []),
      ...fitting.map((each) => ({ value: each.name, label: `${each.label} (${each.name})` })),
    ];
  }

  return (
    <FormDialog
      fields={fields}
      title="Which property gets which field?"
      description="After a change, do another dry run before anything is sent."
      action="Save"
      onClose={onClose}
    >
      {HUBSPOT_FIELDS.map((field) => (
        <Field
          key={inputOf(field)}
          label={`${HUBSPOT_KIND_LABELS[field.kind]}: ${field.label}`}
          as={Select}
          placeholder={field.isNeeded ? 'Choose a property' : 'Don’t send it'}
          options={optionsFor(field)}
          {...fields.field(inputOf(field))}
        />
      ))}
      <Failure failure={fields.failure} />
    </FormDialog>
  );
}
