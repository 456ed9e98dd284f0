'use client';

import { Button } from '@/components/ui/button';
import { type ErrorPageProps, useQueryReset } from '@/components/ui/error-page';
import { PageHeader } from '@/components/ui/page-header';

export default function DashboardError({ error, reset, retry }: ErrorPageProps) {
  useQueryReset(reset);
  return (
    <div role="alert">
      <title>This page could not be loaded · svc dashboard</title>
      <PageHeader
        title="This page could not be loaded"
        description={`The database may be unavailable. Recorded data is safe.${error.digest ? ` Reference: ${error.digest}` : ''}`}
      />
      <Button onClick={retry}>Try again</Button>
    </div>
  );
}
