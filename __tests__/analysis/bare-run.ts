import type { RunResult } from '../../src/analysis/results.ts';

type Known = Pick<RunResult, 'run' | 'variant'> & { readonly energyJ: number } & Partial<RunResult>;

/** A good run of which no more is known than what is given: its energy, and that it took 10 s. */
export function bareRun({ energyJ, durationS = 10, ...known }: Known): RunResult {
  return {
    block: null,
    position: null,
    revision: null,
    status: 'ok',
    reason: null,
    startNs: null,
    endNs: null,
    durationS,
    energyJ,
    netEnergyJ: null,
    meanPowerW: durationS === null ? null : energyJ / durationS,
    idlePowerW: null,
    uncertaintyJ: null,
    netUncertaintyJ: null,
    uncertainty: null,
    channel: 'wall',
    samples: null,
    resources: null,
    machine: null,
    ...known,
  };
}
