'use client';

import { ErrorPage, type ErrorPageProps } from '@/components/ui/error-page';

/** Shown when the frame, which names the program, could not be loaded either. */
export default function ServiceError(props: ErrorPageProps) {
  return (
    <div data-room="service" className="min-h-dvh">
      <main className="mx-auto max-w-2xl px-4 py-16">
        <ErrorPage {...props} title="The dashboard could not be loaded" site="svc dashboard">
          The database may be unavailable. Recorded data is safe.
        </ErrorPage>
      </main>
    </div>
  );
}
