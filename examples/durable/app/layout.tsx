import { ClerkProvider } from '@clerk/nextjs';
import { TrackerProvider, TrackerScript } from '@svc/tracker';
import type { ReactNode } from 'react';
import { publicEnv } from '@/lib/integration/env';

export const metadata = { title: 'Acme' };

export default function RootLayout({ children }: { children: ReactNode }) {
  const { NEXT_PUBLIC_SVC_PROGRAM_ID: programId, NEXT_PUBLIC_SVC_BASE_URL: baseUrl } = publicEnv();
  const program = { programId, baseUrl };
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
