import { ClerkProvider } from '@clerk/nextjs';
import type { ReactNode } from 'react';

export const metadata = { title: 'Acme' };

export default function RootLayout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>
        <ClerkProvider>{children}</ClerkProvider>
      </body>
    </html>
  );
}
