import { describe, expect, it } from '@jest/globals';
import { analyzeStore } from '../../../src/analysis/analyze.ts';
import { terminalReport } from '../../../src/report/terminal.ts';
import { type SimulatedRun, withSimulatedStore } from '../../analysis/simulated-store.ts';

const ESCAPE = '\u001b[31m';

function report(change: (run: SimulatedRun, block: number) => SimulatedRun = (r) => r): string {
  const run = (variant: string, b: number): SimulatedRun => ({
    variant,
    lengthS: 40,
    loadW: 50,
    phases: [
      { phase: 'load', lengthS: 20, loadW: 60 + 0.01 * ((b * 7) % 5) },
      { phase: 'quick', lengthS: 1, loadW: 70 },
      { phase: 'sort', lengthS: 19, loadW: variant === 'native' ? 80 : 85 + 0.01 * b },
    ],
    usage: { cpuS: 3.5, peakMemoryBytes: 200 * 2 ** 20, readBytes: null, writtenBytes: 0, unread: [] },
  });
  const blocks = Array.from({ length: 8 }, (_, b) =>
    ['native', 'container'].map((variant) => change(run(variant, b), b)),
  );
  return terminalReport(withSimulatedStore({ blocks }, analyzeStore), { colour: false, width: 200 });
}

describe('what the terminal tells of phases and resources', () => {
  it('is a line a phase with its change, and says which is rough', () => {
    const text = report();
    expect(text).toMatch(/^container +native +sort +1,?\d+\.?\d* J +1,?\d+\.?\d* J +\+\d/m);
    expect(text).toMatch(/^container +quick .* J \(rough\)/m);
    expect(text).not.toMatch(/^container +load .*rough/m);
  });

  it('names a phase that is not compared, and nothing that a terminal would obey', () => {
    const text = report((r, b) => (b === 2 ? { ...r, phases: [{ phase: `x${ESCAPE}`, lengthS: 5, loadW: 60 }] } : r));
    expect(text).toContain('- sort is not compared: only 7 of the 8 runs of native have it');
    expect(text).not.toContain(ESCAPE);
  });

  it('is what a run used, as far as it is known', () => {
    const text = report();
    expect(text).toMatch(
      /^Variant +Processor time, mean ± sd .*Peak memory \(median\) +Read \(median\) +Written \(median\)$/m,
    );
    expect(text).toMatch(/^container +3\.50* ± 0 s +0\.\d+ +\d+ MiB +– +0 bytes$/m);
    expect(report(({ usage, ...r }) => r)).not.toContain('Resources');
  });
});
