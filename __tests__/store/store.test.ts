// Class: unit.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import Database from 'better-sqlite3';
import { InputError, MeasureError } from '../../src/errors.ts';
import { FIRST_VERSION } from '../../src/store/migrations.ts';
import { openStore, withStore } from '../../src/store/reader.ts';
import type { SessionEnd } from '../../src/store/records.ts';
import { type NewExperiment, type NewRun, StoreWriter } from '../../src/store/writer.ts';
import { itAsRoot } from '../setup/as-root.ts';
import { conditions, nativeAndContainer, WALL_METER, wallMeter } from './fixtures.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'joulediff-store-'));
  path = join(folder, 'experiment.db');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const definition: NewExperiment = {
  id: 'e1',
  startedAt: '2026-01-02T03:04:05.000Z',
  experiment: nativeAndContainer,
  plan: {
    seed: 5,
    order: 'randomized-blocks',
    runs: [
      { run: 1, block: 1, position: 1, variant: 'container', warmup: false },
      { run: 2, block: 1, position: 2, variant: 'native', warmup: false },
    ],
  },
  facts: new Map([['container', { image: 'debian', image_digest: null, image_id: 'sha256:1' }]]),
  meters: [{ ...wallMeter, name: WALL_METER, passport: null }],
  noiseFloor: null,
};

// Later than 104 days after boot: a double no longer holds such a moment in nanoseconds.
const START = 9_300_000_000_000_123n;
const run = (n: number, status: NewRun['status'] = 'ok'): NewRun => ({
  run: n,
  planned: n,
  attempt: 1,
  position: n,
  status,
  cause: status === 'ok' ? null : 'exit-code',
  reason: status === 'ok' ? null : 'exit code 1',
  restEnd: null,
  restStartNs: START,
  startNs: START + 1n,
  endNs: START + 5_000_000_002n,
  guardEndNs: START + 8_000_000_003n,
  exitCode: 0,
  signal: null,
  outputTail: null,
  executions: n,
  machine: null,
  incidents: null,
  telemetry: null,
  place: null,
});
const sample = (n: bigint, powerW: number) => ({ tNs: START + n * 1_000_000_001n, powerW, durationS: 1 });
const nothing = { samples: new Map(), events: [] };

function write(): void {
  const writer = StoreWriter.create(path, definition);
  writer.beginSession('2026-01-02T03:04:06.000Z', START, conditions);
  const event = { tNs: START + 7n, kind: 'gap' as const, detail: 'no reading for 3 s' };
  writer.addRun(run(1), { samples: new Map([['wall', [sample(1n, 40.1), sample(2n, 65)]]]), events: [event] });
  const failed = run(2, 'failed');
  writer.addRun(failed, { samples: new Map([['wall', [sample(3n, 41)]]]), events: [] }, [{ run: 1, because: failed }]);
  const mean = {
    ...sample(4n, 61.5),
    readings: [
      [400_000_000, 61.2],
      [600_000_000, 61.7],
    ] as const,
  };
  writer.addIdle(START + 9n, START + 10n, { samples: new Map([['wall', [mean]]]), events: [] });
  writer.close('2026-01-02T03:10:00.000Z', { kind: 'complete' }, nothing);
}

