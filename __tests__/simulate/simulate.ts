// The product's own plan and analysis on simulated machines: how often it is wrong. Prints tables; ends with 1 where a gate is missed.
//   npm run simulate [-- --experiments 2000 --seed 20240607 --json]
//   npm run simulate -- sequential: repetitions that follow from what is seen, beside 30 blocks
//   npm run simulate -- sequential several: three variants and a threshold that decide together when to end
//   npm run simulate -- suite: benchmarks judged together
//   npm run simulate -- bisect: which commit brought a step
//   npm run simulate -- emulated [--experiments 10]: the program itself on emulated meters, in real time; an hour and a half
//   npm run simulate -- heat: rests that end by themselves, beside rests of 20 s, on machines that run hot
import { parseArgs } from 'node:util';
import { armsHold, coarseArmsHold } from './arms.ts';
import { bisections, bisectTable } from './bisect.ts';
import { emulated } from './emulated.ts';
import { manyLevels, twoFactors } from './factorial.ts';
import { checksInPeace, severalComparisons, severalLooks } from './false-alarms.ts';
import { isInside, type Share, shareTable } from './gates.ts';
import { heat, heatTable } from './heat.ts';
import { MACHINE_NAMES } from './machine.ts';
import { carriedOver, otherWays } from './other-ways.ts';
import { onMachine, pooled } from './protocol.ts';
import { jointly, jointTable, PACES, sequential, sequentialTable } from './sequential.ts';
import { settledAfterAll } from './settle.ts';
import { slowMeters } from './slow-meters.ts';
import { suites, suiteTable } from './suite.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    experiments: { type: 'string' },
    seed: { type: 'string', default: '20240607' },
    json: { type: 'boolean', default: false },
  },
});
const experiments = Number(values.experiments ?? 2000);
const seed = Number(values.seed);
const say = (text: string): void => void process.stderr.write(`${text}\n`);

/** Prints a table of its own, and ends. */
function end<Row extends { readonly shares: readonly Share[] }>(
  rows: readonly Row[],
  table: (rows: readonly Row[]) => string,
) {
  const failed = rows.flatMap(({ shares }) => shares).filter((s) => !isInside(s));
  process.stdout.write(
    values.json ? JSON.stringify({ rows, missed: failed }) : `${table(rows)}\n\n${shareTable(failed)}\n`,
  );
  process.exit(failed.length === 0 ? 0 : 1);
}
switch (positionals[0]) {
  case 'sequential':
    if (positionals[1] === 'several') end(jointly(experiments, seed), jointTable);
    end(sequential(experiments, seed), (rows) => sequentialTable(rows, PACES));
    break;
  case 'suite':
    end(suites(experiments, seed), suiteTable);
    break;
  case 'bisect':
    end(bisections(experiments, seed), bisectTable);
    break;
  case 'emulated':
    for await (const one of emulated(Number(values.experiments ?? 10), seed)) {
      const { kind, changePercent, minutes, blocks, line } = one;
      process.stdout.write(`${kind}\t${changePercent} %\t${minutes.toFixed(1)} min\t${blocks} blocks\t${line}\n`);
    }
    process.exit();
    break;
  case 'heat':
    end(heat(experiments, seed), heatTable);
}

const from = performance.now();
const machines: Share[] = [];
for (const name of MACHINE_NAMES) {
  machines.push(...onMachine(name, experiments, seed));
  say(`${name}: done after ${((performance.now() - from) / 1000).toFixed(0)} s`);
}
const all = [...machines, pooled(machines)];
const looks = severalLooks(experiments, seed + 100);
const beside = [...severalComparisons(Math.ceil(experiments / 2), seed + 200), ...looks.shares];
const checks = checksInPeace(experiments, seed + 300);
const ways = otherWays(experiments, seed + 400);
const carried = carriedOver(experiments, seed + 500);
const factors = twoFactors(experiments, seed + 600);
const matrix = manyLevels(Math.ceil(experiments / 2), seed + 650);
const settled = (['realistic', 'noisy'] as const).flatMap((name) =>
  settledAfterAll(name, Math.ceil(experiments / 2), seed + 600),
);
const arms = [...armsHold(2 * experiments, seed + 700), ...coarseArmsHold(experiments, seed + 800, false)];
const coarse = coarseArmsHold(experiments, seed + 900, true);
const meters = slowMeters(Math.ceil(experiments / 4), seed + 1000);
const judged = [...all, ...beside, ...settled, ...checks, ...factors, ...matrix, ...arms, ...coarse, ...meters];
const missed = judged.filter((s) => !isInside(s));

if (values.json) {
  process.stdout.write(`${JSON.stringify({ shares: judged, missed })}\n`);
} else {
  process.stdout.write(
    [
      `${experiments} experiments of 30 blocks on each machine, seed ${seed}:`,
      shareTable(all),
      `Several comparisons (${Math.ceil(experiments / 2)} experiments) and several interim analyses (with +1 %, ${looks.meanBlocks.toFixed(1)} of 40 blocks were used):`,
      shareTable(beside),
      `What would settle an open experiment (${Math.ceil(experiments / 2)} experiments, changes from −3 to +3 %):`,
      shareTable(settled),
      'Checks where nothing is wrong:',
      shareTable(checks),
      'Two factors, in blocks of four:',
      shareTable(factors),
      `A matrix of three by two levels, in 20 blocks (${Math.ceil(experiments / 2)} experiments):`,
      shareTable(matrix),
      'Without blocks: the 95 % interval holds the change, and coarse readings:',
      shareTable(arms),
      'With blocks, coarse readings:',
      shareTable(coarse),
      `Meters (${Math.ceil(experiments / 4)} experiments):`,
      shareTable(meters),
      'Other ways, A/A: called different:',
      shareTable(ways),
      `A change of 2 % where a run after the container uses 0.4 % more: ${carried.toFixed(2)} % on average.`,
      missed.length === 0 ? 'All gates are met.' : `${missed.length} gates are missed.`,
    ].join('\n\n'),
  );
  process.stdout.write('\n');
}
process.exitCode = missed.length === 0 ? 0 : 1;
