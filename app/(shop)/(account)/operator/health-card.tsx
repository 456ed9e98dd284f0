import { Card } from '@/components/ui/card';
import { Stat } from '@/components/ui/stat';
import type { Metrics } from '@/lib/integration/metrics';

/** The current values of /api/metrics. docs/operations.md says what to do when one of them rises. */
export function HealthCard({
  metrics: { outboxAgeSeconds, pending, deadLetters, unknownClicks, webhookLagSeconds, reconcileAgeSeconds },
}: {
  metrics: Metrics;
}) {
  return (
    <Card title="Health" description="Reports should be delivered within seconds, and there should be no dead letters.">
      <dl className="grid grid-cols-2 gap-3 lg:grid-cols-3">
        <Stat label="Oldest pending report" value={pending === 0 ? '–' : describeSeconds(outboxAgeSeconds)} />
        <Stat label="Pending reports" value={pending} />
        <Stat label="Dead letters, other" value={deadLetters} />
        <Stat label="Dead letters, unknown click" value={unknownClicks} />
        <Stat
          label="Webhook lag, last hour"
          value={webhookLagSeconds === null ? '–' : describeSeconds(webhookLagSeconds)}
        />
        <Stat
          label="Since the last reconciliation"
          value={reconcileAgeSeconds === null ? '–' : describeSeconds(reconcileAgeSeconds)}
        />
      </dl>
    </Card>
  );
}

function describeSeconds(seconds: number): string {
  if (seconds < 0) return 'clock ahead';
  if (seconds < 120) return `${Math.round(seconds)} s`;
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`;
  return `${Math.round(seconds / 3600)} h`;
}
