'use client';

import { useEffect, useState } from 'react';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';

const SCRIPT = '/sandbox/tracker-blocker';

/** Blocks the tracker in this browser and in no other, as a blocker does. */
export function TrackerBlockerSwitch() {
  const [isOn, setIsOn] = useState<boolean | null>(null);

  useEffect(() => {
    void findBlocker().then((blocker) => setIsOn(blocker !== undefined));
  }, []);

  const change = async () => {
    if (isOn) await (await findBlocker())?.unregister();
    else {
      await navigator.serviceWorker.register(SCRIPT, { scope: '/' });
      await navigator.serviceWorker.ready;
    }
    setIsOn(!isOn);
  };

  return (
    <span className="flex flex-row-reverse items-center gap-2">
      <Button
        variant={isOn ? 'primary' : 'secondary'}
        size="small"
        aria-disabled={isOn === null}
        onClick={() => void change()}
      >
        Switch {isOn ? 'off' : 'on'}
        <span className="sr-only"> Tracker blocked</span>
      </Button>
      <span role="status">{isOn && <Badge tone="warning">On in this browser</Badge>}</span>
    </span>
  );
}

async function findBlocker(): Promise<ServiceWorkerRegistration | undefined> {
  const registrations = await navigator.serviceWorker?.getRegistrations();
  return registrations?.find(({ active }) => active?.scriptURL.endsWith(SCRIPT));
}
