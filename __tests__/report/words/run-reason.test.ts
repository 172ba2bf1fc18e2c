// Class: unit.
import { describe, expect, it } from '@jest/globals';
import type { RunReason } from '../../../src/findings/run-reason.ts';
import { runReasonText } from '../../../src/report/words/run-reason.ts';

describe('why a run is not compared', () => {
  it.each<[RunReason, string]>([
    [{ kind: 'recorded', text: 'exit code 1' }, 'exit code 1'],
    [{ kind: 'empty-window' }, 'its window is empty'],
    [{ kind: 'no-readings-between-guards' }, 'there are no readings between its guards'],
    [{ kind: 'missing-reading-between-guards' }, 'a reading is missing between its guards'],
    [{ kind: 'missing-readings-in-window' }, 'readings are missing in its window'],
    [{ kind: 'no-idle-readings' }, 'there are no readings of idle around it'],
    [
      { kind: 'other-executions', executions: 2, others: 1 },
      'its window holds 2 executions of the command, not 1 as in the others',
    ],
    [{ kind: 'no-energy-to-subtract', channel: 'rapl' }, 'there is no energy of rapl to take off'],
  ])('%j is told', (reason, words) => {
    expect(runReasonText(reason)).toBe(words);
  });
});
