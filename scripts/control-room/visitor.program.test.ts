import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startEmulators } from '../emulators.mjs';
import { VARIABLES } from '../local-env.mjs';
import { freePort } from '../ports.mjs';
import { Visitor } from './visitor.mjs';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 });

const appUrl = 'http://localhost:9';
let emulatorsUrl: string;
let stop: () => Promise<void>;

beforeAll(async () => {
  const emulatorsPort = await freePort('localhost');
  emulatorsUrl = `http://localhost:${emulatorsPort}`;
  const ports = { port: 9, appPort: 9, emulatorsPort };
  const blanks = Object.fromEntries(VARIABLES.map((name) => [name, undefined]));
  const options = { appUrl, ports, directory: 'memory://', isRecorded: false };
  ({ stop } = await startEmulators({ ...process.env, ...blanks }, options));
});
afterAll(() => stop());

const newVisitor = () => new Visitor({ appUrl, emulatorsUrl });
const setForAll = async (faults: object) => {
  const response = await fetch(`${emulatorsUrl}/control/faults`, { method: 'POST', body: JSON.stringify(faults) });
  expect(response.status).toBe(200);
};

test('the fault of a scenario has to be on until its end', async () => {
  const visitor = newVisitor();
  await visitor.setFault({ delay_seconds: 10 });
  await visitor.checkFault({ delay_seconds: 10 });
  await newVisitor().forgetFaults();
  await visitor.checkFault({ delay_seconds: 10 });
  await fetch(`${emulatorsUrl}/actions/faults/reset`, { method: 'POST', redirect: 'manual' }); // "Turn all faults off"
  await expect(visitor.checkFault({ delay_seconds: 10 })).rejects.toThrow('turned off while the scenario ran');
});

test('a scenario does not start while the service is down for all customers', async () => {
  const visitor = newVisitor();
  await setForAll({ outage: true });
  await expect(visitor.refuseOutage()).rejects.toThrow('Service outage is on for all customers');
  await setForAll({ outage: null });
  await visitor.refuseOutage();
});
