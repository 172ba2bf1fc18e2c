// Class: system.
import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { RunTelemetry } from '../../../src/contracts/execution.ts';
import type { RunContext } from '../../../src/executors/executor.ts';
import { ANY_LINE } from '../../../src/executors/phases/phase-lines.ts';
import type { Variant } from '../../../src/executors/registry.ts';
import { Bench, container, native, testImage } from '../bench.ts';

const IMAGE = 'joulediff-test:busybox';

let bench: Bench;
beforeAll(async () => {
  await testImage(IMAGE);
});
beforeEach(() => {
  bench = new Bench();
});
afterEach(() => bench.close());

async function run(variant: Variant, more: Pick<RunContext, 'executions' | 'ownStarts' | 'phaseLines'> = {}) {
  const executor = await bench.ready(variant);
  const prepared = await executor.prepare(bench.context(more));
  try {
    const execution = await prepared.execute({ onEdge() {} });
    return { ...execution, ...((await prepared.telemetry?.()) as RunTelemetry) };
  } finally {
    await prepared.dispose();
  }
}

const names = ({ marks }: RunTelemetry) => marks.map(({ phase }) => phase);
const paused = (...lines: string[]) => lines.map((line) => `sleep 0.15; echo '${line}'`).join('; ');
const THREE = paused('::joulediff phase load', '::joulediff phase sort', '::joulediff end');

const kinds: [string, (run: string | string[], more?: object) => Variant][] = [
  ['natively', (command, more) => native({ run: command, ...more })],
  ['in a container', (command, more) => container(IMAGE, { run: command, ...more })],
];

describe.each(kinds)('phases %s', (_, variant) => {
  it('are told by markers on stdout and stderr, in order and inside the window', async () => {
    const reported = await run(variant(`${THREE}; sleep 0.1; echo '::joulediff phase after' >&2; sleep 0.1`));
    expect(reported.phaseProblem).toBeNull();
    expect(names(reported)).toEqual(['load', 'sort', null, 'after']);
    const times = [reported.startNs, ...reported.marks.map(({ tNs }) => tNs), reported.endNs];
    expect(times).toEqual([...times].sort((a, b) => (a < b ? -1 : 1)));
  });

  it('are told by lines of an unchanged program', async () => {
    const phaseLines = [
      { phase: 'load', pattern: '^Loading' },
      { phase: 'sort', pattern: 'Loaded * rows' },
    ];
    const reported = await run(variant(paused('Loading', 'INFO Loaded 3 rows', 'done')), { phaseLines });
    expect(names(reported)).toEqual(['load', 'sort']);
  });

  it('may begin with any line that is printed once, whatever its numbers', async () => {
    const lines = ['begin 0x7ffe12ab', 'step 1', 'step 2', '[12:30:01.5] loaded 12 rows', 'done after 3.5 s'];
    const others = lines.map((line) => line.replace(/[1-9]/g, '7'));
    for (const printed of [lines, others]) {
      const command = printed.map((line) => `echo '${line}'`).join('; ');
      const reported = await run(variant(`${command}; printf 'GET: 1%%\\rGET: 99%%\\r== GET ==\\n'`), {
        phaseLines: [ANY_LINE],
      });
      expect(names(reported)).toEqual(['begin #', 'loaded # rows', 'done after # s', 'GET: #%', '== GET ==']);
    }
  });

  it('are those of the markers where there are any, and none where far too many lines are printed', async () => {
    const phaseLines = [ANY_LINE];
    expect(names(await run(variant(`echo before; ${THREE}; echo after`), { phaseLines }))).toEqual([
      'load',
      'sort',
      null,
    ]);
    // The end of the run tells markers without an end from lines.
    const open = await run(variant(paused('before', '::joulediff phase load', 'after')), { phaseLines });
    expect(open.marks).toMatchObject([{ phase: 'load' }, { phase: null, tNs: open.endNs, lateNs: 0n }]);
    // Ten letters in the place of digits: lines that differ in no number.
    const flood =
      'for a in 0 1 2; do for b in 0 1 2 3 4 5 6 7 8 9; do for c in 0 1 2 3 4 5 6 7 8 9; do for d in 0 1 2 3 4 5 6 7 8 9; do echo line $a$b$c$d; done; done; done; done';
    const letters = flood.replace(/\b\d\b/g, (digit) => 'ghijklmnop'[Number(digit)] ?? '');
    const reported = await run(variant(letters), { phaseLines });
    expect(reported.marks).toEqual([]);
    expect(reported.phaseProblem).toBe('it printed more than 1000 different lines, too many to find phases in');
  });

  it.each([false, true])('come again with every execution of a window, own starts: %s', async (ownStarts) => {
    const reported = await run(variant(THREE), { executions: 2, ownStarts });
    expect(names(reported)).toEqual(['load', 'sort', null, 'load', 'sort', null]);
  });

  it('are of the run, not of prepare and cleanup', async () => {
    const marker = "echo '::joulediff phase elsewhere'";
    const reported = await run(variant(THREE, { prepare: marker, cleanup: marker }));
    expect(names(reported)).toEqual(['load', 'sort', null]);
  });

  it('are all or none: a wrong marker tells why', async () => {
    const reported = await run(variant(paused('::joulediff phase load', '::joulediff pahse sort')));
    expect(reported.marks).toEqual([]);
    expect(reported.phaseProblem).toContain('it printed "::joulediff pahse sort"');
  });

  it('are none for a workload that tells none', async () => {
    const reported = await run(variant('echo plain'));
    expect(reported).toMatchObject({ marks: [], phaseProblem: null });
  });
});

