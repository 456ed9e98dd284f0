import { useTracker } from '@svc/tracker';
import { useEffect, useState } from 'react';

export default function ClassicPage() {
  const tracker = useTracker();
  const [clickId, setClickId] = useState<string | null>(null);
  useEffect(() => {
    void tracker?.whenReady().then(setClickId); // a click of this visit may still be in flight
  }, [tracker]);
  return <p>Click: {clickId ?? 'none'}</p>;
}
