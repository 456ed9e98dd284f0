import type { ComponentProps, ReactNode } from 'react';
import { cx } from './cx';

const CONTROL =
  'min-h-11 w-full rounded-control border border-border-strong bg-surface px-3 text-foreground placeholder:text-muted-foreground aria-invalid:border-danger';

type FieldProps = {
  /** The control's id, which links its hint and error. */
  id: string;
  label: ReactNode;
  hint?: ReactNode;
  error?: ReactNode;
  className?: string;
};

const describedBy = ({ id, hint, error }: Pick<FieldProps, 'id' | 'hint' | 'error'>): string | undefined =>
  cx(hint ? `${id}-hint` : null, error ? `${id}-error` : null) || undefined;

function Field({ id, label, hint, error, className, children }: FieldProps & { children: ReactNode }) {
  return (
    <div className={cx('grid content-start gap-1.5', className)}>
      <label htmlFor={id} className="font-medium text-sm">
        {label}
      </label>
      {children}
      {hint && (
        <p id={`${id}-hint`} className="text-muted-foreground text-sm">
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} role="alert" className="text-danger text-sm">
          {error}
        </p>
      )}
    </div>
  );
}

/** A labeled text input with a hint and an error. */
export function TextField({
  id,
  label,
  hint,
  error,
  className,
  inputClassName,
  ...props
}: FieldProps & Omit<ComponentProps<'input'>, keyof FieldProps> & { inputClassName?: string }) {
  return (
    <Field id={id} label={label} hint={hint} error={error} {...(className && { className })}>
      <input
        id={id}
        aria-describedby={describedBy({ id, hint, error })}
        aria-invalid={error ? true : undefined}
        className={cx(CONTROL, inputClassName)}
        {...props}
      />
    </Field>
  );
}

/** A labeled choice; pass the options as children. */
export function SelectField({
  id,
  label,
  hint,
  ...props
}: Omit<FieldProps, 'error' | 'className'> & Omit<ComponentProps<'select'>, keyof FieldProps>) {
  return (
    <Field id={id} label={label} hint={hint}>
      <select id={id} aria-describedby={describedBy({ id, hint })} className={CONTROL} {...props} />
    </Field>
  );
}

/** A checkbox or, with `type="radio"`, one choice of several; the label is part of the target. */
export function CheckField({
  id,
  label,
  hint,
  type = 'checkbox',
  ...props
}: Omit<FieldProps, 'error' | 'className'> & Omit<ComponentProps<'input'>, keyof FieldProps>) {
  return (
    <div className="flex min-h-11 items-start gap-3 py-2">
      <input
        id={id}
        type={type}
        aria-describedby={hint ? `${id}-hint` : undefined}
        className="mt-1 size-5 shrink-0 accent-primary"
        {...props}
      />
      <div>
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
        {hint && (
          <p id={`${id}-hint`} className="text-muted-foreground text-sm">
            {hint}
          </p>
        )}
      </div>
    </div>
  );
}
