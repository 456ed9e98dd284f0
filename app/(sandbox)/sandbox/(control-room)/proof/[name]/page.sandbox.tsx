import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { connection } from 'next/server';
import { Suspense } from 'react';
import { Card } from '@/components/ui/card';
import { Code, CodeBlock } from '@/components/ui/code';
import { CopyButton } from '@/components/ui/copy-button';
import { DetailsList } from '@/components/ui/details-list';
import { LinkButton } from '@/components/ui/link-button';
import { PageHeader } from '@/components/ui/page-header';
import { PageShell } from '@/components/ui/page-shell';
import { Skeleton } from '@/components/ui/skeleton';
import { isProofName, readProof } from '@/lib/sandbox/control-room/proofs';
import { sandboxedProviders } from '@/lib/sandbox/env';
import { ControlRoomHeader } from '../../_components/control-room-header';

export const metadata: Metadata = { title: 'Test' };

type ProofPageProps = { params: Promise<{ name: string }> };

/** The test that shows what a switch of the control room shows, in its own words. */
export default function ProofPage({ params }: ProofPageProps) {
  return (
    <PageShell room="sandbox" header={<ControlRoomHeader />}>
      <Suspense fallback={<Skeleton label="Loading the test" />}>
        <ShownProof params={params} />
      </Suspense>
    </PageShell>
  );
}

async function ShownProof({ params }: ProofPageProps) {
  await connection();
  const { name } = await params;
  if (sandboxedProviders().length === 0 || !isProofName(name)) notFound();
  const { title, file, command, source } = await readProof(name);
  return (
    <>
      <PageHeader
        title={title}
        description="The test that proves it."
        actions={
          <LinkButton href="/sandbox#failures" variant="secondary">
            Back to the control room
          </LinkButton>
        }
      />
      <Card>
        <div className="grid grid-cols-1 gap-4">
          <DetailsList
            items={[
              ['File', <Code key="file">{file}</Code>],
              [
                'Run it',
                <span key="command" className="flex flex-wrap items-center gap-3">
                  <Code>{command}</Code>
                  <CopyButton value={command} label="Copy the command" />
                </span>,
              ],
            ]}
          />
          {source && <CodeBlock label="The test’s source">{source}</CodeBlock>}
        </div>
      </Card>
    </>
  );
}
