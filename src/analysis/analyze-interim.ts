import type { Comparison } from '../findings/comparison.ts';
import { lanDeMets } from '../stats/lan-demets.ts';
import type { InterimRecord, StoreReader } from '../store/records.ts';
import { comparisons } from './assemble.ts';
import { runEnergies } from './run-energies.ts';

/** Total error of a plan with looks: the chance that it calls a change that isn't one. */
const ALPHA = 0.05;

/** The level of each look, Lan–DeMets of O'Brien–Fleming type: known before anything is measured. */
export function nominalLevels(planned: readonly number[]): number[] {
  const most = planned.at(-1) ?? 0;
  const shares = planned.map((blocks) => blocks / most);
  return lanDeMets(shares, ALPHA).map(({ nominalP }) => nominalP);
}

/**
 * The decision at a look, from 1, by the primary channel of what the file holds of its blocks: the experiment ends where every variant is
 * shown to differ from the baseline (repeated interval beside zero, p within the level of the look; several variants by Holm's method
 * too), and at the last. It never ends early for being equivalent. Reads the samples of one channel only, between two runs.
 */
export function analyzeInterim(reader: StoreReader, planned: readonly number[], number: number): InterimRecord {
  const blocks = planned[number - 1] as number;
  const { baseline, marginPercent, seed } = reader.experiment();
  const primary = reader.channels().slice(0, 1);
  const { runs } = runEnergies({ ...reader, channels: () => primary });
  const judged = comparisons(
    runs.filter((run) => run.block !== null && run.block <= blocks),
    {
      baseline,
      variants: reader
        .variants()
        .filter(({ hidden }) => !hidden)
        .map(({ name }) => name),
      channels: primary.map(({ channel }) => channel),
      marginPercent,
      seed,
      looks: { planned, through: blocks, stoppedEarly: false },
      verdictOnly: true,
    },
  );
  const ps = judged.map(({ tests }) => tests.wilcoxon_signed_rank?.p ?? null);
  const known = ps.filter((p) => p !== null);
  return {
    look: number,
    blocks,
    nominalP: nominalLevels(planned)[number - 1] as number,
    p: known.length < ps.length || ps.length === 0 ? null : Math.max(...known),
    stopped: endsAt(number, planned, judged),
  };
}

/** Whether an experiment with these looks ends at this one. */
export function endsAt(number: number, planned: readonly number[], judged: readonly Comparison[]): boolean {
  return number === planned.length || (judged.length > 0 && judged.every(isShown));
}

function isShown({ verdict, tests, look }: Comparison): boolean {
  const p = tests.wilcoxon_signed_rank?.p ?? 1;
  return verdict !== 'inconclusive' && verdict !== 'equivalent' && p <= (look?.nominal_p ?? 0);
}
