// npm run bench:trace: what the recorder and the trace cost for each request, as CPU time of this process. A request goes
// straight to a bare server, then through the recorder without being recorded, then recorded.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openEmulator } from '../../emulators/core/emulator';
import { profileSchema } from '../../emulators/core/profile';
import { startRecorder } from '../../emulators/recorder/recorder';
import { profile } from '../control-room/profile.mjs';
import { freePort } from '../ports.mjs';

const REQUESTS = 300;
const ROUNDS = 7;
const BODY = JSON.stringify({ click_id: 'clk_E0hy71A7VbGsPLgrtpnCcY', email: 'ada@example.com', additional_data: {} });

const { root: _, ...described } = profileSchema.parse(profile);
const emulator = await openEmulator({
  ...{ appUrl: 'http://localhost:3000', url: 'http://localhost:1', directory: 'memory://', clerkWebhook: null },
  ...{ stripeWebhooks: [], appName: 'Bench', profile: described },
});
const app = createServer(async (request, response) => {
  for await (const _ of request);
  response.writeHead(200, { 'content-type': 'application/json' }).end(BODY);
});
await once(app.listen(0, 'localhost'), 'listening');
const { port: appPort } = app.address() as AddressInfo;
const port = await freePort('localhost');
const stop = await startRecorder(emulator, { port, appPort, servicePath: null, blockedPath: null });

/** Microseconds of CPU for each request. */
async function measure(url: string): Promise<number> {
  const before = process.cpuUsage();
  for (let index = 0; index < REQUESTS; index++) {
    const headers = { 'content-type': 'application/json', cookie: 'emulators_visitor=bench' };
    await (await fetch(url, { method: 'POST', body: BODY, headers })).arrayBuffer();
  }
  await emulator.trace.list({ limit: 1 }); // what was recorded is written
  const { user, system } = process.cpuUsage(before);
  return (user + system) / REQUESTS;
}

const TARGETS = {
  'bare server': `http://localhost:${appPort}/api/echo`,
  'recorder, not recorded': `http://localhost:${port}/echo.js`,
  'recorder, recorded': `http://localhost:${port}/api/echo`,
};
const fastest: Record<string, number> = {};
for (let round = 0; round <= ROUNDS; round++) {
  for (const [name, url] of Object.entries(TARGETS)) {
    const spent = await measure(url);
    if (round > 0) fastest[name] = Math.min(fastest[name] ?? Number.POSITIVE_INFINITY, spent); // the first one warms up
  }
}
for (const [name, spent] of Object.entries(fastest)) console.log(`${name.padEnd(24)} ${spent.toFixed(0)} µs`);
await stop();
app.closeAllConnections();
app.close();
await emulator.close();
process.exit();
