import type { Experiment } from '../../../experiment/experiment.ts';
import { isMachine } from '../../../hosts/address.ts';
import { repeatOrder } from '../../../schedule/randomize.ts';
import type { ObservedRecord } from '../../../store/observed.ts';

/** An extra run still to be made. */
export interface ObservedTurn {
  readonly round: number;
  readonly variant: string;
  readonly way: ObservedRecord['way'];
}

/** Services of the experiment that start with each run, on this machine. */
export const startedServices = ({ services = [] }: Pick<Experiment, 'services'>) =>
  services.filter(({ place, lifetime }) => lifetime === 'run' && !isMachine(place));

/** Maximum rest, seconds: enough for earlier activity to end, since no energy is measured. */
const REST_S = 1;
/** Idle seconds before an extra run; there is no guard. */
export const observedRestS = ({ restS }: Pick<Experiment, 'restS'>): number => Math.min(REST_S, restS);

/** Runs of every variant: enough to compare the difference between variants with that between runs of one variant. */
export const OBSERVED_ROUNDS = 5;
/** Runs of every variant under a tracer, which may take very long. */
export const TRACED_ROUNDS = 3;
/** Maximum attempts of a run; after that its variant has one run less. */
const ATTEMPTS = 2;
/** Offsets for seeds of orders, beyond all block numbers. */
const ROUND_SEED = { sampled: 1_000_000, traced: 2_000_000, uftraced: 3_000_000, attached: 4_000_000 };

/**
 * Remaining extra runs: every variant once per round, each round in its own order. Runs with too many failures count as done; under a
 * tracer, which may take very long, repeated failures end all runs of the variant.
 */
export function observedPlan(
  names: readonly string[],
  seed: number,
  there: readonly Pick<ObservedRecord, 'round' | 'variant' | 'status' | 'way'>[],
  { rounds = OBSERVED_ROUNDS, way = 'sampled' }: { rounds?: number | undefined; way?: ObservedRecord['way'] } = {},
): ObservedTurn[] {
  const isDone = ({ round, variant }: ObservedTurn): boolean => {
    const all = there.filter((run) => run.way === way && run.variant === variant);
    const tried = all.filter((run) => run.round === round);
    const failed = (way === 'sampled' ? tried : all).filter(({ status }) => status === 'failed');
    return tried.some(({ status }) => status === 'ok') || failed.length >= ATTEMPTS;
  };
  return Array.from({ length: rounds }, (_, i) => i + 1)
    .flatMap((round) =>
      repeatOrder(seed, ROUND_SEED[way] + round, 1, names).map((variant) => ({ round, variant, way })),
    )
    .filter((wanted) => !isDone(wanted));
}
