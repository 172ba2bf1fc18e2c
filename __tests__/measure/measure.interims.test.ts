// Class: world.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { analyzeStore } from '../../src/analysis/analyze.ts';
import type { Workload } from '../../src/contracts/variant.ts';
import type { Experiment } from '../../src/experiment/experiment.ts';
import { blocksForVerdict, interimNotes } from '../../src/measure/interims.ts';
import { measure } from '../../src/measure/measure.ts';
import { plainText } from '../../src/report/document/text.ts';
import { howInShort } from '../../src/report/sections/top.ts';
import { blocksText, howParts } from '../../src/report/words/provenance.ts';
import { verdictText } from '../../src/report/words/verdict.ts';
import { openStore } from '../../src/store/reader.ts';

// Real processes, and the estimate of the processor's use as the meter.

let folder: string;
let lines: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'joulediff-adaptive-'));
  lines = [];
  process.env.JOULEDIFF_LOCK = `joulediff.adaptive.${randomUUID()}`;
});
afterEach(() => {
  delete process.env.JOULEDIFF_LOCK;
  rmSync(folder, { recursive: true, force: true });
});

const workload = (run: string): Workload => ({
  run,
  prepare: null,
  cleanup: null,
  env: {},
  workdir: null,
  timeoutS: 20,
});

function experiment(other: string, looks: readonly number[]): Experiment {
  return {
    name: 'adaptive',
    directory: folder,
    variants: [
      { kind: 'native', name: 'one', workload: workload('sleep 0.15') },
      { kind: 'native', name: 'other', workload: workload(other) },
    ],
    baseline: 'one',
    repetitions: looks.at(-1) as number,
    looks,
    warmup: { runs: 0 },
    restS: 0.2,
    guardS: 0.1,
    batch: 1,
    seed: 3,
    marginPercent: 1,
    meters: ['estimate'],
  };
}

async function measured(asked: Experiment, { resume = false, signal = new AbortController().signal } = {}) {
  const note = (line: string) => void lines.push(line);
  const progress = { note, warn: note, status: () => {}, end: () => {} };
  await measure({ experiment: asked, outDir: join(folder, 'out'), resume, signal, progress });
}

function read() {
  const reader = openStore(join(folder, 'out', 'experiment.db'));
  try {
    return { looks: reader.looks(), runs: reader.runs(), findings: analyzeStore(reader).findings };
  } finally {
    reader.close();
  }
}