describe('an experiment.db', () => {
  it('gives back what was written, to the nanosecond', () => {
    write();
    const reader = openStore(path);
    expect(reader.experiment()).toMatchObject({ id: 'e1', seed: 5, baseline: 'native', guardS: 3 });
    expect(reader.definition()).toEqual(nativeAndContainer);
    expect(reader.variants().map((v) => [v.name, v.facts])).toEqual([
      ['native', {}],
      ['container', { image: 'debian', image_digest: null, image_id: 'sha256:1' }],
    ]);
    expect(reader.channels()).toMatchObject([
      {
        channel: 'wall',
        part: 'machine',
        primary: true,
        integration: 'guard',
        clock: 'meter',
        meter: { type: 'watts-up-pro', identity: { model: 'PRO' } },
      },
    ]);
    expect(reader.plannedRuns()).toEqual(definition.plan.runs);
    expect(reader.sessions()).toMatchObject([{ originNs: START, end: { kind: 'complete' }, conditions }]);
    expect(reader.runs()).toMatchObject([
      {
        run: 1,
        block: 1,
        variant: 'container',
        status: 'invalid',
        cause: 'block-repeated',
        reason: 'its block is repeated, because run 2 is failed',
        endNs: START + 5_000_000_002n,
      },
      { run: 2, variant: 'native', status: 'failed', cause: 'exit-code', reason: 'exit code 1', executions: 2 },
    ]);
    expect(reader.closingIdle()).toEqual([{ session: 1, startNs: START + 9n, endNs: START + 10n }]);
    expect(reader.events()).toMatchObject([{ tNs: START + 7n, kind: 'gap' }]);
    const columns = reader.samples(1, 'wall');
    expect([...columns.tNs]).toEqual([1_000_000_001, 2_000_000_002, 3_000_000_003, 4_000_000_004]);
    expect([...columns.powerW]).toEqual([40.1, 65, 41, 61.5]);
    expect(columns.readings).toBeUndefined();
    expect([...(reader.samples(1, 'wall', { readings: true }).readings ?? [])]).toEqual([
      [
        3,
        [
          [400_000_000, 61.2],
          [600_000_000, 61.7],
        ],
      ],
    ]);
    reader.close();
  });

  it('is one plain file when it is closed, readable from a folder that nobody may write', () => {
    write();
    expect(existsSync(`${path}-wal`)).toBe(false);
    chmodSync(path, 0o444);
    chmodSync(folder, 0o555);
    const reader = openStore(path);
    expect(reader.runs()).toHaveLength(2);
    reader.close();
    chmodSync(folder, 0o755);
  });

  it('keeps every finished run when the process dies without closing it', () => {
    const writer = StoreWriter.create(path, definition);
    writer.beginSession('2026-01-02T03:04:06.000Z', START, conditions);
    writer.addRun(run(1), { samples: new Map([['wall', [sample(1n, 40)]]]), events: [] });
    const reader = openStore(path);
    expect(reader.runs()).toHaveLength(1);
    expect(reader.sessions()).toMatchObject([{ endedAt: null, end: null }]);
    reader.close();
    writer.close('2026-01-02T03:10:00.000Z', { kind: 'complete' }, nothing);
  });

  it('holds no more than can be read again: phases are left out, and that is told; anything else ends the writing', () => {
    const writer = StoreWriter.create(path, definition);
    writer.beginSession('2026-01-02T03:04:06.000Z', START, conditions);
    const phase = 'p'.repeat(15 * 2 ** 20);
    const telemetry = { marks: [{ tNs: START + 2n, lateNs: 0n, phase }], usage: null, phaseProblem: null };
    for (let n = 1; n <= 9; n++) writer.addRun({ ...run(n), planned: 1, telemetry }, nothing);
    const tail = { ...run(10), planned: 1, outputTail: 'x'.repeat(17 * 2 ** 20) };
    expect(() => writer.addRun(tail, nothing)).toThrow(
      /can't hold more of this experiment: a text in its table run has/,
    );
    const events = Array.from({ length: 60_000 }, () => ({
      tNs: START,
      kind: 'gap' as const,
      detail: 'g'.repeat(5000),
    }));
    writer.addRun({ ...run(11), planned: 1 }, { samples: new Map(), events });
    writer.close('2026-01-02T03:10:00.000Z', { kind: 'complete' }, nothing);
    const reader = openStore(path);
    expect(reader.runs().map((one) => one.run)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 11]);
    const reported = reader.events().map(({ kind, detail }) => [kind, detail.length < 100 ? detail : detail.length]);
    expect(reported).toHaveLength(50_000);
    expect(reported[0]).toEqual([
      'note',
      'The phases of run 9 are left out: those of the runs before it fill their table.',
    ]);
    expect(reported[1]).toEqual(['gap', 500]);
    expect(reported.at(-1)).toEqual(['gap', 'Further events are left out: there are very many of them.']);
    reader.close();
  });

  it.each([
    ['logs', { logs: { runBytes: 1500.5, allBytes: 5000 } }, 'logs.runBytes'],
    ['cost', { cost: { price: null, intensityGPerKwh: 1, task: { name: 'x', runs: Infinity } } }, 'cost.task.runs'],
  ])('is not begun for what could not be read again: %s', (_, odd, place) => {
    const experiment = { ...nativeAndContainer, ...odd };
    expect(() => StoreWriter.create(path, { ...definition, experiment })).toThrow(place);
  });

  it('takes a decision and the end of what it settled together or not at all', () => {
    const writer = StoreWriter.create(path, definition);
    writer.beginSession('2026-01-02T03:04:06.000Z', START, conditions);
    const look = { look: 1, blocks: 0, nominalP: 0.01, p: 0.001, because: null };
    // What is no name of a variant fails after everything else was written.
    expect(() => writer.addInterim(look, ['native', {} as never])).toThrow();
    expect(withStore(path, (reader) => [reader.looks().length, reader.plannedRuns().length])).toEqual([0, 2]);
    writer.addInterim(look, ['native']);
    writer.close('2026-01-02T03:10:00.000Z', { kind: 'complete' }, nothing);
    const planned = withStore(path, (reader) => reader.plannedRuns());
    expect(planned.map(({ variant }) => variant)).toEqual(['container']);
    expect(withStore(path, (reader) => reader.looks())).toEqual([look]);
  });

  it('takes a run and its samples together or not at all', () => {
    const writer = StoreWriter.create(path, definition);
    writer.beginSession('2026-01-02T03:04:06.000Z', START, conditions);
    const twice = { samples: new Map([['wall', [sample(1n, 40), sample(1n, 41)]]]), events: [] };
    expect(() => writer.addRun(run(1), twice)).toThrow('UNIQUE');
    writer.close('2026-01-02T03:10:00.000Z', { kind: 'complete' }, nothing);
    const reader = openStore(path);
    expect(reader.runs()).toHaveLength(0);
    expect(reader.samples(1, 'wall').tNs).toHaveLength(0);
    reader.close();
  });

  it.each([
    ['is missing', () => {}, 'There is no file'],
    ['is no database', () => writeFileSync(path, 'energy\n1\n'), 'could not be read as an experiment.db'],
    [
      'is somebody else’s database',
      () => new Database(path).exec('CREATE TABLE t (x)').close(),
      'not one of joulediff',
    ],
    ['has a newer schema', () => ofVersion(99), 'newer joulediff'],
    ['is of before the first release', () => ofVersion(1), 'before its first release'],
  ])('is refused with a sentence when it %s', (_what, make, message) => {
    make();
    expect(() => openStore(path)).toThrow(InputError);
    expect(() => openStore(path)).toThrow(message);
  });
});

