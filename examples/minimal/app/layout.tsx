import { ClerkProvider } from '@clerk/nextjs';
import { TrackerProvider, TrackerScript } from '@svc/tracker';
import type { ReactNode } from 'react';
import { program } from '../lib/attribution';

export const metadata = { title: 'Acme' };

export default function RootLayout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>
        <TrackerScript {...program} />
        <TrackerProvider {...program}>
          <ClerkProvider>{children}</ClerkProvider>
        </TrackerProvider>
      </body>
    </html>
  );
}
