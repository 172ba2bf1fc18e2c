import type { Experiment } from '../../../experiment/experiment.ts';
import { isMachine } from '../../../hosts/address.ts';
import { repeatOrder } from '../../../schedule/randomize.ts';
import type { ObservedRecord } from '../../../store/observed.ts';

/** An extra run that is still to be observed. */
export interface ObservedTurn {
  readonly round: number;
  readonly variant: string;
  readonly way: ObservedRecord['way'];
}

/** Services of the experiment that start with each run, on this machine. */
export const startedServices = ({ services = [] }: Pick<Experiment, 'services'>) =>
  services.filter(({ place, lifetime }) => lifetime === 'run' && !isMachine(place));

/** Enough for what ran before to settle: nothing of it is an energy. */
const REST_S = 1;
/** Idle seconds before an extra run; there is no guard. */
export const observedRestS = ({ restS }: Pick<Experiment, 'restS'>): number => Math.min(REST_S, restS);

/** Runs of every variant: between them there has to be a difference that few of one variant have among themselves. */
export const OBSERVED_ROUNDS = 5;
/** Those under a tracer, which may take very long. */
export const TRACED_ROUNDS = 3;
/** A run that goes wrong is tried again; then its variant has one less. */
const ATTEMPTS = 2;
/** Numbers of orders that no block has. */
const ROUND_SEED = { sampled: 1_000_000, traced: 2_000_000, uftraced: 3_000_000, attached: 4_000_000 };

/**
 * What is still to be observed: every variant once a round, each round in an order of its own. Those that went wrong too often count as done, and
 * under a tracer, which may take as long as it likes, all of their variant.
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
