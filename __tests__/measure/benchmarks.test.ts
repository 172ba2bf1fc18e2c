// Class: world.
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Findings } from '../../src/findings/findings.ts';
import { start } from '../terminal/program.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'joulediff-suite-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const env = () => ({ JOULEDIFF_LOCK: `joulediff.test.suite.${process.pid}`, XDG_STATE_HOME: folder });
const QUICK = { meter: 'estimate', rest: '100ms', guard: '50ms', warmup: { runs: 1 }, repetitions: 2, batch: 1 };

async function measured(experiment: object, ...words: string[]) {
  writeFileSync(join(folder, 'joulediff.yml'), JSON.stringify({ ...QUICK, ...experiment }));
  const ended = await start(['run', ...words, '--json'], env(), folder).ended;
  return {
    ...ended,
    findings: (ended.code === 2 || ended.code === 3 ? null : JSON.parse(ended.stdout)) as Findings | null,
  };
}

const BUSY = 'i=0; while [ $i -lt 30000 ]; do i=$((i + 1)); done';

describe('the benchmarks of a suite', () => {
  it('are listed in each variant’s place: named as they are, those of one side apart, failing ones given up', async () => {
    const names = ['plain', 'with space', `quo'te"$(touch hacked)`, 'ünïcode/½', 'test[a-1]', 'plain', 'fails'];
    writeFileSync(join(folder, 'list.sh'), `cat <<'X'\n${names.join('\n')}\nX\necho "only $SIDE"\necho warning >&2\n`);
    writeFileSync(join(folder, 'run.sh'), `[ "$1" != fails ] || exit 3\n${BUSY}\n`);
    const { code, stderr, findings } = await measured({
      suite: { list: 'sh list.sh', run: 'sh run.sh {name}', exclude: ['plan', '*(none)'] },
      variants: { base: { env: { SIDE: 'before' } }, head: { env: { SIDE: 'after' } } },
    });
    expect(code).toBe(0);
    const states = Object.fromEntries(findings!.suite!.benchmarks.map(({ name, state }) => [name, state]));
    const isReported = ({ state }: { state: string }) => state === 'compared' || state === 'too-short';
    expect(states).toMatchObject({ fails: 'failed', 'only before': 'gone', 'only after': 'new' });
    expect(findings!.suite!.benchmarks.filter(isReported).map(({ name }) => name)).toEqual(
      [...new Set(names)].slice(0, 5),
    );
    expect(stderr).toContain('Benchmark "fails" is given up');
    expect(stderr).toContain('exclude: "plan" is the name of no benchmark; did you mean "plain"?');
    expect(stderr).toContain('exclude: "*(none)" is the name of no benchmark; there are "plain", "with space"');
    expect(stderr).toContain('On one side only, so not compared: only before and only after.');
    // Every planned run is there once, and nothing of the name was carried out.
    expect(findings!.experiment.complete).toBe(true);
    expect((await start(['analyze', 'joulediff-out'], env(), folder).ended).stdout).not.toContain('hacked)\n');
  });

  it('that hang or crash end none of the others', async () => {
    const { code, findings, stderr } = await measured({
      suite: {
        good: BUSY,
        hangs: { run: 'sleep 100', timeout: '1s' },
        crashes: 'kill -SEGV $$',
        leaves: 'sleep 100 & :',
        silent: 'true',
      },
      variants: { base: {}, head: {} },
      budget: { good: '1000 J' },
    });
    expect(code).toBe(0);
    const states = Object.fromEntries(findings!.suite!.benchmarks.map(({ name, state }) => [name, state]));
    expect(states).toMatchObject({ hangs: 'failed', crashes: 'failed', leaves: 'invalid', silent: 'too-short' });
    expect(stderr).toMatch(/Benchmark "leaves" is given up, since run \d+ is invalid again: /);
    expect(findings!.variants.find(({ name }) => name === 'good/head')?.runs).toBe(2);
  });

  it('that crash pass no limit that was set for them', async () => {
    const { code, findings, stderr } = await measured({
      suite: { good: BUSY, crashes: '[ "$SIDE" = before ]' },
      variants: { base: { env: { SIDE: 'before' } }, head: { env: { SIDE: 'after' } } },
      'fail-on': '500%',
    });
    expect([code, stderr.includes('Benchmark "crashes" is given up')]).toEqual([1, true]);
    expect(findings!.thresholds?.filter(({ fails }) => fails)).toMatchObject([
      { variant: 'crashes/head', state: 'open', obstacle: 'failed' },
    ]);
  });

  it('go on where they were stopped, with the list that the experiment began with', async () => {
    writeFileSync(join(folder, 'list.sh'), 'echo one; echo two\n');
    const suite = { list: 'sh list.sh', run: `: {name}; ${BUSY}` };
    const experiment = { ...QUICK, suite, variants: { a: {}, b: {} }, repetitions: 6 };
    writeFileSync(join(folder, 'joulediff.yml'), JSON.stringify(experiment));
    const program = start(['measure'], env(), folder);
    await program.until(({ stderr }) => stderr().includes('run 1 of'));
    program.child.kill('SIGTERM');
    await program.ended;
    writeFileSync(join(folder, 'list.sh'), 'echo one; echo two; echo three\n');
    const { findings } = await measured(experiment, '--resume');
    expect(findings!.suite!.benchmarks.map(({ name }) => name)).toEqual(['one', 'two']);
    expect(findings!.experiment.complete).toBe(true);
    expect(findings!.variants.map(({ runs }) => runs)).toEqual([6, 6, 6, 6]);
  });

  it('have their own number of executions, metrics and services', async () => {
    const file = join(folder, 'served');
    const { findings, stderr } = await measured({
      suite: {
        thrice: { run: `echo x >> thrice; ${BUSY}`, batch: 3, services: [] },
        prints: {
          run: `echo "took 12 ms"; cat ${file}; ${BUSY}`,
          metrics: { took: { line: 'took * ms', unit: 'ms' } },
        },
        loops: {
          run: `echo "items: {executions}"; ${BUSY}`,
          metrics: { items: { line: 'items: *', unit: 'items' } },
        },
      },
      services: {
        server: {
          run: `echo served > ${file}; exec sleep 100`,
          stop: { signal: 'SIGKILL' },
          ready: { command: `test -e ${file}` },
        },
      },
      variants: { a: {}, b: {} },
      batch: { window: '200ms' },
      rest: '50ms',
    });
    const of = (name: string) => findings!.variants.find((variant) => variant.name === `${name}/b`)!;
    expect(stderr).toContain('1 warm-up block is too few to find how often loops must repeat to fill a window');
    expect([of('thrice').executions_per_run, of('prints').executions_per_run ?? 1]).toEqual([3, 1]);
    expect(of('loops').executions_per_run).toBeGreaterThan(1);
    expect(of('prints').metrics?.find(({ name }) => name === 'took')?.value?.mean).toBe(12);
    expect(of('loops').metrics?.map(({ name, value }) => [name, value?.mean])).toEqual([
      ['items', of('loops').executions_per_run],
    ]);
    expect(of('thrice').metrics ?? []).toEqual([]);
    const logs = (name: string) => readdirSync(join(folder, 'joulediff-out/logs')).filter((log) => log.includes(name));
    expect(logs('prints').some((log) => log.includes('server'))).toBe(true);
    expect(logs('thrice').some((log) => log.includes('server'))).toBe(false);
  });

  it('tell the time of an execution as their harness measured it', async () => {
    writeFileSync(
      join(folder, 'test_speed.py'),
      'import time\ndef test_sleep(benchmark): benchmark(time.sleep, 0.02)\n',
    );
    const { findings } = await measured({
      suite: { harness: 'pytest-benchmark' },
      variants: { a: {}, b: {} },
      batch: 5,
    });
    const [metric] = findings!.variants[0]!.metrics ?? [];
    expect(metric).toMatchObject({ name: 'iteration_time', unit: 'ns', runs: 2 });
    expect(metric!.value!.mean).toBeGreaterThan(20e6);
    expect(metric!.value!.mean).toBeLessThan(60e6);
  });

  it.each([
    ['exit 4', 3, 'could not be listed: the command ended with exit code 4'],
    ['true', 2, 'The suite has no benchmarks'],
    ['echo "$SIDE"', 2, 'No benchmark is on both sides'],
    ['echo parse', 2, 'budget: "prase" is the name of no benchmark or variant; did you mean "parse"?'],
  ])('that %s lists end the experiment with a sentence', async (list, code, message) => {
    const { stderr, ...ended } = await measured({
      suite: { list, run: 'true {name}' },
      variants: { a: { env: { SIDE: 'x' } }, b: { env: { SIDE: 'y' } } },
      budget: { prase: '12 J' },
    });
    expect(ended.code).toBe(code);
    expect(stderr).toContain(message);
  });

  it('are told of by plan without being listed', async () => {
    writeFileSync(
      join(folder, 'joulediff.yml'),
      JSON.stringify({ suite: { harness: 'go' }, variants: { a: {}, b: {} }, meter: 'estimate' }),
    );
    const { stdout } = await start(['plan', '--offline'], env(), folder).ended;
    expect(stdout).toContain('a and b: each benchmark of the suite');
    expect(stdout).toContain("The benchmarks are listed in each variant's place when the experiment begins (go)");
  });

  it('that are slower are found, and nothing else is', async () => {
    const loop = (n: number) => `i=0; while [ $i -lt ${n} ]; do i=$((i + 1)); done`;
    const { code, findings } = await measured({
      suite: {
        same: loop(60_000),
        slower: `n=60000; [ "$SIDE" = after ] && n=240000; ${loop(0).replace('0 ]', '$n ]')}`,
      },
      variants: { base: { env: { SIDE: 'before' } }, head: { env: { SIDE: 'after' } } },
      batch: { window: '300ms' },
      repetitions: 10,
      'fail-on': [
        { above: '5%', variant: 'head' },
        { above: '500%', suite: 'mean' },
      ],
      budget: { same: '1000 J' },
    });
    expect(code).toBe(1);
    const verdicts = findings!.comparisons.map(({ benchmark, verdict }) => [benchmark, verdict]);
    expect(verdicts).toContainEqual(['slower', 'increase']);
    const [mean] = findings!.suite!.means;
    expect(mean).toMatchObject({ baseline: 'base', variant: 'head', benchmarks: 2, blocks: 10 });
    expect(mean!.percent.estimate).toBeGreaterThan(5);
    const states = findings!.thresholds?.map(({ of, variant, state }) => [of, variant, state]);
    // One in forty equal pairs is called an increase; hardly any crosses 5 %.
    expect(states).not.toContainEqual([undefined, 'same/head', 'crossed']);
    expect(states).toEqual(
      expect.arrayContaining([
        [undefined, 'slower/head', 'crossed'],
        ['mean', 'head', 'kept'],
      ]),
    );
  });

  it('that are settled are not run again, and those left are run until they are, or to the end', async () => {
    const loop = (count: string) => `n=${count}; i=0; while [ $i -lt $n ]; do i=$((i + 1)); done`;
    const { findings, stderr } = await measured({
      suite: {
        clear: loop('$((60000 * ($SIDE + 1) * ($SIDE + 1)))'),
        open: loop('$((40000 + $(od -An -N2 -tu2 /dev/urandom)))'),
      },
      variants: { base: { env: { SIDE: '0' } }, head: { env: { SIDE: '1' } } },
      batch: { window: '200ms' },
      repetitions: { least: 8, most: 12 },
    });
    expect(findings!.experiment.complete).toBe(true);
    const runsOf = (name: string) => findings!.variants.find((variant) => variant.name === name)!.runs;
    for (const { variant, baseline, blocks } of findings!.comparisons) {
      expect([runsOf(variant), runsOf(baseline)]).toEqual([blocks, blocks]);
    }
    // By chance both end at once; what is settled alone is said, and has fewer runs.
    const isAlone = stderr.includes('Settled, so not run again: clear.');
    expect(runsOf('clear/head') < runsOf('open/head')).toBe(isAlone);
  });
});
