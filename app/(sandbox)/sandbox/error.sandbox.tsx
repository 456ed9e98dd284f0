'use client';

import { ErrorPage, type ErrorPageProps } from '@/components/ui/error-page';

export default function SandboxError(props: ErrorPageProps) {
  return (
    <ErrorPage {...props} title="The sandbox could not answer">
      Its database may be down: look at the terminal in which the app runs.
    </ErrorPage>
  );
}
