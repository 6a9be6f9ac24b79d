import type { ReactNode } from 'react';
import type { FieldValues } from 'react-hook-form';
import { Button, type ButtonProps } from '../Button.tsx';
import { classNames } from '../class-names.ts';
import { Failure } from '../Failure.tsx';
import type { SchemaForm } from './use-schema-form.ts';

interface FormProps<Input extends FieldValues> {
  of: SchemaForm<Input>;
  /** The words of the button that sends it. */
  submit: ReactNode;
  size?: ButtonProps['size'];
  variant?: ButtonProps['variant'];
  /** Its fields. */
  children: ReactNode;
  /** What to do about a failure, below it. */
  advice?: ReactNode;
  /** What is below the button. */
  after?: ReactNode;
  /** In place of its gap. */
  className?: string;
}

/** The fields of a schema's form, what failed, and the button, which waits for the scripts. */
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
      <Button type="submit" size={size} variant={variant} pending={of.pending} disabled={!of.ready}>
        {submit}
      </Button>
      {after}
    </form>
  );
}
