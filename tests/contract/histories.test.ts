import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { timelessHistories } from '../property/command';
import { HttpService } from '../property/http-service';
import { ReferenceModel } from '../property/reference-model';
import { isRemote } from '../support/program';

const RUNS = 4; // the rules themselves have 10,000 in memory and 20 on the database: tests/property
const local = test.skipIf(isRemote);

describe('§3 in any order', () => {
  local(
    `in ${RUNS} random histories every response, and every tracking event after it, is what §3 says`,
    async () => {
      await fc.assert(
        fc.asyncProperty(timelessHistories, async (history) => {
          const service = await HttpService.create();
          const model = new ReferenceModel();
          for (const command of history) {
            const [response, expected] = [await service.run(command), model.run(command)];
            if (response !== expected)
              throw new Error(`${JSON.stringify(command)}: ${response}, but §3 says ${expected}`);
          }
          const { totals: _, ...expected } = model.summary();
          expect(await service.summary()).toEqual(expected);
        }),
        // So that a failure is reported before the test's own limit.
        { numRuns: RUNS, interruptAfterTimeLimit: 90_000, markInterruptAsFailure: true },
      );
    },
    120_000,
  );
});
