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
    // Browsers hide the nonce from scripts, so React would find it changed.
    <script data-program-id={programId} data-base-url={baseUrl} nonce={nonce} suppressHydrationWarning>
      {TRACKER_SCRIPT}
    </script>
  );
}
