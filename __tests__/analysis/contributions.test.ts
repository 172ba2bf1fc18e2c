// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { type ChannelPart, channelParts, contributions } from '../../src/analysis/contributions.ts';
import { REMAINDER_CHANNEL, remainderRuns } from '../../src/analysis/remainder.ts';
import type { RunResult } from '../../src/analysis/results.ts';
import type { Comparison, Contribution } from '../../src/findings/comparison.ts';
import type { MachinePart } from '../../src/findings/numbers.ts';
import { whyText } from '../../src/report/words/why.ts';
import type { ChannelRecord } from '../../src/store/records.ts';
import { syntheticAnalysis } from '../report/synthetic/analysis.ts';
import { createRandom } from '../simulate/random.ts';
import { WALL_METER, wallMeter } from '../store/fixtures.ts';

type Source = ChannelRecord['meter']['source'];

const channel = (name: string, part: MachinePart, source: Source = 'measured'): ChannelRecord => ({
  channel: name,
  part,
  primary: false,
  integration: part === 'machine' ? 'guard' : 'counter',
  samplingPeriodS: 1,
  clock: 'host',
  meter: { ...wallMeter, source, name: WALL_METER, passport: null },
});
const wall = channel('wall', 'machine');
const rapl = channel('rapl', 'package-and-dram');
const split = [rapl, channel('package', 'package'), channel('dram', 'dram')];

describe('the parts of a channel', () => {
  it.each([
    ['of the wall, everything but RAPL’s own sum', wall, [wall, ...split], ['package', 'dram', REMAINDER_CHANNEL]],
    ['of the wall, RAPL whole where memory is not told apart', wall, [wall, rapl], ['rapl', REMAINDER_CHANNEL]],
    ['of RAPL, package and memory', rapl, split, ['package', 'dram']],
    ['of RAPL alone, none', rapl, [rapl], []],
    ['of RAPL before a wall meter, never the wall', rapl, [...split, wall], ['package', 'dram']],
    ['of a second plug, none', wall, [wall, channel('wall-2', 'machine')], []],
    ['of a measured wall, never an emulated part', wall, [wall, channel('rapl', 'package-and-dram', 'emulated')], []],
    ['of the plug that RAPL was not held against, none', channel('wall-2', 'machine'), [wall, ...split], []],
  ])('are %s', (_, primary, channels, parts) => {
    expect(channelParts(primary, channels).map((part) => part.channel)).toEqual(parts);
  });
});

/** Blocks in which the container draws so many joules more on each channel of RAPL, and elsewhere. */
function runs(more: { package: number; dram: number; else: number }, blocks = 20): RunResult[] {
  const random = createRandom(5);
  const metered = Array.from({ length: 2 * blocks }, (_, i) => {
    const variant = (i >> 1) % 2 === i % 2 ? 'native' : 'container';
    const own = (joules: number, extra: number): number =>
      joules + (variant === 'container' ? extra : 0) + 0.3 * random.normal();
    const [ofPackage, ofDram, other] = [own(60, more.package), own(8, more.dram), own(40, more.else)];
    const energies = { wall: ofPackage + ofDram + other, rapl: ofPackage + ofDram, package: ofPackage, dram: ofDram };
    return Object.entries(energies).map(([on, energyJ]) => {
      const block = 1 + (i >> 1);
      return { run: i + 1, block, variant, channel: on, status: 'ok', reason: null, energyJ } as RunResult;
    });
  }).flat();
  return [...metered, ...remainderRuns(metered, [wall, ...split])];
}

const question = { baseline: 'native', variant: 'container', channel: 'wall' };
const parts: ChannelPart[] = [
  { channel: 'package', part: 'package' },
  { channel: 'dram', part: 'dram' },
  { channel: REMAINDER_CHANNEL, part: 'everything-else' },
];
const shareOf = (shares: readonly Contribution[], name: string) => shares.find((s) => s.channel === name);
const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);

describe('what each part carries of a difference', () => {
  it('adds up to the whole, the largest first', () => {
    const all = runs({ package: 7, dram: 0.5, else: 2.5 });
    const shares = contributions(all, question, parts) ?? [];
    expect(shares.map((s) => s.channel)).toEqual(['package', REMAINDER_CHANNEL, 'dram']);
    expect(sum(shares.map((s) => s.share ?? 0))).toBeCloseTo(1, 9);
    expect(shareOf(shares, 'package')?.share).toBeCloseTo(0.7, 1);
    for (const { ci95, difference_j } of shares) {
      expect(ci95?.[0]).toBeLessThan(difference_j);
      expect(ci95?.[1]).toBeGreaterThan(difference_j);
    }
  });

  it('is counted on the runs that have all of them', () => {
    const lost = runs({ package: 7, dram: 0.5, else: 2.5 }).filter((r) => !(r.run === 4 && r.channel === 'package'));
    const shares = contributions(lost, question, parts) ?? [];
    expect(sum(shares.map((s) => s.share ?? 0))).toBeCloseTo(1, 9);
  });

  it('is no share of a difference that may be none', () => {
    const shares = contributions(runs({ package: 0, dram: 0, else: 0 }), question, parts) ?? [];
    expect(shares.map((s) => s.share)).toEqual([null, null, null]);
  });

  it('works without blocks, and is null where a part was never metered', () => {
    const all = runs({ package: 7, dram: 0.5, else: 2.5 }).map((run) => ({ ...run, block: null }));
    expect(shareOf(contributions(all, question, parts) ?? [], 'package')?.share).toBeCloseTo(0.7, 1);
    expect(
      contributions(
        all.filter((r) => r.channel !== 'dram'),
        question,
        parts,
      ),
    ).toBeNull();
  });
});

describe('in words', () => {
  const [comparison] = syntheticAnalysis().findings.comparisons as [Comparison];
  const reported = (more: Parameters<typeof runs>[0]): string | null =>
    whyText({ ...comparison, contributions: contributions(runs(more), question, parts) ?? [] });

  it('each part has its share', () => {
    expect(reported({ package: 7, dram: 0.5, else: 2.5 })).toMatch(
      /; the processor package carries [67]\d % of it, everything else 2\d %, memory \d %$/,
    );
  });

  it('parts that go against each other have joules', () => {
    expect(reported({ package: 7, dram: 0, else: -3 })).toMatch(
      /; the processor package \+[67]\.\d J, everything else −[23]\.\d J, memory [+−]0\.\d+ J: they pull in opposite directions$/,
    );
  });

  it('without a clear difference nothing is said of them', () => {
    expect(reported({ package: 0, dram: 0, else: 0 })).not.toContain('package');
    expect(
      whyText({
        ...comparison,
        contributions: [{ channel: 'constructor', part: 'dram', difference_j: 1, ci95: null, share: 1 }],
      }),
    ).not.toContain('native code');
  });
});
