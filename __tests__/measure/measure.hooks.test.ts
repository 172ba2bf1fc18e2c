import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Stopped } from '../../src/errors.ts';
import { parseExperiment } from '../../src/experiment/read.ts';
import { measure } from '../../src/measure/measure.ts';
import { withStore } from '../../src/store/reader.ts';
import { listening } from './short-experiment.ts';

process.env.JOULEDIFF_LOCK = `joulediff.test.${process.pid}`;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'joulediff-hooks-'));
  writeFileSync(join(folder, 'note'), 'echo "$1 $JOULEDIFF_RUN $JOULEDIFF_VARIANT" >> "$(dirname "$0")/happened"');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const happened = (): string[] => readFileSync(join(folder, 'happened'), 'utf8').replace(/\n$/, '').split('\n');

const { told, progress } = listening();

function measured(file: object, signal = new AbortController().signal): Promise<void> {
  const text = JSON.stringify({
    variants: { a: {}, b: {} },
    workload: { run: 'sh note run' },
    ...{ repetitions: 2, warmup: { runs: 0 }, rest: 0.1, guard: 0.1, seed: 1, meter: 'estimate' },
    ...file,
  });
  const experiment = parseExperiment(text, { file: 'joulediff.yml', directory: folder });
  return measure({ experiment, outDir: join(folder, 'out'), resume: false, signal, progress });
}

describe('hooks', () => {
  it('run before and after all, blocks and runs, and know which run it is', async () => {
    const names = ['before-all', 'before-block', 'prepare', 'cleanup', 'after-all'];
    await measured({ hooks: Object.fromEntries(names.map((name) => [name, `sh note ${name}`])) });
    const [first, second] = withStore(join(folder, 'out', 'experiment.db'), (reader) =>
      [...Map.groupBy(reader.runs(), ({ block }) => block).values()].map((runs) =>
        runs.flatMap(({ run, variant }) => ['prepare', 'run', 'cleanup'].map((what) => `${what} ${run} ${variant}`)),
      ),
    ) as [string[], string[]];
    expect(happened()).toEqual([
      ...['before-all 0 ', 'before-block 0 ', ...first],
      ...['before-block 0 ', ...second, 'after-all 0 '],
    ]);
  });

  it('end the experiment where one before a block fails, and put things back all the same', async () => {
    const hooks = { 'before-block': 'echo no room; exit 3', 'after-all': ['sh', 'note', 'after-all'] };
    await expect(measured({ hooks })).rejects.toThrow(
      'The hook before-block ended with exit code 3.\nIts last output:\n  no room',
    );
    expect(happened()).toEqual(['after-all 0 ']);
  });

  it('fail a run where one before it takes longer than it may, and leave nothing running', async () => {
    const hooks = { prepare: { run: 'sleep 300', timeout: 0.2 }, cleanup: 'sh note cleanup' };
    await expect(measured({ hooks })).rejects.toThrow('The workload failed twice');
    expect(told.join('\n')).toContain('The hook prepare ended at its timeout of 0.2 s');
    expect(happened().every((line) => line.startsWith('cleanup '))).toBe(true);
  });

  it('put things back when the program is stopped', async () => {
    const stop = new AbortController();
    const hooks = { 'before-all': 'touch before', 'after-all': 'sh note after-all' };
    const measuring = measured({ hooks, workload: { run: 'touch running; sleep 300' } }, stop.signal);
    const ended = expect(measuring).rejects.toThrow('stopped by SIGTERM');
    while (!existsSync(join(folder, 'running'))) await new Promise((done) => setTimeout(done, 20));
    stop.abort(new Stopped('SIGTERM'));
    await ended;
    expect(happened()).toEqual(['after-all 0 ']);
  });

  it('are on the host, and say so', () => {
    expect(() => measured({ hooks: { prepare: { run: 'true', place: 'variant' } } })).toThrow(
      'hooks.prepare.place: "variant" was given; it must be "host"; what prepares a run in the variant\'s own place is prepare of the workload',
    );
  });
});

describe('idleness as a workload', () => {
  it('does nothing for so long, longer than a command may take', () => {
    const text = JSON.stringify({
      workload: { run: { idle: '2h' } },
      variants: { native: {}, inside: { image: 'x' } },
    });
    const { variants } = parseExperiment(text, { file: 'joulediff.yml', directory: folder });
    expect(variants.map(({ workload: { run, timeoutS } }) => [run, timeoutS])).toEqual([
      ['exec sleep 7200', 7260],
      ['exec sleep 7200', 7260],
    ]);
    const wrong = JSON.stringify({ workload: { run: { idle: -1 } }, variants: { a: {}, b: {} } });
    expect(() => parseExperiment(wrong, { file: 'joulediff.yml', directory: folder })).toThrow(
      'workload.run.idle: -1 was given; it must be a time above 0 and up to 168h',
    );
  });
});