describe('an experiment with looks', () => {
  it('ends at the first look that shows the change, and is complete', async () => {
    const asked = experiment('sleep 1', [8, 10]);
    await measured(asked);
    const { looks, runs, findings } = read();
    expect(runs).toHaveLength(16);
    expect(looks).toEqual([{ look: 1, blocks: 8, nominalP: expect.any(Number), p: 2 ** -7, because: 'changed' }]);
    expect(looks[0]?.nominalP).toBeGreaterThan(2 ** -7);
    expect(looks[0]?.nominalP).toBeLessThan(0.05);
    expect(findings.experiment).toMatchObject({
      complete: true,
      repetitions_planned: 10,
      repetitions_completed: 8,
      looks: { planned: [8, 10], used: 1, p: [2 ** -7], stopped_at: 8, stopped_because: 'changed' },
    });
    expect(findings.quality.checks[0]).toMatchObject({ name: 'plan', state: 'ok' });
    const [comparison] = findings.comparisons;
    expect(comparison).toMatchObject({ verdict: 'increase', look: { number: 1, of: 2, stopped_because: 'changed' } });
    expect(comparison?.percent.confidence).toBeCloseTo(1 - (looks[0]?.nominalP as number), 12);
    expect(plainText(verdictText(comparison!, 1))).toContain(
      'Ended early by plan, after 8 of at most 10 blocks, because every change was shown',
    );
    expect(plainText(verdictText(comparison!, 1))).toContain('on average, such an estimate is a little too large');
    expect(blocksText(findings)).toBe('8 of at most 10 randomized blocks, ended early by plan: every change was shown');
    expect(lines.join('\n')).toContain('blocks 9 to 10 are not needed');

    await measured(asked, { resume: true });
    expect(lines.at(-1)).toBe('Nothing is left to measure: the experiment is complete.');
    expect(read().runs).toHaveLength(16);
    await expect(measured(experiment('sleep 1', [9, 10]), { resume: true })).rejects.toThrow('looks changed since');
  });

  it('goes to the last interim analysis where nothing is shown', async () => {
    await measured(experiment('sleep 0.15', [4, 5]));
    const { looks, runs, findings } = read();
    expect(runs).toHaveLength(10);
    // Five blocks can't reach p = 0.05, whatever they show: with more, one in twenty equal pairs would be called a change.
    expect(looks.map(({ look, blocks, because }) => [look, blocks, because])).toEqual([
      [1, 4, null],
      [2, 5, 'complete'],
    ]);
    expect(findings.experiment).toMatchObject({ complete: true, looks: { used: 2, stopped_at: null } });
    expect(findings.comparisons[0]?.look).toMatchObject({ number: 2, of: 2, stopped_because: null });
    expect(plainText(verdictText(findings.comparisons[0]!, 1))).not.toContain('Ended early');
    expect(lines.join('\n')).toContain('The interim analysis after 4 and 5 blocks can show no change');
    expect(lines.join('\n')).toMatch(
      /Interim analysis 2 of 2, after 5 blocks: .+\. All planned blocks are measured\.$/m,
    );
  });

  it('resumed between two looks takes each look once', async () => {
    const asked = experiment('sleep 0.15', [2, 3, 4]);
    const stop = new AbortController();
    const progress = {
      note: (line: string) => void lines.push(line),
      warn: () => {},
      status: ({ block }: { block: number }) => block === 3 && stop.abort(new Error('stopped by hand')),
      end: () => {},
    };
    const outDir = join(folder, 'out');
    await expect(measure({ experiment: asked, outDir, resume: false, signal: stop.signal, progress })).rejects.toThrow(
      'stopped by hand',
    );
    const before = read();
    expect(before.looks).toMatchObject([{ look: 1, blocks: 2, because: null }]);
    expect(before.findings.experiment).toMatchObject({ complete: false, looks: { used: 1, stopped_at: null } });
    await measured(asked, { resume: true });
    expect(read().looks.map(({ look }) => look)).toEqual([1, 2, 3]);
    expect(read().findings.experiment).toMatchObject({ complete: true, looks: { used: 3, stopped_at: null } });
  });
});

