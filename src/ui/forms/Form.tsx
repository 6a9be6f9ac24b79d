import type { ReactNode } from 'react';
import type { FieldValues } from 'react-hook-form';
import { Button, type ButtonProps } from '../Button.tsx';
import { classNames } from '../class-names.ts';
import { Failure } from '../Failure.tsx';
import type { SchemaForm } from './use-schema-form.ts';

interface FormProps<Input extends FieldValues> {
  of: SchemaForm<Input>;
  /** The submit button's label. */
  submit: ReactNode;
  size?: ButtonProps['size'];
  variant?: ButtonProps['variant'];
  /** The fields. */
  children: ReactNode;
  /** Advice shown below an error. */
  advice?: ReactNode;
  /** Content below the button. */
  after?: ReactNode;
  /** Replaces the default gap. */
  className?: string;
}

/** A form for `useSchemaForm`: fields, error, and a submit button that waits for hydration. */
export function Form<Input extends FieldValues>(props: FormProps<Input>) {
  const { of, submit, size, variant, children, advice, after, className } = props;
  return (
    <form
      method="post"
      noValidate
      onSubmit={of.submit}
      className={classNames('flex flex-col', className ?? 'gap-5')}
    >
      {children}
      <Failure failure={of.failure} />
      {advice}
      <Button type="submit" size={size} variant={variant} pending={of.pending} needsScript>
        {submit}
      </Button>
      {after}
    </form>
  );
}
