import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { measure } from '../../src/measure/measure.ts';
import { withStore } from '../../src/store/reader.ts';
import { logPath } from '../../src/system/result-files.ts';
import { eventually, native } from '../executors/bench.ts';
import { type SecondMachine, SKEW, SSHD, secondMachine } from '../hosts/sshd.ts';
import { goodRuns, listening, shortExperiment } from './short-experiment.ts';

// Whole experiments on a machine behind a real sshd, over a line with a delay, with a clock that is an hour off and drifts; its meter is here.

const WATTS = 40;
const { signal: never } = new AbortController();

(SSHD === null ? describe.skip : describe)('a machine over ssh is measured (needs openssh-server)', () => {
  let folder: string;
  let sut: SecondMachine;
  let lockBefore: string | undefined;
  beforeAll(() => {
    lockBefore = process.env.JOULEDIFF_LOCK;
    process.env.JOULEDIFF_LOCK = `joulediff.host.${randomUUID()}`;
    sut = secondMachine({ delayMs: 3, jitterMs: 3 });
  });
  afterAll(() => {
    sut[Symbol.dispose]();
    if (lockBefore === undefined) delete process.env.JOULEDIFF_LOCK;
    else process.env.JOULEDIFF_LOCK = lockBefore;
  });
  beforeEach(() => {
    folder = mkdtempSync(join(sut.folder, 'experiment-'));
    const program = join(folder, 'meter.sh');
    writeFileSync(program, `#!/bin/sh\nwhile echo '{"power_w": ${WATTS}}'; do sleep 0.1; done\n`, { mode: 0o755 });
  });

  const experimentOf = (run: string, change = {}) =>
    shortExperiment(folder, [native({ run }), { ...native({ run }), name: 'other' }], {
      host: sut.address,
      meters: [`command:${join(folder, 'meter.sh')}?period=0.5`],
      repetitions: 1,
      restS: 3,
      guardS: 3,
      ...change,
    });

  it('with windows that hold what ran, on the clock of the samples; and nothing of this machine is recorded for it', async () => {
    const stamps = join(folder, 'stamps');
    writeFileSync(
      join(folder, 'work.sh'),
      `/usr/bin/python3 -c 'import time; print(time.monotonic_ns())' >>${stamps}\n`,
    );
    // It finds its files where they were sent, and its own clock is that of this machine: only its helper's is off.
    const experiment = experimentOf('sh work.sh && sleep 0.3 && sh work.sh && echo "it did"; pwd');
    const outDir = join(folder, 'out');
    const { told, progress } = listening();
    await measure({ experiment, outDir, resume: false, signal: never, progress });
    expect(goodRuns(outDir)).toEqual([1, 2]);
    const [runs, clocks, sessions, variants] = withStore(join(outDir, 'experiment.db'), (reader) => {
      expect(reader.machineStates().size + reader.incidents().size + reader.counters().size).toBe(0);
      return [reader.runs(), reader.clocks(), reader.sessions(), reader.variants()];
    });
    const times = readFileSync(stamps, 'utf8').trim().split('\n').map(BigInt);
    runs.forEach(({ run, startNs, endNs }, i) => {
      const { edgeS } = clocks.get(run) as { edgeS: number };
      const edgeNs = BigInt(Math.ceil(edgeS * 1e9));
      expect(startNs - edgeNs).toBeLessThan(times[2 * i] as bigint);
      expect(endNs + edgeNs).toBeGreaterThan(times[2 * i + 1] as bigint);
      // On this clock, not on that one.
      expect(endNs).toBeLessThan(process.hrtime.bigint());
      expect(endNs).toBeLessThan(SKEW.offsetNs + startNs);
    });
    expect(sessions[0]?.conditions.measured_from).toBeDefined();
    expect(variants.map(({ facts }) => facts)).toEqual([{ host: 'sut' }, { host: 'sut' }]);
    const logs = readFileSync(logPath(outDir, 1, runs[0]?.variant ?? ''), 'utf8');
    expect(logs).toMatch(new RegExp(`^it did\n${sut.folder}/tmp/`));
    expect(told.filter((line) => /could not|invalid|failed/.test(line))).toEqual([]);
    expect(sut.left()).toEqual([]);
  });

  it('and a connection that is cut in a run is made again, and the run made up for', async () => {
    const began = join(folder, 'began');
    const outDir = join(folder, 'out');
    const { told, progress } = listening();
    const experiment = experimentOf(`echo $$ >>${began}; sleep 1`);
    const measuring = measure({ experiment, outDir, resume: false, signal: never, progress });
    await Promise.race([eventually(() => lines(began) === 1), measuring]);
    sut.cut();
    await measuring;
    expect(goodRuns(outDir)).toEqual([1, 2]);
    expect(told.join('\n')).toMatch(/The connection to ssh:\/\/sut was lost/);
    expect(sut.left()).toEqual([]);
  });

  it('and a stop ends what runs there', async () => {
    const pid = join(folder, 'pid');
    const outDir = join(folder, 'out');
    const stop = new AbortController();
    const experiment = experimentOf(`echo $$ >${pid}.new; mv ${pid}.new ${pid}; exec sleep 600`);
    const measuring = measure({
      experiment,
      outDir,
      resume: false,
      signal: stop.signal,
      progress: listening().progress,
    });
    measuring.catch(() => {});
    await Promise.race([eventually(() => existsSync(pid)), measuring]);
    stop.abort(new Error('enough'));
    await expect(measuring).rejects.toThrow('enough');
    expect(existsSync(`/proc/${readFileSync(pid, 'utf8').trim()}/stat`)).toBe(false);
    expect(sut.left()).toEqual([]);
  });

  it('and a meter that looks at this machine is refused', async () => {
    const experiment = experimentOf('true', { meters: ['estimate'] });
    const { progress } = listening();
    await expect(
      measure({ experiment, outDir: join(folder, 'out'), resume: false, signal: never, progress }),
    ).rejects.toThrow('estimate tells what this machine uses, and ssh://sut is measured.');
  });
});

const lines = (path: string): number => (existsSync(path) ? readFileSync(path, 'utf8').split('\n').length - 1 : 0);
