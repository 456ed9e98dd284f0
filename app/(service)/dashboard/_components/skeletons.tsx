import { PageHeader } from '@/components/ui/page-header';
import { PageSkeleton, SkeletonBlock } from '@/components/ui/skeleton';

// The size of each page while it is read, so that nothing moves when it arrives. A page with more or fewer rows is longer
// or shorter at its end only.

/** The title, which is known, and what stands beside it. */
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
      <Header title="Overview" actions="h-19 w-62 sm:h-8.5 sm:w-80" />
      <div className="grid gap-4 sm:gap-5">
        <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
          {['clicks', 'leads', 'customers', 'renewals'].map((figure) => (
            <SkeletonBlock key={figure} className="h-31.75" />
          ))}
        </div>
        <div className="grid gap-4 sm:gap-5 lg:grid-cols-[1fr_20rem]">
          <SkeletonBlock className="h-112 lg:h-106" />
          <SkeletonBlock className="h-88 lg:h-106" />
        </div>
        <div className="grid gap-3 sm:grid-cols-3">
          {['refunds', 'unattributed', 'test'].map((figure) => (
            <SkeletonBlock key={figure} className="h-28" />
          ))}
        </div>
        <SkeletonBlock className="h-125" />
      </div>
    </PageSkeleton>
  );
}

export function EventsSkeleton() {
  return (
    <PageSkeleton>
      <Header title="Events" description="Clicks, leads and sales, newest first." actions="h-8.5 w-18" />
      <SkeletonBlock className="mb-4 h-76 md:h-35 lg:h-16" />
      <SkeletonBlock className={TABLE} />
    </PageSkeleton>
  );
}

export function CustomersSkeleton() {
  return (
    <PageSkeleton>
      <Header title="Customers" description="Everyone with a settled lead, newest first." />
      <SkeletonBlock className="mb-5 h-16 max-w-md" />
      <SkeletonBlock className={TABLE} />
    </PageSkeleton>
  );
}

export function PartnersSkeleton() {
  return (
    <PageSkeleton>
      <Header title="Partners" actions="h-8.5 w-62" />
      <SkeletonBlock className={TABLE} />
    </PageSkeleton>
  );
}

export function SettingsSkeleton() {
  return (
    <PageSkeleton>
      <Header title="Settings" />
      <div className="grid gap-6">
        <SkeletonBlock className="h-32" />
        <SkeletonBlock className="h-96" />
        <SkeletonBlock className="h-72" />
        <SkeletonBlock className="h-64" />
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
          <SkeletonBlock key={node} className="h-24 max-w-xl" />
        ))}
      </div>
    </PageSkeleton>
  );
}