function ofVersion(version: number): void {
  write();
  const db = new Database(path);
  db.pragma(`user_version = ${version}`);
  db.close();
}

describe('a noise floor of before', () => {
  const noiseFloor = { measuredAt: '2026-01-01T00:00:00.000Z', percent: 0.9, ci95: [-0.3, 0.9], blocks: 30 } as const;
  const read = () => {
    const reader = openStore(path);
    const floor = reader.noiseFloor();
    reader.close();
    return floor;
  };

  it('is kept with the experiment', () => {
    StoreWriter.create(path, { ...definition, noiseFloor }).close('', { kind: 'complete' }, nothing);
    expect(read()).toEqual(noiseFloor);
  });

  it('is null where there was none', () => {
    StoreWriter.create(path, definition).close('', { kind: 'complete' }, nothing);
    expect(read()).toBeNull();
  });
});

describe('the state of the machine before a run', () => {
  const machine = { governor: 'performance', temperatureC: 51.5, load: 0.02 };
  const read = () => {
    const reader = openStore(path);
    const states = [...reader.machineStates()];
    reader.close();
    return states;
  };
  const write = (writer: StoreWriter, number: number): void => {
    writer.beginSession('2026-01-02T03:04:06.000Z', START, conditions);
    writer.addRun({ ...run(number), machine }, nothing);
    writer.close('2026-01-02T03:10:00.000Z', { kind: 'complete' }, nothing);
  };

  it('is kept with the run', () => {
    write(StoreWriter.create(path, definition), 1);
    expect(read()).toEqual([[1, machine]]);
  });
});

