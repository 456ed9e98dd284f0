'use client';

import { ErrorPage, type ErrorPageProps } from '@/components/ui/error-page';

// Not in the root folder: static marketing pages cannot fail at run time and would load it for nothing.
export default function AccountError(props: ErrorPageProps) {
  return (
    <ErrorPage {...props} title="Something went wrong" site="Larkdesk">
      Your data is safe.
    </ErrorPage>
  );
}
