import { buttonClasses } from '@/components/ui/button-classes';
import { Callout } from '@/components/ui/callout';

/** Rendered on the server: the forms load no script for it. */
export function FormFailed() {
  return (
    <div className="w-full max-w-100">
      <Callout isPage tone="danger" role="alert" title="The form could not be loaded">
        <p className="mb-3">Check your connection. If you block scripts, allow them on this page.</p>
        {/* biome-ignore lint/a11y/useValidAnchor: an empty address is this page's own, with its query */}
        <a href="" className={buttonClasses('primary', 'default')}>
          Try again
        </a>
      </Callout>
    </div>
  );
}
