/** The result of a form's action, shown beside the form. */
export type ActionResult =
  | { status: 'idle' }
  | { status: 'done'; message: string /** Shown this once. */; secret?: string }
  | { status: 'failed'; message: string };

export const IDLE: ActionResult = { status: 'idle' };
