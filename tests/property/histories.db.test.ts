import fc from 'fast-check';
import { expect, test } from 'vitest';
import { histories } from './command';
import { DatabaseService } from './database-service';
import { ReferenceModel } from './reference-model';

/** HISTORIES=200 is the proof; the default shows that it runs. */
const RUNS = Number(process.env.HISTORIES ?? 20);

test(`in ${RUNS} random histories the database holds what §3 says, and the totals what the database holds`, async () => {
  await fc.assert(
    fc.asyncProperty(histories, async (history) => {
      const service = await DatabaseService.create();
      const model = new ReferenceModel();
      for (const command of history) {
        const [response, expected] = [await service.run(command), model.run(command)];
        if (response !== expected) throw new Error(`${JSON.stringify(command)}: ${response}, but §3 says ${expected}`);
      }
      expect(await service.summary()).toEqual(model.summary());
    }),
    { numRuns: RUNS },
  );
}, 600_000);