describe('an experiment whose repetitions follow from what is seen', () => {
  const auto = (other: string, most: number, of: Experiment['auto']): Experiment => {
    const { looks: _, ...fixed } = experiment(other, [most]);
    return { ...fixed, ...(of && { auto: of }) };
  };

  it('ends as soon as the change is settled, and says so in one clause', async () => {
    const asked = auto('sleep 0.5', 20, { least: 8 });
    expect(interimNotes(asked)).toEqual([
      'It ends as soon as every comparison is settled, as a change or as equivalent, after 8 blocks at the earliest and 20 at the latest.',
    ]);
    await measured(asked);
    const { looks, findings } = read();
    expect(looks).toMatchObject([{ look: 1, blocks: 8, because: 'settled' }]);
    expect(findings.experiment).toMatchObject({
      complete: true,
      repetitions_planned: 20,
      repetitions_completed: 8,
      looks: { spending: 'pocock', stopped_at: 8, stopped_because: 'settled' },
    });
    expect(blocksText(findings)).toBe(
      '8 of at most 20 randomized blocks, ended early by plan: every comparison was settled',
    );
    expect(lines.join('\n')).toContain('Every comparison is settled. The experiment ends here by plan');
  });

  it('has as many blocks as fit into its time, counted after the warm-up, and goes on with them when it is resumed', async () => {
    const asked = { ...auto('sleep 0.15', 500, { least: 10, withinS: 7 }), warmup: { runs: 1 } };
    const stop = new AbortController();
    const progress = {
      note: () => {},
      warn: () => {},
      status: ({ block }: { block: number }) => block === 2 && stop.abort(new Error('stopped by hand')),
      end: () => {},
    };
    const outDir = join(folder, 'out');
    await expect(measure({ experiment: asked, outDir, resume: false, signal: stop.signal, progress })).rejects.toThrow(
      'stopped by hand',
    );
    const planned = read().findings.experiment.repetitions_planned as number;
    // A block takes a second or a little more.
    expect(planned).toBeGreaterThanOrEqual(6);
    expect(planned).toBeLessThan(10);
    await measured(asked, { resume: true });
    expect(lines.join('\n')).not.toContain('The interval is expected');
    const { findings } = read();
    expect(findings.experiment).toMatchObject({ complete: true, repetitions_planned: planned });
    expect(findings.experiment.looks?.planned.at(-1)).toBe(planned);
  });

  it('leaves a command that repeats itself the executions of its warm-up, and plans only its blocks', async () => {
    const count = "awk 'BEGIN { for (i = 0; i < {executions}; i++) x += i }'";
    const asked = auto(count, 500, { least: 10, wantPercent: 1 });
    const variants = asked.variants.map((one) => ({ ...one, workload: workload(count) }));
    const stop = new AbortController();
    const note = (line: string) => {
      lines.push(line);
      if (line.startsWith('Each run repeats')) stop.abort(new Error('seen'));
    };
    const progress = { note, warn: note, status: () => {}, end: () => {} };
    const experiment: Experiment = { ...asked, variants, batch: 'auto', warmup: { runs: 3 } };
    const outDir = join(folder, 'out');
    await expect(measure({ experiment, outDir, resume: false, signal: stop.signal, progress })).rejects.toThrow('seen');
    const [, executions = 0] =
      /^Each run repeats the command (\d+) times, for a window of about 5 s/.exec(
        lines.find((line) => line.startsWith('Each run repeats'))!,
      ) ?? [];
    // Of commands that are started anew each time, five seconds hold some thousand; a loop does as much in a moment, also beside other tests.
    expect(Number(executions)).toBeGreaterThan(2e4);
  });

  it('counts the hook before each block as time of the block', async () => {
    const hooks = { 'before-block': { run: 'sleep 1', timeoutS: 20 } };
    const asked = { ...auto('sleep 0.5', 500, { least: 10, withinS: 14 }), warmup: { runs: 1 }, hooks };
    await measured(asked);
    // A block takes 2.3 s with it and 1.3 s without, of which eight fit after the warm-up.
    expect(read().findings.experiment.repetitions_planned).toBe(6);
  });

  it('measures the fewest blocks that a verdict takes where not even those fit, and says so', async () => {
    const asked = { ...auto('sleep 0.5', 500, { least: 10, withinS: 1, wantPercent: 0.1 }), warmup: { runs: 1 } };
    expect(interimNotes(asked)).toEqual([
      'It ends as soon as every 95 % interval is ±0.1 % or narrower, after 10 blocks at the earliest, or once no further block fits into 1 s, but not before block 6. The warm-up shows how many fit.',
    ]);
    // Three variants are two comparisons, which share the chance of an error.
    const [one] = asked.variants as [Experiment['variants'][number]];
    const more = ['x', 'y', 'z', 'w'].map((name) => ({ ...one, name }));
    expect([1, 2, 4].map((n) => blocksForVerdict({ ...asked, variants: [one, ...more.slice(0, n)] }))).toEqual([
      6, 7, 8,
    ]);
    await measured(asked);
    const { findings } = read();
    expect(findings.experiment).toMatchObject({ complete: true, repetitions_planned: 6 });
    expect(lines.join('\n')).toMatch(/^All 6 planned blocks are measured: p = [\d.]+, at most 0\.050 needed\.$/m);
    // With a single planned analysis, nothing is an interim one.
    expect(blocksText(findings)).toBe('6 randomized blocks');
    expect(plainText(verdictText(findings.comparisons[0]!, 1))).not.toContain('interim');
    const how = howParts(findings)[0];
    expect(how).toMatch(/^6 randomized blocks \(seed \d+\); ±0\.1 % was wanted, ±[\d.]+ % reached$/);
    expect(plainText(howInShort(findings))).toMatch(/6 randomized blocks; ±0\.1 % was wanted, ±[\d.]+ % reached ·/);
    expect(lines.join('\n')).toMatch(
      /Only 0 blocks of \d s would fit into 1 s; a verdict takes 6, so 6 are measured\./,
    );
  });

  it('says before it compares anything that a width can’t be reached, and which can', async () => {
    const asked = { ...auto('sleep 0.15', 6, { least: 6, wantPercent: 0.1 }), warmup: { runs: 1 } };
    await measured(asked);
    expect(lines.join('\n')).toMatch(/±0\.1 % will probably not be reached in 6 blocks: about ±[\d.]+ % will\./);
    expect(read().findings.experiment).toMatchObject({ complete: true, looks: { want_percent: 0.1 } });
  });
});
