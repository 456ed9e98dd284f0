import type { TrackerConfig } from './capture.ts';
import { TRACKER_SCRIPT } from './inline-script.ts';

/**
 * Starts the click while the page is still loading, before React. Render it on the server, first in `<head>` or `<body>`;
 * the provider then finds it running. Without it the provider starts the click itself, later.
 *
 * With a Content-Security-Policy, allow it by `TRACKER_SCRIPT_HASH` (the page stays static) or by a `nonce`.
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
export function TrackerScript({ programId, baseUrl, nonce }: TrackerConfig & { nonce?: string | undefined }) {
  return (
    // An async module waits for neither the stylesheets nor the parser. Browsers hide the nonce, so React finds it changed.
    <script
      type="module"
      async
      nonce={nonce}
      data-program-id={programId}
      data-base-url={baseUrl}
      suppressHydrationWarning
    >
      {TRACKER_SCRIPT}
    </script>
  );
}
