// Captures the click on every page: the script starts it while the page still loads, the provider passes it to React.
// Change in your app: put both components into your own root layout.
import { TrackerProvider, TrackerScript } from '@svc/tracker';
import { GeistSans } from 'geist/font/sans';
import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { publicEnv } from '@/lib/integration/env';
import './globals.css';

export const metadata: Metadata = {
  title: { default: 'Larkdesk, the booking calendar for small studios', template: '%s · Larkdesk' },
  description: 'Classes, appointments and payments for small studios, in one calendar.',
  openGraph: { type: 'website', siteName: 'Larkdesk' }, // previews of shared links have the page's own title and description
};

export default function RootLayout({ children }: { children: ReactNode }) {
  const { NEXT_PUBLIC_SVC_PROGRAM_ID: programId, NEXT_PUBLIC_SVC_BASE_URL: baseUrl } = publicEnv();
  return (
    <html lang="en" className={GeistSans.variable}>
      <body>
        <TrackerScript programId={programId} baseUrl={baseUrl} />
        <TrackerProvider programId={programId} baseUrl={baseUrl}>
          {children}
        </TrackerProvider>
      </body>
    </html>
  );
}
