import { unstable_isUnrecognizedActionError } from 'next/navigation';

/**
 * What to say about a server action that got no response: an error would replace the page, and what was entered with it.
 * @throws the action's own error, or a redirect
 */
export function describeLostAction(error: unknown): string {
  if (error instanceof Error && 'digest' in error) throw error;
  return unstable_isUnrecognizedActionError(error)
    ? 'The app was updated. Reload the page and try again.'
    : 'The server did not respond. Check your connection and try again. What you sent may have arrived.';
}
