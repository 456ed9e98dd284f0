/** The result of a form's action, shown beside the form. */
export type ActionResult =
  | { status: 'idle' }
  | {
      status: 'done';
      message: string;
      /** Shown this once. */
      secret?: string;
    }
  | { status: 'failed'; message: string };

export const IDLE: ActionResult = { status: 'idle' };

export const done = (message: string, secret?: string): ActionResult => ({
  status: 'done',
  message,
  ...(secret && { secret }),
});

export const failed = (message: string): ActionResult => ({ status: 'failed', message });
