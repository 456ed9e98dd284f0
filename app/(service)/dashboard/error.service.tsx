'use client';

import { ErrorPage, type ErrorPageProps } from '@/components/ui/error-page';

/** Where even the frame, which names the program, could not be read. */
export default function ServiceError(props: ErrorPageProps) {
  return (
    <ErrorPage {...props} title="The dashboard could not be read">
      The service’s database may be unavailable. What was recorded is safe.
    </ErrorPage>
  );
}
