'use client';

import type { ComponentProps } from 'react';
import { useFormStatus } from 'react-dom';
import { Button } from './button';

type SubmitButtonProps = ComponentProps<typeof Button> & {
  pendingLabel?: string;
  /** Whether the response to another form has to come first. */
  isWaiting?: boolean;
};

/** Submits a form whose action is a function. While the response is pending it says so and ignores further clicks. */
export function SubmitButton({ pendingLabel, isWaiting = false, children, ...props }: SubmitButtonProps) {
  const { pending } = useFormStatus();
  return (
    <Button
      {...props}
      type="submit"
      aria-disabled={pending || isWaiting}
      onClick={(event) => {
        if (pending || isWaiting) event.preventDefault();
      }}
    >
      {pending && pendingLabel ? pendingLabel : children}
    </Button>
  );
}
