// Class: world.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { PrintedSamples } from '../../../../../../src/parts/explain/observers/profilers/jfr/printed.ts';
import { native } from '../../../../../executors/bench.ts';
import { shortExperiment } from '../../../../../measure/short-experiment.ts';
import { explained } from '../explained.ts';

process.env.JOULEDIFF_LOCK = `joulediff.test.${process.pid}`;

// class Work { static double x; static void spin(long ns) { … while (threads.getCurrentThreadCpuTime() - from < ns) x += Math.sin(x + i); }
// public static void main(String[] a) { spin(1_000_000_000L); } }, compiled for Java 11
const WORK =
  'yv66vgAAADcAKQoAAgADBwAEDAAFAAYBABBqYXZhL2xhbmcvT2JqZWN0AQAGPGluaXQ+AQADKClWCgAIAAkHAAoMAAsADAEAJmphdmEvbGFuZy' +
  '9tYW5hZ2VtZW50L01hbmFnZW1lbnRGYWN0b3J5AQAPZ2V0VGhyZWFkTVhCZWFuAQAlKClMamF2YS9sYW5nL21hbmFnZW1lbnQvVGhyZWFkTVhC' +
  'ZWFuOwsADgAPBwAQDAARABIBACFqYXZhL2xhbmcvbWFuYWdlbWVudC9UaHJlYWRNWEJlYW4BABdnZXRDdXJyZW50VGhyZWFkQ3B1VGltZQEAAy' +
  'gpSgkAFAAVBwAWDAAXABgBAARXb3JrAQABeAEAAUQKABoAGwcAHAwAHQAeAQAOamF2YS9sYW5nL01hdGgBAANzaW4BAAQoRClEBQAAAAA7msoA' +
  'CgAUACIMACMAJAEABHNwaW4BAAQoSilWAQAEQ29kZQEADVN0YWNrTWFwVGFibGUBAARtYWluAQAWKFtMamF2YS9sYW5nL1N0cmluZzspVgAhAB' +
  'QAAgAAAAEACAAXABgAAAADAAEABQAGAAEAJQAAABEAAQABAAAABSq3AAGxAAAAAAAIACMAJAABACUAAABhAAYABgAAAD64AAdNLLkADQEAQiy5' +
  'AA0BACFlHpScACgDNgUVBRFOIKIAGrIAE7IAExUFh2O4ABljswAThAUBp//kp//RsQAAAAEAJgAAABEABP0ACwcADgT8AA8B+gAeAgAJACcAKA' +
  'ABACUAAAATAAIAAQAAAAcUAB+4ACGxAAAAAAAA';

const itWithJava = spawnSync('java', ['-version']).status === 0 ? it : it.skip;

itWithJava("gives methods of Java's Flight Recorder within the window", async () => {
  const folder = mkdtempSync(join(tmpdir(), 'joulediff-jfr-'));
  try {
    writeFileSync(join(folder, 'Work.class'), Buffer.from(WORK, 'base64'));
    const experiment = shortExperiment(folder, [native({ run: ['java', '-cp', folder, 'Work'] })], {
      repetitions: 1,
      profiles: [{ kind: 'jfr', of: null, port: null }],
    });
    const { observed } = await explained(folder, experiment, 2);
    expect(observed.map(({ by }) => by.find(({ name }) => name === 'jfr'))).toEqual([
      { name: 'jfr', failure: null },
      { name: 'jfr', failure: null },
    ]);
    const samples = observed.flatMap((run) => run.samples.map((sample) => ({ run, ...sample })));
    const stacks = new Set(samples.map(({ frames }) => frames.map(({ name }) => name).join(' ')));
    expect([...stacks].filter((stack) => stack.startsWith('Work.main Work.spin'))).not.toEqual([]);
    expect(samples.filter(({ tNs, run }) => tNs < run.startNs || tNs > run.endNs)).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

// jfr print of OpenJDK 17.0.15
const PRINTED = `jdk.ExecutionSample {
  startTime = 23:59:59.998
  sampledThread = "main" (javaThreadId = 1)
  state = "STATE_RUNNABLE"
  stackTrace = [
    Handler$$Lambda$14/0x00000008000c4.run(Object) line: 12
    java.util.ArrayList.forEach(Consumer) line: 1511
    W.main(String[]) line: 1
  ]
}

jdk.ExecutionSample {
  startTime = 00:00:00.003
  stackTrace = [
    W.main(String[]) line: 1
  ]
}

jdk.ExecutionSample {
  startTime = 12:00:00.000
  stackTrace = [
    W.later() line: 1
  ]
}
`;

it('finds the day of a printed time, and the names of lambdas that are the same in each run', () => {
  const midnight = BigInt(Date.UTC(2026, 10, 24)) * 1_000_000n;
  const window = { startNs: 1_000_000_000n, endNs: 1_010_000_000n };
  // The window begins 5 ms before midnight.
  const samples = new PrintedSamples(window, midnight - 5_000_000n - window.startNs);
  for (const line of PRINTED.split('\n')) samples.take(line);
  const main = { name: 'W.main', library: 'W' };
  expect(samples.all()).toEqual([
    {
      tNs: window.startNs + 3_000_000n,
      weightNs: 10_000_000,
      frames: [
        main,
        { name: 'java.util.ArrayList.forEach', library: 'jdk:internal' },
        { name: 'Handler$$Lambda.run', library: 'Handler$$Lambda' },
      ],
    },
    { tNs: window.startNs + 8_000_000n, weightNs: 10_000_000, frames: [main] },
  ]);
});
