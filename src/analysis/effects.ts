import type { FactorialDesign } from '../experiment/experiment.ts';
import type { Inconclusive } from '../findings/comparison.ts';
import type { Effect, Effects } from '../findings/effects.ts';
import { adjustKnown } from '../stats/adjust.ts';
import { MIN_BLOCKS, signedRank } from '../stats/signed-rank.ts';
import { spatialSignedRank } from '../stats/spatial-signed-rank.ts';
import { isConstant } from '../stats/sums.ts';
import { type GoodRun, isGood } from './assemble.ts';
import { type Interims, repeated } from './comparison/interim.ts';
import { interval95, ratioPercent } from './comparison/percent.ts';
import { type EffectContrasts, effectContrasts } from './effect-contrasts.ts';
import type { RunResult } from './results.ts';

type Block = ReadonlyMap<string, number>;

/**
 * Main effects and interactions of two factors of a matrix, from its complete blocks. In each block, an effect is a vector of contrasts of
 * ln E, from which everything else was taken out (aligned within the block); it is tested by the signed-rank test of its blocks, the spatial one where it
 * consists of several differences. Effects are judged together by Holm's method, apart from the comparisons. `looks`: interim analyses, which p allows for.
 */
export function effectsFindings(
  runs: readonly RunResult[],
  design: FactorialDesign,
  { channel, seed, looks = null }: { readonly channel: string; readonly seed: number; readonly looks: Interims | null },
): Effects {
  const { factors, cells } = design;
  const names = cells.map(({ variant }) => variant);
  const good = runs.filter((run) => run.channel === channel).filter(isGood);
  const blocks = completeBlocks(good, names);
  const obstacle = obstacleOf(good, names, blocks);
  const logs = obstacle === 'not-positive' ? [] : blocks.map((block) => logsOf(block));
  const measured = listEffects(factors.length).map((places) => measureEffect(design, places, logs, seed));
  const ps = measured.map(({ p }) => repeated(p, looks));
  const pHolm = adjustKnown(ps);
  return {
    channel,
    factors: factors.map(({ name, levels }) => ({ name, levels: [...levels] })),
    cells: cells.map(({ variant, levels }) => ({ variant, levels: [...levels] })),
    blocks: blocks.length,
    tested: measured.map((effect, i) =>
      judge(effect, { p: ps[i] ?? null, pHolm: pHolm[i] ?? null }, obstacle, blocks.length),
    ),
  };
}

/** Each factor, then each two of them. */
function listEffects(factors: number): number[][] {
  const all = Array.from({ length: factors }, (_, i) => i);
  return [...all.map((i) => [i]), ...all.flatMap((i) => all.slice(i + 1).map((j) => [i, j]))];
}

export type MeasuredEffect = Omit<Effect, 'p_holm' | 'verdict' | 'reason'>;

/** One effect, from ln E of the variants in each block. */
export function measureEffect(
  { factors, cells }: FactorialDesign,
  places: readonly number[],
  blocks: readonly Block[],
  seed: number,
): MeasuredEffect {
  const contrasts = effectContrasts(cells, places);
  const means = blocks.map((block) => contrasts.means((variant) => block.get(variant) as number));
  const isReported = contrasts.df > 0 && blocks.length > 0;
  return {
    factors: places.map((place) => factors[place]?.name ?? ''),
    df: contrasts.df,
    averaged: contrasts.averaged,
    p: isReported ? test(means, contrasts, seed) : null,
    levels: isReported ? levelsOf(means, contrasts, factors[places[0] ?? 0]?.levels ?? []) : [],
  };
}

/** One difference: that of the first two combinations has its ranks, of whatever length it is. */
function test(means: readonly (readonly number[])[], contrasts: EffectContrasts, seed: number): number | null {
  const vectors = means.map((one) => contrasts.effect(one));
  if (contrasts.df > 1) return spatialSignedRank(vectors, seed)?.p ?? null;
  const place = vectors[0]?.findIndex((_, i) => vectors.some((vector) => Math.abs(vector[i] as number) > 1e-9)) ?? -1;
  return place < 0 ? null : (signedRank(vectors.map((vector) => vector[place] as number))?.p ?? null);
}

function levelsOf(
  means: readonly (readonly number[])[],
  contrasts: EffectContrasts,
  order: readonly string[],
): Effect['levels'] {
  const { combinations } = contrasts;
  const reported = (levels: readonly string[], logs: readonly number[]) => {
    const percent = ratioPercent(logs);
    return { levels: [...levels], percent: percent.estimate, ci95: interval95(percent) };
  };
  const column = (rows: typeof means, i: number): number[] => rows.map((row) => row[i] as number);
  if (combinations[0]?.length !== 1) {
    const effects = means.map((one) => contrasts.effect(one));
    return combinations.map((levels, i) => reported(levels, column(effects, i)));
  }
  const logsAt = (level: string | undefined): number[] =>
    column(
      means,
      combinations.findIndex(([own]) => own === level),
    );
  const first = logsAt(order[0]);
  return order.slice(1).map((level) =>
    reported(
      [level],
      logsAt(level).map((log, i) => log - (first[i] as number)),
    ),
  );
}

function judge(
  effect: MeasuredEffect,
  { p, pHolm }: { readonly p: number | null; readonly pHolm: number | null },
  obstacle: Inconclusive | null,
  blocks: number,
): Effect {
  const open = (reason: Effect['reason']): Effect => ({ ...effect, p_holm: pHolm, verdict: 'inconclusive', reason });
  if (effect.df === 0) return open('not-estimable');
  if (obstacle !== null) return open(obstacle);
  if (p === null) return open('no-variation');
  if (blocks < MIN_BLOCKS) return open('too-few');
  if (pHolm !== null && pHolm < 0.05) return { ...effect, p_holm: pHolm, verdict: 'shown', reason: null };
  return open(p < 0.05 ? 'several' : 'open');
}

/** Energies by variant, of blocks with exactly one valid run of each. */
export function completeBlocks(runs: readonly GoodRun[], names: readonly string[]): Block[] {
  const own = runs.filter((run) => run.block !== null && names.includes(run.variant));
  const blocks = [...Map.groupBy(own, (run) => run.block as number)].toSorted(([a], [b]) => a - b);
  return blocks.flatMap(([, block]) => {
    const energies = new Map(block.map(({ variant, energyJ }) => [variant, energyJ]));
    return block.length === names.length && energies.size === names.length ? [energies] : [];
  });
}

export const logsOf = (block: Block): Block =>
  new Map([...block].map(([variant, energyJ]) => [variant, Math.log(energyJ)]));

/** Why no effect is defined; null: effects are defined. `blocks`: complete ones of these runs. */
export function obstacleOf(
  runs: readonly GoodRun[],
  names: readonly string[],
  blocks: readonly Block[],
): Inconclusive | null {
  const seen = new Set(runs.map(({ variant }) => variant));
  if (names.some((name) => !seen.has(name))) return 'no-runs';
  if (blocks.length === 0) return 'no-block';
  if (blocks.some((block) => [...block.values()].some((energyJ) => energyJ <= 0))) return 'not-positive';
  const isStill =
    blocks.length > 1 && names.every((name) => isConstant(blocks.map((block) => block.get(name) as number)));
  return isStill ? 'no-variation' : null;
}
