import { standardSchemaResolver } from '@hookform/resolvers/standard-schema';
import { type BaseSyntheticEvent, useEffect, useState, useSyncExternalStore } from 'react';
import {
  type DefaultValues,
  type FieldValues,
  type Path,
  type UseFormReturn,
  useForm,
} from 'react-hook-form';
import type { ZodMiniType } from 'zod/mini';
import { type AppError, toAppError } from '#lib/errors.ts';
import { holdUnsaved } from '#lib/unsaved.ts';

const never = () => () => {};

/** Whether scripts run by now: a form that would send nothing yet keeps its button closed. */
export function useReady(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}

/** `postal_code`, as the database names it, is `postalCode` in a form. */
const fieldName = (name: string) =>
  name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

export interface SchemaForm<Input extends FieldValues> {
  form: UseFormReturn<Input>;
  /** Goes to `<form onSubmit>`. */
  submit: (event?: BaseSyntheticEvent) => Promise<void>;
  /** The sentence beside a field. */
  errorOf: (name: Path<Input>) => string | undefined;
  /** What failed and belongs to no field. */
  failure: AppError | null;
  pending: boolean;
  ready: boolean;
  clearFailure: () => void;
}

interface SchemaFormOptions<Input extends FieldValues> {
  defaults?: DefaultValues<Input>;
  /** Asks before the page is left while something is typed and not sent. */
  guarded?: boolean;
}

/**
 * A form whose rules are a schema. What `send` throws stands beside the field it belongs to, or as
 * `failure`; what was typed stays in either case. Fields without a default keep what was typed
 * before the scripts ran.
 */
export function useSchemaForm<Input extends FieldValues>(
  schema: ZodMiniType<Input, Input>,
  send: (input: Input) => Promise<void>,
  options: SchemaFormOptions<Input> = {},
): SchemaForm<Input> {
  const form = useForm<Input>({
    resolver: standardSchemaResolver(schema as never) as never,
    ...(options.defaults ? { defaultValues: options.defaults } : {}),
    shouldFocusError: true,
  });
  const [failure, setFailure] = useState<AppError | null>(null);
  const { isSubmitting, errors, isDirty } = form.formState;
  useLeaveGuard(Boolean(options.guarded) && isDirty && !isSubmitting);
  useUnsaved(isDirty || isSubmitting);

  const submit = form.handleSubmit(async (input) => {
    setFailure(null);
    try {
      await send(input as Input);
    } catch (thrown) {
      const error = toAppError(thrown);
      const name = error.field === undefined ? undefined : fieldName(error.field);
      if (name !== undefined && name in form.control._fields) {
        form.setError(name as Path<Input>, { message: error.message }, { shouldFocus: true });
      } else {
        setFailure(error);
      }
    }
  });

  return {
    form,
    submit,
    errorOf: (name) => {
      const found = errors[name]?.message;
      return typeof found === 'string' ? found : undefined;
    },
    failure,
    pending: isSubmitting,
    ready: useReady(),
    clearFailure: () => setFailure(null),
  };
}

/** Lets the browser ask before the page is left. */
function useLeaveGuard(active: boolean): void {
  useEffect(() => {
    if (!active) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [active]);
}

/** Keeps the page from being taken away by itself (lib/unsaved.ts). */
export function useUnsaved(active: boolean): void {
  useEffect(() => (active ? holdUnsaved() : undefined), [active]);
}
