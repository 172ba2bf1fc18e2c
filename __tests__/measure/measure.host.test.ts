// Class: world.
import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { measure } from '../../src/measure/measure.ts';
import { withStore } from '../../src/store/reader.ts';
import { logPath } from '../../src/system/result-files.ts';
import { during, native } from '../executors/bench.ts';
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

  it('with windows that hold what ran, on the clock of the samples; a run whose connection is cut is made up for; nothing of this machine is recorded for it', async () => {
    const stamps = join(folder, 'stamps');
    const stamped = (run: number): string[] =>
      existsSync(`${stamps}-${run}`) ? readFileSync(`${stamps}-${run}`, 'utf8').trim().split('\n') : [];
    // A file that was sent there; its own clock is that of this machine: only its helper's is off.
    const stamp = "/usr/bin/python3 -c 'import time; print(time.monotonic_ns())'";
    writeFileSync(join(folder, 'work.sh'), `${stamp} >>${stamps}-$JOULEDIFF_RUN\n`);
    const experiment = experimentOf(
      'sh work.sh; [ "$JOULEDIFF_RUN" != 1 ] || sleep 600; sleep 0.3; sh work.sh; echo "it did"; pwd',
    );
    const outDir = join(folder, 'out');
    const { reported, progress } = listening();
    const measuring = measure({ experiment, outDir, resume: false, signal: never, progress });
    await during(measuring, () => stamped(1).length > 0);
    sut.cut();
    await measuring;
    expect(reported.join('\n')).toMatch(/The connection to ssh:\/\/sut was lost/);
    expect(goodRuns(outDir)).toEqual([1, 2]);
    const [runs, clocks, sessions, variants] = withStore(join(outDir, 'experiment.db'), (reader) => {
      expect(reader.machineStates().size + reader.incidents().size + reader.counters().size).toBe(0);
      return [reader.runs(), reader.clocks(), reader.sessions(), reader.variants()];
    });
    for (const { run, variant, startNs, endNs } of runs.filter(({ status }) => status === 'ok')) {
      const [begin = 0n, end = 0n] = stamped(run).map(BigInt);
      const edgeNs = BigInt(Math.ceil(Number(clocks.get(run)?.edgeS) * 1e9));
      expect(startNs - edgeNs).toBeLessThan(begin);
      expect(endNs + edgeNs).toBeGreaterThan(end);
      // On this clock, not on that one.
      expect(endNs).toBeLessThan(process.hrtime.bigint());
      expect(startNs).toBeGreaterThan(begin - SKEW.offsetNs);
      expect(readFileSync(logPath(outDir, run, variant), 'utf8')).toMatch(new RegExp(`^it did\n${sut.folder}/tmp/`));
    }
    expect(runs[0]).toMatchObject({ status: 'invalid', cause: 'place-lost' });
    expect(sessions[0]?.conditions.measured_from).toBeDefined();
    const digest = expect.stringMatching(/^[0-9a-f]{16}$/);
    // Where this machine tells nothing of its hardware, neither does the one that it plays.
    const hardware = variants[0]?.facts.host_hardware === null ? null : digest;
    const facts = { host: 'sut', host_machine: digest, host_hardware: hardware };
    expect(variants.map((variant) => variant.facts)).toEqual([facts, facts]);
    expect(sut.left()).toEqual([]);
  });

  it('and a stop ends what runs there; another machine that answers to the name then is not measured on', async () => {
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
    await during(measuring, () => existsSync(pid));
    stop.abort(new Error('enough'));
    await expect(measuring).rejects.toThrow('enough');
    expect(existsSync(`/proc/${readFileSync(pid, 'utf8').trim()}/stat`)).toBe(false);
    expect(sut.left()).toEqual([]);
    rmSync(pid);
    sut.pretend('/etc/machine-id', 'of-another');
    const { progress } = listening();
    await expect(measure({ experiment, outDir, resume: true, signal: never, progress })).rejects.toThrow(
      'Another machine answers as ssh://sut than before.',
    );
    expect(existsSync(pid)).toBe(false);
    expect(sut.left()).toEqual([]);
  });

  it('and a meter that looks at this machine is refused', async () => {
    const experiment = experimentOf('true', { meters: ['estimate'] });
    const { progress } = listening();
    await expect(
      measure({ experiment, outDir: join(folder, 'out'), resume: false, signal: never, progress }),
    ).rejects.toThrow('estimate measures this machine, but the workload runs on ssh://sut.');
  });
});
