import type { ReactElement } from 'react';
import { TRACKER_SCRIPT } from './inline-script.ts';
import type { TrackerConfig } from './tracker.ts';
import { trackUrl } from './wire.ts';

export type TrackerScriptProps = TrackerConfig & {
  /** For a Content-Security-Policy that names no hash. */
  nonce?: string | undefined;
};

/**
 * Starts the click (contract §1) while the page is still loading, before React. Render it on the server, first in `<head>` or
 * `<body>`; the provider then attaches to it. Without it, the provider starts the click itself, later. A script of your own that removes
 * `aff` from the address must run after it, for instance on `load`.
 *
 * A Content-Security-Policy with `'unsafe-inline'`, which static Next pages need, allows it. Otherwise pass a `nonce`, or allow
 * `TRACKER_SCRIPT_HASH` if it is the only inline script of the page.
 * @example
 * ```tsx
 * import { TrackerProvider, TrackerScript } from '@svc/tracker';
 *
 * export default function RootLayout({ children }: { children: React.ReactNode }) {
 *   return (
 *     <html lang="en">
 *       <body>
 *         <TrackerScript programId="<PROGRAM_ID>" />
 *         <TrackerProvider programId="<PROGRAM_ID>">{children}</TrackerProvider>
 *       </body>
 *     </html>
 *   );
 * }
 * ```
 */
export function TrackerScript({
  programId,
  baseUrl = '',
  cookieDomain,
  consent,
  nonce,
}: TrackerScriptProps): ReactElement | null {
  if (consent) return null; // the provider starts the click when consent is given
  return (
    // An async module waits for neither stylesheets nor the parser. Browsers hide the nonce, so React would report a mismatch.
    <script
      type="module"
      async
      nonce={nonce}
      data-program-id={programId}
      data-click-url={trackUrl(baseUrl, 'click')}
      data-cookie-domain={cookieDomain}
      suppressHydrationWarning
      // biome-ignore lint/security/noDangerouslySetInnerHtml: React 18 escapes the text of a script; this one is ours
      dangerouslySetInnerHTML={{ __html: TRACKER_SCRIPT }}
    />
  );
}
