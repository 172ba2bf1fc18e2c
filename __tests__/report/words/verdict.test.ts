// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { type ComparedRun, compare, compareAll } from '../../../src/analysis/compare.ts';
import { plainText } from '../../../src/report/document/text.ts';
import { verdictText } from '../../../src/report/words/verdict.ts';
import { pText } from '../../../src/text/numbers.ts';
import { createRandom } from '../../simulate/random.ts';

/** A quiet arm of n runs around 200 J; the ripple is the same for everybody. */
function quiet(n: number, percent = 0, noise = 1): number[] {
  return Array.from(
    { length: n },
    (_, i) => 200 * (1 + percent / 100) * (1 + (noise * Math.sin(i * i + percent)) / 100),
  );
}

function runs(energies: readonly number[], blocked: boolean): ComparedRun[] {
  return energies.map((energyJ, i) => ({ run: i + 1, block: blocked ? i + 1 : null, energyJ, durationS: null }));
}

function tell(x: readonly number[], y: readonly number[], { blocked = true, margin = 1 } = {}): string {
  const options = { baseline: 'native', variant: 'container', channel: 'wall', marginPercent: margin, seed: 1 };
  return plainText(verdictText(compare(runs(x, blocked), runs(y, blocked), options), margin));
}

describe('the verdict in words', () => {
  it('of an increase', () => {
    expect(tell(quiet(30), quiet(30, 3))).toBe(
      'container used 3.4 % more energy than native (95 % CI 2.8 to 4.1 %; 30 blocks, exact signed-rank p < 0.001). Mean run: 199.7 J → 206.4 J; more in 30 of 30 blocks.',
    );
  });

  it('of a decrease, without blocks', () => {
    expect(tell(quiet(30), quiet(24, -3), { blocked: false })).toBe(
      'container used 2.8 % less energy than native (95 % CI −3.2 to −2.3 %; 30 and 24 runs, exact Mann–Whitney p < 0.001). Mean run: 199.7 J → 194.1 J.',
    );
  });

  it('of arms that scatter differently names no p that contradicts the interval', () => {
    const random = createRandom(4);
    const arm = (n: number, joules: number, noise: number): number[] =>
      Array.from({ length: n }, () => joules * Math.exp(noise * random.normal()));
    let disagreed = 0;
    for (let i = 0; i < 400; i++) {
      const [x, y] = [arm(20, 200, 0.05), arm(6, 204, 0.002)];
      const said = tell(x, y, { blocked: false });
      const p = Number(
        /Mann–Whitney p = ([\d.]+)/.exec(said)?.[1] ?? (said.includes('Mann–Whitney p <') ? 0 : Number.NaN),
      );
      if (said.includes('Brunner–Munzel')) disagreed++;
      if (said.startsWith('Inconclusive: the change')) expect(p >= 0.05 || Number.isNaN(p)).toBe(true);
      if (said.startsWith('container used')) expect(p < 0.051 || Number.isNaN(p)).toBe(true);
    }
    expect(disagreed).toBeGreaterThan(5);
  });

  it('of equivalence names the margin and its 90 % interval', () => {
    const reversed = quiet(30, 0.1).reverse();
    expect(tell(quiet(30), reversed, { margin: 1.5 })).toMatch(
      /^container and native are equivalent within ±1\.5 % \(difference [+−]?0\.\d %, 90 % CI −0\.\d to 0\.\d %; 30 blocks\)\./,
    );
  });

  it('of a change within the margin', () => {
    expect(
      tell(
        quiet(30),
        quiet(30, 0.6, 0.1).map((energy, i) => energy * ((quiet(30)[i] ?? 0) / 200)),
      ),
    ).toMatch(
      /^container used 0\.\d+ % more energy than native, a change within ±1 % \(95 % CI 0\.\d+ to 0\.\d+ %; 30 blocks, exact signed-rank p < 0\.001\)\./,
    );
  });

  it('of an open question tells what could have been seen, and never claims sameness', () => {
    const open = tell(quiet(12), quiet(12, 1, 5));
    expect(open).toMatch(
      /^Inconclusive: the change from native to container lies between −\d\.\d and \+\d\.\d % \(95 % CI; 12 blocks, exact signed-rank p = 0\.\d+\)\. The smallest detectable change of these blocks was \d\.\d %\. About \d+ more blocks \(\d+ in all\) would probably settle it, projected from this estimate and its noise\.$/,
    );
    expect(open).not.toMatch(/no (significant )?difference|same|equal/i);
  });

  it('of an open question among several gives the p that decides it', () => {
    const [baseline, ...others] = [0, 1, 2].map((change) => runs(quiet(12, change, 5), true));
    const options = { baseline: 'native', variant: 'container', channel: 'wall', marginPercent: 1, seed: 1 };
    const all = compareAll(others.map((variant) => ({ baseline: baseline!, variant, options })));
    for (const one of all) {
      expect(one.reason).toBe('open');
      expect(plainText(verdictText(one, 1))).toContain(`, ${pText(one.p_holm!)} for 2 comparisons (Holm)).`);
    }
  });

  it('of too few blocks prints the confidence that they give', () => {
    expect(tell([50, 51, 50.5, 50.2, 50.9], [53, 53.5, 53.2, 53.6, 53.4])).toBe(
      "Inconclusive: container used 5.5 % more energy than native (93.7 % CI 4.9 to 6.8 %), but 5 blocks can't show it: the exact test needs at least 6.",
    );
    expect(tell([50], [55], { blocked: false })).toBe(
      'Inconclusive: container used 10.0 % more energy than native, but 1 and 1 runs are too few for a 95 % interval.',
    );
  });

  it('of what cannot be compared says why', () => {
    expect(tell([], [5])).toBe('Inconclusive: there is no valid run of native.');
    expect(tell([5, 0, 5, 5, 5, 5], [6, 6, 6, 7, -6, 6])).toBe(
      'Inconclusive: 1 run of native and 1 run of container gave an energy of zero or less, so that a change in percent is not defined.',
    );
    expect(tell([42.5, 42.5, 42.5], [43, 43, 43])).toBe(
      "Inconclusive: all runs of native used 42.50 J and all of container 43.00 J: no variation at this resolution, so chance and change can't be told apart. A finer meter or a longer workload would help.",
    );
  });

  it('shows a limit beside zero as what it is', () => {
    const nearly = tell([100, 100, 100, 100, 100, 100], [100.02, 103, 104, 105, 106, 107]);
    expect(nearly).toMatch(/95 % CI 0\.02 to 7\.00 %/);
  });

  describe('where the mean tells another story', () => {
    it('says so by the arithmetic means, and names the run, though the runs are few and the interval is wide', () => {
      const odd = quiet(10, 0, 0.1)
        .reverse()
        .map((joules, i) => (i === 6 ? 1000 * joules : joules));
      const reported = tell(quiet(10, 0, 0.1), odd);
      expect(reported).toMatch(
        /^container and native are equivalent within ±1 %.* Mean run: 200\.0 J → 20,1\d\d J\. The mean changed/,
      );
      expect(reported).toMatch(
        /The mean changed by \+99\d\d\.\d+ %: run 7 of container \(200,\d+ J\) is far from the others\.$/,
      );
    });

    it('has the sign of the means, whatever the logarithms say', () => {
      // Most runs use less; one uses so much more that only the arithmetic mean rises.
      const odd = quiet(30, -8, 0.5).map((joules, i) => (i === 3 ? 40 * joules : joules));
      expect(tell(quiet(30, 0, 0.5), odd)).toMatch(
        /^container used 8\.\d+ % less energy .* The mean changed by \+1\d\d\.\d+ %: run 4 of/,
      );
    });

    it.each([[true], [false]])('names a few of many runs, in blocks: %s', (blocked) => {
      const odd = quiet(30, 3, 0.5).map((joules, i) => (i % 6 === 2 ? 3 * joules : joules));
      expect(tell(quiet(30, 0, 0.5), odd, { blocked })).toMatch(
        /run \d+ of container \(\d+\.\d J\), run \d+ of container .*, run \d+ of container .* and 2 more are far from the others/,
      );
    });

    it('also of too few blocks, and where most runs are the same to the last digit', () => {
      expect(tell([50, 51, 50.5, 50.2, 50.9], [50.1, 50.9, 50.4, 50.3, 5000])).toContain(
        'The mean changed by +1959.3 %: run 5 of container (5000 J) is far from the others.',
      );
      const same = [50, 50, 50, 50, 50, 50, 50, 50];
      expect(tell(same, same.with(4, 75))).toContain('The mean changed by +6.3 %: run 5 of container (75.00 J) is far');
    });

    it('says nothing where both tell the same', () => {
      for (const n of [8, 12, 30]) expect(tell(quiet(n), quiet(n, 3))).not.toContain('Mind');
    });
  });
});
