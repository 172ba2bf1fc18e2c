// Prints how often the pooled interval holds the mean of all machines, and the prediction interval a machine not yet tried. It judges nothing.
//   node __tests__/simulate/machines.ts [STUDIES]
import { pool } from '../../src/stats/random-effects.ts';
import { createRandom, type Random } from './random.ts';

/** Blocks of each machine: its standard error is estimated from as many. */
const BLOCKS = 30;
/** Standard errors of the machines, one after the other, in percent: some have a coarse meter. */
const ERRORS = [0.3, 0.6, 0.9];
const MEAN = 2;

/** What the machines have in common and in what they differ, `tau` being the standard deviation of their true changes in percent. */
export function coverage(machines: number, tau: number, times: number, random: Random) {
  let [interval, prediction] = [0, 0];
  for (let i = 0; i < times; i++) {
    const studies = Array.from({ length: machines }, (_, j) => {
      const error = ERRORS[j % ERRORS.length]!;
      const effect = MEAN + tau * random.normal() + error * random.normal();
      let squares = 0;
      for (let block = 1; block < BLOCKS; block++) squares += random.normal() ** 2;
      return { effect, se: error * Math.sqrt(squares / (BLOCKS - 1)) };
    });
    const { ci95, prediction95 } = pool(studies);
    const next = MEAN + tau * random.normal();
    if (ci95[0] <= MEAN && MEAN <= ci95[1]) interval += 1;
    if (prediction95[0] <= next && next <= prediction95[1]) prediction += 1;
  }
  return { interval: interval / times, prediction: prediction / times };
}

if (import.meta.main) {
  const times = Number(process.argv[2] ?? 4000);
  const taus = [0, 0.3, 0.6, 2];
  const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
  console.log(`machines | ${taus.map((tau) => `τ = ${tau} %`).join(' | ')} (interval, prediction interval)`);
  for (const machines of [3, 4, 5, 8, 12, 20]) {
    const random = createRandom(machines);
    const cells = taus.map((tau) => coverage(machines, tau, times, random));
    console.log([machines, ...cells.map((c) => `${percent(c.interval)}, ${percent(c.prediction)}`)].join(' | '));
  }
}
