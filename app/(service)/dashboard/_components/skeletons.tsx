import { PageHeader } from '@/components/ui/page-header';
import { PageSkeleton, SkeletonBlock } from '@/components/ui/skeleton';

// Match the size of each page, so that nothing moves when it has loaded. Only the length of a table is unknown.

/** The page's title, and placeholders for the rest of its header. */
function Header({ title, description, actions }: { title: string; description?: string; actions?: string }) {
  return (
    <PageHeader
      title={title}
      description={description ?? <SkeletonBlock className="h-5 w-72 max-w-full" />}
      actions={actions && <SkeletonBlock className={actions} />}
    />
  );
}

const TABLE = 'h-160';

export function OverviewSkeleton() {
  return (
    <PageSkeleton>
      <Header title="Overview" actions="h-18.5 w-62 sm:h-8.5 sm:w-80" />
      <div className="grid gap-4 sm:gap-5">
        <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
          {['clicks', 'leads', 'new sales', 'renewals'].map((figure) => (
            <SkeletonBlock key={figure} className="h-32.5" />
          ))}
        </div>
        <div className="grid gap-4 sm:gap-5 lg:grid-cols-[1fr_20rem]">
          <SkeletonBlock className="h-120 lg:h-106.75" />
          <SkeletonBlock className="h-95 lg:h-106.75" />
        </div>
        <div className="grid gap-3 sm:grid-cols-3">
          {['refunds', 'unattributed', 'test'].map((figure) => (
            <SkeletonBlock key={figure} className="h-28" />
          ))}
        </div>
        <SkeletonBlock className="h-345 sm:h-133.75" />
      </div>
    </PageSkeleton>
  );
}

export function EventsSkeleton() {
  return (
    <PageSkeleton>
      <Header
        title="Events"
        description="Clicks, leads and sales, newest first. Amounts are without tax."
        actions="h-8.5 w-18"
      />
      <SkeletonBlock className="mb-4 h-72.5 md:h-38 lg:h-17.5" />
      <SkeletonBlock className={TABLE} />
    </PageSkeleton>
  );
}

export function CustomersSkeleton() {
  return (
    <PageSkeleton>
      <Header title="Customers" description="Everyone with a settled lead." />
      <SkeletonBlock className="mb-5 h-17.5 max-w-md" />
      <SkeletonBlock className={TABLE} />
    </PageSkeleton>
  );
}

export function PartnersSkeleton() {
  return (
    <PageSkeleton>
      <Header title="Partners" actions="h-8.5 w-62" />
      <SkeletonBlock className="mb-5 h-17.5 max-w-md" />
      <SkeletonBlock className={TABLE} />
      <SkeletonBlock className="mt-6 h-94 sm:h-72" />
    </PageSkeleton>
  );
}

const CARDS = {
  program: 'h-39 sm:h-35.75',
  keys: 'h-126 sm:h-103',
  policy: 'h-89 sm:h-71.25',
  windows: 'h-98 sm:h-66.75',
  checkout: 'h-106 sm:h-98',
  payments: 'h-210 sm:h-97.5',
  pause: 'h-42 sm:h-38.75',
};

export function SettingsSkeleton() {
  return (
    <PageSkeleton>
      <Header title="Settings" />
      <div className="grid gap-6">
        {Object.entries(CARDS).map(([card, height]) => (
          <SkeletonBlock key={card} className={height} />
        ))}
      </div>
    </PageSkeleton>
  );
}

export function JourneySkeleton() {
  return (
    <PageSkeleton>
      <Header title="Customer journey" actions="h-8.5 w-18" />
      <div className="grid gap-6">
        {['click', 'lead', 'sale'].map((node) => (
          <SkeletonBlock key={node} className="h-26 max-w-xl sm:h-20" />
        ))}
      </div>
    </PageSkeleton>
  );
}
