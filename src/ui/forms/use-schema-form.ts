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
import { useLeaveGuard, useUnsaved } from '../use-unsaved.ts';

/** Converts a database name to a form field's: `postal_code` to `postalCode`. */
const fieldName = (name: string) =>
  name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** The props that render a field's initial value in HTML, before hydration. */
function firstShown(value: unknown) {
  if (typeof value === 'boolean') return { defaultChecked: value };
  return typeof value === 'string' || typeof value === 'number' ? { defaultValue: value } : {};
}

/**
 * Makes fields show their initial values from the first paint, because react-hook-form only sets
 * them by script. On hydration, it picks up text typed before then by itself.
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
  /** Pass this to `<form onSubmit>`. */
  submit: (event?: BaseSyntheticEvent) => Promise<void>;
  /** A field's error message. */
  errorOf: (name: Path<Input>) => string | undefined;
  /** Props for a `Field`: its registration and error message. */
  field: (name: Path<Input>) => UseFormRegisterReturn & { error: string | undefined };
  /** The error that doesn't belong to a field. */
  failure: AppError | null;
  pending: boolean;
  clearFailure: () => void;
  /** Sets the saved values that edits are compared with; text typed in the meantime stays. */
  beginFrom: (values: Input) => void;
}

interface SchemaFormOptions<Input extends FieldValues> {
  defaults?: DefaultValues<Input>;
  /** Asks for confirmation before leaving the page with unsent input. */
  guarded?: boolean;
  /** Converts what `send` threw; for signed-in users, pass `reportError` from stores/session. */
  onError?: (thrown: unknown) => AppError;
}

/**
 * A form validated by a schema. Errors that `send` throws go to the field they belong to, or else
 * to `failure`. The input is kept in either case, including text typed before hydration.
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
  // react-hook-form (7.92) marks a form as dirty if it was typed into before hydration, but doesn't
  // re-render; this forces it to.
  useLayoutEffect(() => {
    if (whole.control._formState.isDirty) whole.clearErrors();
  }, [whole]);
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
    clearFailure: () => setFailure(null),
  };
}
