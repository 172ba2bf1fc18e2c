// Prints how often the history finds a step where there is none, and one of 2 % where there is one. It judges nothing.
//   node __tests__/simulate/steps.ts [LINES]
import { findSteps } from '../../src/parts/fleet/history/steps/find-steps.ts';
import { createRandom } from './random.ts';
import { correlated, HARDER, pointsOf, SCATTERS } from './step-lines.ts';

const lines = Number(process.argv[2] ?? 1000);
const SIZES = [10, 20, 30, 50, 100, 300];
const percent = (part: number, whole: number): string => (whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`);
const row = (what: string, cells: readonly string[]): void =>
  console.log([what.padEnd(48), ...cells.map((cell) => cell.padStart(8))].join(' '));

row('lines with a false step, of so many experiments:', SIZES.map(String));
for (const [name, scatter] of Object.entries({ ...SCATTERS, ...HARDER })) {
  const random = createRandom(1);
  row(
    name,
    SIZES.map((n) => {
      let wrong = 0;
      for (let i = 0; i < lines; i++) if (findSteps(pointsOf(scatter(random, n), 0.5)).length > 0) wrong += 1;
      return percent(wrong, lines);
    }),
  );
}

console.log('\na step of 2 % where one experiment has sd 0.5 %, neighbors correlated by 0.3');
for (const part of [0.5, 0.8]) {
  const random = createRandom(2);
  const results = SIZES.map((n) => {
    const at = Math.floor(n * part);
    const found = Array.from({ length: lines }, () => findSteps(pointsOf(correlated(0.3)(random, n), 0.5, 2, at)));
    const hits = found.filter((steps) => steps.length > 0);
    const near = hits.filter((steps) => steps.some((step) => Math.abs(step.at - at) <= 1));
    const covered = hits.filter((steps) => steps.some(({ ci95 }) => ci95[0] <= 2 && 2 <= ci95[1]));
    return { hits: hits.length, near: near.length, covered: covered.length };
  });
  row(
    `after ${100 * part} % of the experiments: found`,
    results.map(({ hits }) => percent(hits, lines)),
  );
  row(
    '  of these within one experiment',
    results.map(({ hits, near }) => percent(near, hits)),
  );
  row(
    '  of these with 2 % inside the interval',
    results.map(({ hits, covered }) => percent(covered, hits)),
  );
}
