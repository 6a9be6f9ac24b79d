import { standardSchemaResolver } from '@hookform/resolvers/standard-schema';
import { type BaseSyntheticEvent, useLayoutEffect, useMemo, useRef, useState } from 'react';
import {
  type DefaultValues,
  type FieldValues,
  type Path,
  type UseFormRegisterReturn,
  type UseFormReturn,
  useForm,
} from 'react-hook-form';
import type { GenericSchema } from 'valibot';
import { type AppError, toAppError } from '#lib/errors.ts';
import { useReady } from '../use-ready.ts';
import { useLeaveGuard, useUnsaved } from '../use-unsaved.ts';

/** `postal_code`, as the database names it, is `postalCode` in a form. */
const fieldName = (name: string) =>
  name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** What shows a value that a form begins with, before the scripts run. */
function firstShown(value: unknown) {
  if (typeof value === 'boolean') return { defaultChecked: value };
  return typeof value === 'string' || typeof value === 'number' ? { defaultValue: value } : {};
}

/**
 * The same form, whose fields have their values from the first paint on: react-hook-form sets values
 * by script alone. What was typed before that it takes up by itself.
 */
function fromFirstPaint<Input extends FieldValues>(
  form: UseFormReturn<Input>,
  defaults: DefaultValues<Input> | undefined,
): UseFormReturn<Input> {
  const register: UseFormReturn<Input>['register'] = (name, rules) => ({
    ...form.register(name, rules),
    ...firstShown(defaults?.[name]),
  });
  return Object.assign(Object.create(form), { register });
}

const sentenceOf = (found: unknown) => (typeof found === 'string' ? found : undefined);

export interface SchemaForm<Input extends FieldValues> {
  form: UseFormReturn<Input>;
  /** Goes to `<form onSubmit>`. */
  submit: (event?: BaseSyntheticEvent) => Promise<void>;
  /** The sentence beside a field. */
  errorOf: (name: Path<Input>) => string | undefined;
  /** The properties of a `Field`: its value as it is typed, and its sentence. */
  field: (name: Path<Input>) => UseFormRegisterReturn & { error: string | undefined };
  /** What failed and belongs to no field. */
  failure: AppError | null;
  pending: boolean;
  ready: boolean;
  clearFailure: () => void;
  /** Makes these the saved values, once they're stored; what was typed in the meantime stays. */
  beginFrom: (values: Input) => void;
}

interface SchemaFormOptions<Input extends FieldValues> {
  defaults?: DefaultValues<Input>;
  /** Asks before the page is left while something is typed and not sent. */
  guarded?: boolean;
  /** Gives the error of what `send` threw; on pages of signed-in people stores/session's `reportError`. */
  onError?: (thrown: unknown) => AppError;
}

/**
 * A form whose rules are a schema. What `send` throws is shown beside the field it belongs to, or as
 * `failure`; what was typed stays in either case, also what was typed before the scripts ran.
 */
export function useSchemaForm<Input extends FieldValues>(
  schema: GenericSchema<Input, Input>,
  send: (input: Input) => Promise<void>,
  options: SchemaFormOptions<Input> = {},
): SchemaForm<Input> {
  const whole = useForm<Input>({
    resolver: standardSchemaResolver(schema),
    ...(options.defaults ? { defaultValues: options.defaults } : {}),
    shouldFocusError: true,
  });
  const [begun] = useState(options.defaults);
  const form = useMemo(() => fromFirstPaint(whole, begun), [whole, begun]);
  // react-hook-form (7.92) counts a form that was typed into before the scripts ran as changed, but
  // doesn't render for it; this makes it.
  useLayoutEffect(() => whole.clearErrors(), [whole]);
  const [failure, setFailure] = useState<AppError | null>(null);
  const { isSubmitting, errors, isDirty } = form.formState;
  useLeaveGuard(Boolean(options.guarded) && isDirty && !isSubmitting);
  useUnsaved(isDirty || isSubmitting);

  const sent = useRef<Input | null>(null);
  const submit = form.handleSubmit(async (input) => {
    setFailure(null);
    sent.current = structuredClone(form.getValues());
    try {
      await send(input as Input);
    } catch (thrown) {
      const error = (options.onError ?? toAppError)(thrown);
      const name = error.field === undefined ? undefined : fieldName(error.field);
      if (name !== undefined && name in form.control._fields) {
        form.setError(name as Path<Input>, { message: error.message }, { shouldFocus: true });
      } else {
        setFailure(error);
      }
    }
  });

  function beginFrom(values: Input) {
    const now = structuredClone(form.getValues());
    form.reset(values);
    for (const name of Object.keys(now) as Path<Input>[]) {
      const typedSince = JSON.stringify(now[name]) !== JSON.stringify(sent.current?.[name]);
      if (typedSince) form.setValue(name, now[name], { shouldDirty: true });
    }
  }

  const errorOf = (name: Path<Input>) => sentenceOf(errors[name]?.message);
  return {
    form,
    submit,
    beginFrom,
    errorOf,
    field: (name) => ({ ...form.register(name), error: errorOf(name) }),
    failure,
    pending: isSubmitting,
    ready: useReady(),
    clearFailure: () => setFailure(null),
  };
}
