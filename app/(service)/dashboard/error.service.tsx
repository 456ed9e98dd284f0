'use client';

import { ErrorPage, type ErrorPageProps } from '@/components/ui/error-page';

/** Shown when the frame, which names the program, could not be loaded either. */
export default function ServiceError(props: ErrorPageProps) {
  return (
    <div data-room="service" className="min-h-dvh">
      <ErrorPage {...props} title="The dashboard could not be loaded">
        The database may be unavailable. Recorded data is safe.
      </ErrorPage>
    </div>
  );
}
