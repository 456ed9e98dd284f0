import { useTracker } from '@svc/tracker';

export default function ClassicPage() {
  return <p>Click: {useTracker()?.getClickId() ?? 'none'}</p>;
}