describe('the time of a phase', () => {
  const clock = (count: number, ms: number) => {
    const script = `let i = 0; const tell = () => { console.log('::joulediff phase ' + process.hrtime.bigint()); if (++i < ${count}) setTimeout(tell, ${ms}); }; tell();`;
    return ['-e', script];
  };
  // The name of each phase is the moment of its print.
  const latenessMs = (reported: RunTelemetry) =>
    reported.marks.map(({ phase, tNs, lateNs }) => ({
      lateMs: Number(tNs - BigInt(phase ?? '0')) / 1e6,
      knownMs: Number(lateNs) / 1e6,
    }));

  it('natively lies after its print, and by no more than it says or the host was busy', async () => {
    const reported = await run(native({ run: [process.execPath, ...clock(20, 35)] }));
    const late = latenessMs(reported);
    expect(late).toHaveLength(20);
    for (const { lateMs } of late) expect(lateMs).toBeGreaterThan(0);
    expect(late.filter(({ lateMs }) => lateMs < 100).length).toBeGreaterThan(10);
    if (process.env.TELL) console.log(late);
  });

  it('in a container is that of its print, as the engine saw it', async () => {
    const command = ['chroot', '/host', process.execPath, ...clock(20, 35)];
    const reported = await run(container(IMAGE, { run: command }, { volumes: ['/:/host:ro'] }));
    const late = latenessMs(reported);
    expect(late).toHaveLength(20);
    // The wall clock is known to a millisecond.
    for (const { lateMs } of late) expect(lateMs).toBeGreaterThan(-1.5);
    expect(late.filter(({ lateMs }) => lateMs < 100).length).toBeGreaterThan(10);
    if (process.env.TELL) console.log(late);
  });

  it('natively is known to some milliseconds in a flood of output, too', async () => {
    // Much of it is cut away while it is written, and a mark is written all the time.
    const script =
      "const fs = require('fs'); const line = 'x'.repeat(200) + '\\n'; const t = performance.now(); let k = 0; let bytes = 0; while (k < 45 || bytes < 60e6) { bytes += fs.writeSync(1, line.repeat(50)); if (k < 45 && performance.now() - t > 8 * (k + 1)) { k++; fs.writeSync(1, '::joulediff phase ' + process.hrtime.bigint() + '\\n'); } }";
    const reported = await run(native({ run: [process.execPath, '-e', script] }));
    expect(reported.phaseProblem).toBeNull();
    const late = latenessMs(reported);
    expect(bench.log()).toMatch(/joulediff left [\d,]+ bytes of output out/);
    expect(late).toHaveLength(45);
    for (const { lateMs } of late) expect(lateMs).toBeGreaterThan(0);
    if (process.env.TELL) console.log(late);
  });
});
