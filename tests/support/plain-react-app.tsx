// A customer's app in plain React, without a framework and without the inline script: what e2e/tracker-react.spec.ts bundles
// and walks through. StrictMode runs every effect twice.
import { TrackerProvider, useTracker, whenLoaded, whenReady } from '@svc/tracker';
import { StrictMode, useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';

const firstRenders: Array<'null' | 'tracker'> = [];

function Status() {
  const tracker = useTracker();
  const [readyClickId, setReadyClickId] = useState<string | null>();
  firstRenders.push(tracker ? 'tracker' : 'null');
  useEffect(() => {
    void whenReady().then(setReadyClickId);
  }, []);
  return (
    <dl>
      <dt>Hook</dt>
      <dd data-testid="hook">{tracker ? 'loaded' : 'null'}</dd>
      <dt>First render</dt>
      <dd data-testid="first-render">{firstRenders[0]}</dd>
      <dt>Ready</dt>
      <dd data-testid="ready">{readyClickId ?? 'waiting'}</dd>
    </dl>
  );
}

/** The page on which a new user lands: `?user=` stands for a session. Its effect runs twice and asks before the tracker is there. */
function Welcome({ user }: { user: string }) {
  const [result, setResult] = useState('waiting');
  useEffect(() => {
    void whenLoaded()
      .then((tracker) => tracker.signup(user, `${user}@example.com`))
      .then((response) => setResult(JSON.stringify(response)));
  }, [user]);
  return <p data-testid="signup">{result}</p>;
}

const user = new URLSearchParams(location.search).get('user');
const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <TrackerProvider programId="prg_open">
        <Status />
        {user && <Welcome user={user} />}
      </TrackerProvider>
    </StrictMode>,
  );
}
