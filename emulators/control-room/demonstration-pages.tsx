// The routes of the tour and of the scenarios. Both exist only if the app's profile describes them.
import { Hono } from 'hono';
import type { Emulator } from '../core/emulator';
import { CONTENT_SECURITY_POLICY } from '../core/page';
import { readCookie, VISITOR_COOKIE } from '../core/trace-http';
import type { Frame } from './room';
import type { ScenarioRuns } from './scenario-runs';
import { ScenarioPage, ScenariosPage } from './scenarios';
import { readSource } from './sources';
import { TourPage } from './tour';
import { readTour } from './tour-state';

const OF_THE_TOUR = 500;
const SHOWN = 40;

export function demonstrationPages(emulator: Emulator, runs: ScenarioRuns, { roomOf, missing }: Frame): Hono {
  const { config, trace, deliveries } = emulator;
  const { scenarios, tour, root } = config.profile;
  const app = new Hono();

  app.get('/tour', async (c) => {
    if (!tour) return missing(c);
    const id = readCookie(c.req.header('cookie'), VISITOR_COOKIE);
    const [known] = id ? await trace.listVisitors({ id }) : [];
    const messages = id ? await trace.list({ visitor: id, limit: OF_THE_TOUR, isWhole: false }) : [];
    const visitor = id ? { id, email: known?.email ?? null } : null;
    const state = readTour(tour, messages.toReversed());
    c.header('content-security-policy', `${CONTENT_SECURITY_POLICY}; frame-src 'self' ${config.appUrl}`);
    c.header('referrer-policy', 'strict-origin-when-cross-origin'); // the recorder accepts the form of "new visitor" by its Origin
    return c.html(
      <TourPage room={await roomOf(c)} tour={state} visitor={visitor} messages={messages.slice(0, SHOWN)} />,
    );
  });

  app.get('/scenarios', async (c) => {
    if (scenarios.length === 0) return missing(c);
    return c.html(<ScenariosPage room={await roomOf(c)} scenarios={scenarios} runOf={runs.find} />);
  });
  app.get('/scenarios/:name', async (c) => {
    const scenario = scenarios.find(({ name }) => name === c.req.param('name'));
    if (!scenario) return missing(c);
    const run = runs.find(scenario.name);
    const email = run?.visitor?.email;
    const [decidedBy, provenBy, sent, visitor] = await Promise.all([
      readSource(root, scenario.decidedBy),
      readSource(root, scenario.provenBy),
      email ? deliveries.list({ limit: 100, customer: email }) : [],
      email ? trace.findVisitor(email) : null,
    ]);
    const shown = { scenario, run, deliveries: sent, decidedBy, provenBy, visitor };
    return c.html(<ScenarioPage room={await roomOf(c)} {...shown} />);
  });
  return app;
}
