import { standardSchemaResolver } from '@hookform/resolvers/standard-schema';
import { type BaseSyntheticEvent, useMemo, useRef, useState } from 'react';
import {
  type DefaultValues,
  type FieldValues,
  type Path,
  type PathValue,
  type UseFormReturn,
  useForm,
} from 'react-hook-form';
import type { ZodMiniType } from 'zod/mini';
import { type AppError, toAppError } from '#lib/errors.ts';
import { useReady } from './use-ready.ts';
import { useLeaveGuard, useUnsaved } from './use-unsaved.ts';

/** `postal_code`, as the database names it, is `postalCode` in a form. */
const fieldName = (name: string) =>
  name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

type Registered = ReturnType<UseFormReturn['register']>;
type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** What a control holds that did not come with the page; undefined where it is as it came. */
function typedInto(control: Control): string | boolean | undefined {
  if (control instanceof HTMLSelectElement) {
    const came = [...control.options].find((option) => option.defaultSelected)?.value;
    return came === undefined || came === control.value ? undefined : control.value;
  }
  if (control instanceof HTMLInputElement && control.type === 'checkbox') {
    return control.checked === control.defaultChecked ? undefined : control.checked;
  }
  if (control.type === 'radio' || control.value === control.defaultValue) return undefined;
  return control.value;
}

/** What shows a value that a form begins with, before the scripts run. */
function firstShown(value: unknown) {
  if (typeof value === 'boolean') return { defaultChecked: value };
  return typeof value === 'string' || typeof value === 'number' ? { defaultValue: value } : {};
}

/**
 * The same form, whose fields have their values from the first paint on and take up what was typed
 * before the scripts ran: react-hook-form sets values by script alone, over what stands there.
 */
function fromFirstPaint<Input extends FieldValues>(
  form: UseFormReturn<Input>,
  defaults: DefaultValues<Input> | undefined,
): UseFormReturn<Input> {
  const seen = new WeakSet<Control>();
  const register: UseFormReturn<Input>['register'] = (name, rules) => {
    const registered = form.register(name, rules);
    const ref: Registered['ref'] = (control: Control | null) => {
      const typed = control && !seen.has(control) ? typedInto(control) : undefined;
      registered.ref(control);
      if (!control) return;
      seen.add(control);
      if (typed !== undefined) {
        form.setValue(name, typed as PathValue<Input, Path<Input>>, { shouldDirty: true });
      }
    };
    return { ...registered, ...firstShown(defaults?.[name]), ref };
  };
  return Object.assign(Object.create(form), { register });
}

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
  /** Begins anew from these values, once what was sent is stored; what was typed meanwhile stays. */
  beginFrom: (values: Input) => void;
}

interface SchemaFormOptions<Input extends FieldValues> {
  defaults?: DefaultValues<Input>;
  /** Asks before the page is left while something is typed and not sent. */
  guarded?: boolean;
}

/**
 * A form whose rules are a schema. What `send` throws stands beside the field it belongs to, or as
 * `failure`; what was typed stays in either case, also what was typed before the scripts ran.
 */
export function useSchemaForm<Input extends FieldValues>(
  schema: ZodMiniType<Input, Input>,
  send: (input: Input) => Promise<void>,
  options: SchemaFormOptions<Input> = {},
): SchemaForm<Input> {
  const whole = useForm<Input>({
    resolver: standardSchemaResolver(schema as never) as never,
    ...(options.defaults ? { defaultValues: options.defaults } : {}),
    shouldFocusError: true,
  });
  const [begun] = useState(options.defaults);
  const form = useMemo(() => fromFirstPaint(whole, begun), [whole, begun]);
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
      const error = toAppError(thrown);
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

  return {
    form,
    submit,
    beginFrom,
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
