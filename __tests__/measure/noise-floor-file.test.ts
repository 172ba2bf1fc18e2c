// Class: system.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import type { Experiment } from '../../src/experiment/experiment.ts';
import { noiseFloorPath, writeNoiseFloor } from '../../src/measure/noise-floor-file.ts';
import { parse } from '../experiment/support.ts';
import { itMounting, SmallDisk } from '../setup/small-disk.ts';
import { wallMeter } from '../store/fixtures.ts';

const at = (revision: string): Experiment =>
  parse(`{ workload: { run: x }, variants: { a: { revision: ${revision} }, b: {} } }`);

/** As it is once its commits are known. */
const found = (experiment: Experiment, commit: string): Experiment => ({
  ...experiment,
  variants: experiment.variants.map((v) => (v.revision ? { ...v, revision: { ...v.revision, commit } } : v)),
});

itMounting('a noise floor that a full disk does not take is an error with its place', async () => {
  using disk = new SmallDisk(1);
  const { XDG_STATE_HOME: before } = process.env;
  process.env.XDG_STATE_HOME = disk.path;
  try {
    disk.fill();
    const floor = { percent: 0.1, ci95: [0, 0.2] as const, blocks: 30, measuredAt: '2026-01-01T00:00:00.000Z' };
    const writing = writeNoiseFloor(at('main'), wallMeter, floor);
    await expect(writing).rejects.toThrow(/could not be saved in .*\.json: no space left on device/);
    disk.free();
    expect(JSON.parse(readFileSync(await writeNoiseFloor(at('main'), wallMeter, floor), 'utf8')).percent).toBe(0.1);
  } finally {
    if (before === undefined) delete process.env.XDG_STATE_HOME;
    else process.env.XDG_STATE_HOME = before;
  }
});

describe('where the noise floor of a variant at a revision is kept', () => {
  it('is the same place before its commit is known, and at its next commit', () => {
    const place = noiseFloorPath({ ...at('main'), baseline: 'a' }, wallMeter);
    for (const commit of ['1'.repeat(40), '2'.repeat(40)]) {
      expect(noiseFloorPath({ ...found(at('main'), commit), baseline: 'a' }, wallMeter)).toBe(place);
    }
    expect(noiseFloorPath({ ...at('v1'), baseline: 'a' }, wallMeter)).not.toBe(place);
    expect(noiseFloorPath({ ...at('main'), baseline: 'b' }, wallMeter)).not.toBe(place);
  });
});

describe('where the noise floor of a baseline is kept', () => {
  const file = (more: string, services = '{ db: { run: server } }') =>
    noiseFloorPath(
      parse(`{ workload: { run: x }, variants: { a: {}, b: {} }, baseline: a, services: ${services} ${more} }`),
      wallMeter,
    );
  const at = (more: object) => noiseFloorPath({ ...plain, ...more }, wallMeter);
  const plain = parse('{ workload: { run: x }, variants: { a: {}, b: {} }, baseline: a }');

  it('is another place where something else is measured with it, or for another time', () => {
    const client = { address: 'ssh://client', serviceHost: null } as const;
    const auto = { batch: 'auto' as const };
    const places = [
      noiseFloorPath(plain, wallMeter),
      file(''),
      file('', '{ db: { run: other } }'),
      file(', window: service'),
      at({ client }),
      at({ client: { ...client, serviceHost: '10.0.0.2' } }),
      at(auto),
      at({ ...auto, batchWindowS: 5 }),
      at({ ...auto, batchWindowS: 20 }),
    ];
    expect(new Set(places).size).toBe(places.length);
  });

  it('is the same place whatever else is compared, and without services where none are used', () => {
    expect(at({ name: 'other', repetitions: 99, comparisons: [] })).toBe(noiseFloorPath(plain, wallMeter));
    expect(at({ services: undefined, window: undefined, client: undefined, batchWindowS: undefined })).toBe(
      noiseFloorPath(plain, wallMeter),
    );
    expect(file('')).toBe(file(''));
  });
});

describe('the noise floor of a job', () => {
  const experiment = parse(
    '{ workload: { run: x }, variants: { a: { image: i, volumes: ["./data:/data"] }, b: {} }, baseline: a }',
  );
  /** The same file, checked out into another folder. */
  const checkedOut = (folder: string): Experiment =>
    JSON.parse(JSON.stringify(experiment).replaceAll(experiment.directory, `${folder}/bench`));
  const within = (folder: string, repository: string): string => {
    const { GITHUB_WORKSPACE, GITHUB_REPOSITORY } = process.env;
    Object.assign(process.env, { GITHUB_WORKSPACE: folder, GITHUB_REPOSITORY: repository });
    try {
      return noiseFloorPath(checkedOut(folder), wallMeter);
    } finally {
      for (const [name, before] of Object.entries({ GITHUB_WORKSPACE, GITHUB_REPOSITORY })) {
        if (before === undefined) delete process.env[name];
        else process.env[name] = before;
      }
    }
  };

  it('is its repository’s, whatever folder the runner checks it out into', () => {
    const place = within('/runner/_work/it/it', 'us/it');
    expect(within('/home/runner/.cache/act/4f2a/hostexecutor', 'us/it')).toBe(place);
    expect(within('/runner/_work/it/it', 'them/it')).not.toBe(place);
    expect(noiseFloorPath(checkedOut('/runner/_work/it/it'), wallMeter)).not.toBe(place);
    // A workspace that is everything stands for nothing.
    expect(within('/', 'us/it')).toBe(noiseFloorPath(checkedOut('/'), wallMeter));
  });
});