describe('how a session ended', () => {
  it.each<SessionEnd>([
    { kind: 'complete' },
    { kind: 'stopped', signal: 'SIGTERM' },
    { kind: 'failed', message: 'The meter was lost.' },
  ])('is kept: $kind', (end) => {
    const writer = StoreWriter.create(path, definition);
    writer.beginSession('2026-01-02T03:04:06.000Z', START, conditions);
    writer.close('2026-01-02T03:10:00.000Z', end, nothing);
    expect(withStore(path, (reader) => reader.sessions())).toMatchObject([{ session: 1, end }]);
  });

  it('can be read and written by others where no session began', () => {
    const begin = () => {
      using _writer = StoreWriter.create(path, definition);
      throw new Error('no session began');
    };
    expect(begin).toThrow('no session began');
    expect(withStore(path, (reader) => reader.runs())).toEqual([]);
    StoreWriter.resume(path).close('', { kind: 'complete' }, nothing);
  });

  it('numbers the sessions, and keeps a run that was stopped apart from one that is wrong', () => {
    for (const n of [1, 2]) {
      const writer = n === 1 ? StoreWriter.create(path, definition) : StoreWriter.resume(path);
      writer.beginSession('2026-01-02T03:04:06.000Z', START, conditions);
      writer.addRun({ ...run(n, 'invalid'), cause: 'stopped', reason: 'stopped by SIGINT' }, nothing);
      writer.close('2026-01-02T03:10:00.000Z', { kind: 'stopped', signal: 'SIGINT' }, nothing);
    }
    const runs = withStore(path, (reader) => reader.runs());
    expect(runs.map(({ session, status, cause }) => [session, status, cause])).toEqual([
      [1, 'invalid', 'stopped'],
      [2, 'invalid', 'stopped'],
    ]);
  });
});

describe('a file of an older version', () => {
  const migrations = [
    "ALTER TABLE run ADD COLUMN shift TEXT NOT NULL DEFAULT 'night'",
    'CREATE TABLE extra (x INTEGER) STRICT',
  ];
  const column = (sql: string) => {
    const db = new Database(path);
    const found = db.prepare(sql).pluck().all();
    db.close();
    return found;
  };

  it('is migrated when it is resumed, and keeps what it holds', () => {
    write();
    const writer = StoreWriter.resume(path, { migrations });
    writer.close('2026-01-02T04:10:00.000Z', { kind: 'complete' }, nothing);
    expect(column('PRAGMA user_version')).toEqual([FIRST_VERSION + 2]);
    expect(column('SELECT shift FROM run')).toEqual(['night', 'night']);
    // It is a newer one to whoever does not know these migrations.
    expect(() => openStore(path)).toThrow('newer joulediff');
    expect(() => StoreWriter.resume(path)).toThrow('newer joulediff');
    using reader = openStore(path, { migrations });
    expect(reader.runs()).toHaveLength(2);
  });

  it('is read in its newest form without being changed', () => {
    write();
    const before = readFileSync(path);
    using reader = openStore(path, { migrations });
    expect(reader.runs()).toHaveLength(2);
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  it('stays as it was where a migration fails', () => {
    write();
    const broken = [...migrations, 'ALTER TABLE nobody ADD COLUMN x TEXT'];
    expect(() => StoreWriter.resume(path, { migrations: broken })).toThrow('no such table: nobody');
    expect(column('PRAGMA user_version')).toEqual([FIRST_VERSION]);
    expect(withStore(path, (reader) => reader.runs())).toHaveLength(2);
  });
});

describe('a disk that is full', () => {
  itAsRoot('is told in a sentence, and keeps what was written before', () => {
    const small = mkdtempSync(join(tmpdir(), 'joulediff-small-'));
    if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'none', small]).status !== 0) {
      rmSync(small, { recursive: true });
      return;
    }
    try {
      const full = join(small, 'experiment.db');
      const writer = StoreWriter.create(full, definition);
      writer.beginSession('2026-01-02T03:04:06.000Z', START, conditions);
      writer.addRun(run(1), nothing);
      const filler = join(small, 'filler');
      writeFileSync(filler, Buffer.alloc(400_000));
      const flood = { samples: new Map([['wall', Array.from({ length: 100_000 }, (_, i) => sample(BigInt(i), 40))]]) };
      const write = () => writer.addRun(run(2), { ...flood, events: [] });
      expect(write).toThrow(MeasureError);
      expect(write).toThrow(/^The result can't be written to .*experiment\.db: .*database or disk is full\.$/);
      rmSync(filler);
      writer.close('2026-01-02T03:05:06.000Z', { kind: 'failed', message: 'full' }, nothing);
      expect(
        openStore(full)
          .runs()
          .map((r) => r.run),
      ).toEqual([1]);
    } finally {
      spawnSync('umount', ['-l', small]);
      rmSync(small, { recursive: true });
    }
  });
});
