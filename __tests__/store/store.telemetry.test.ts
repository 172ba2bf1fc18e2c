// Class: unit.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type { RunTelemetry } from '../../src/contracts/execution.ts';
import { openStore } from '../../src/store/reader.ts';
import { StoreWriter } from '../../src/store/writer.ts';
import { conditions, nativeAndContainer, WALL_METER, wallMeter } from './fixtures.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'joulediff-telemetry-'));
  file = join(folder, 'experiment.db');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const NOTHING = { samples: new Map(), events: [] };
const TELEMETRY: RunTelemetry = {
  marks: [
    { tNs: 9_007_199_254_740_993n, lateNs: 1_000_000n, phase: 'load' },
    { tNs: 9_007_199_254_740_999n, lateNs: 0n, phase: null },
  ],
  phaseProblem: null,
  usage: { cpuS: 1.25, peakMemoryBytes: 2 ** 33, readBytes: null, writtenBytes: 0, unread: ['Why.'] },
};

function create(): StoreWriter {
  const runs = ['native', 'container'].map((variant, i) => ({
    run: i + 1,
    block: 1,
    position: i + 1,
    variant,
    warmup: false,
  }));
  const store = StoreWriter.create(file, {
    id: 'x',
    startedAt: '2026-01-02T03:04:05.000Z',
    experiment: nativeAndContainer,
    plan: { seed: 1, order: 'randomized-blocks', runs },
    facts: new Map(),
    meters: [{ ...wallMeter, name: WALL_METER, passport: null }],
    noiseFloor: null,
  });
  store.beginSession('2026-01-02T03:04:06.000Z', 0n, conditions);
  return store;
}

function addRun(store: StoreWriter, run: number, telemetry: RunTelemetry | null): void {
  const endNs = 9_007_199_254_741_000n;
  const window = {
    restStartNs: 1n,
    startNs: 2n,
    endNs,
    guardEndNs: endNs,
    exitCode: 0,
    signal: null,
    outputTail: null,
  };
  store.addRun(
    {
      run,
      planned: run,
      attempt: 1,
      position: run,
      status: 'ok',
      cause: null,
      reason: null,
      restEnd: null,
      executions: 1,
      ...window,
      machine: null,
      incidents: null,
      telemetry,
      place: null,
      unread: run === 1 ? [{ channel: 'wall', reason: 'it was reset' }] : [],
    },
    NOTHING,
  );
}

it('what a run told and used comes back as it was, to the nanosecond', () => {
  const store = create();
  addRun(store, 1, TELEMETRY);
  addRun(store, 2, null);
  store.close('2026-01-02T03:10:00.000Z', { kind: 'complete' }, NOTHING);
  const reader = openStore(file);
  expect([...reader.phaseMarks().keys()]).toEqual([1]);
  expect(reader.phaseMarks().get(1)).toEqual(TELEMETRY.marks);
  const { unread: _, ...usage } = TELEMETRY.usage!;
  expect([...reader.usage()]).toEqual([[1, usage]]);
  expect([...reader.unread()]).toEqual([[1, [{ channel: 'wall', reason: 'it was reset' }]]]);
  reader.close();
});
