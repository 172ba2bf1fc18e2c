import type { MeanPower, SimulatedLoad, Uniform } from './simulated-meters.ts';

const STEP_S = 0.1;

export interface Restlessness {
  /** Standard deviation of the power's own fluctuation, watts, and the time over which it forgets itself, seconds. */
  readonly noiseW: number;
  readonly memoryS: number;
  /** How far idle has moved from the rest before to the rest after, watts, at a random moment between them. */
  readonly driftW: number;
}

/** A machine whose power fluctuates and whose idle moves, with its exact energies. */
export function restlessPower(load: SimulatedLoad, untilS: number, how: Restlessness, uniform: Uniform) {
  const steps = Math.ceil(untilS / STEP_S) + 1;
  const energyJ = new Float64Array(steps + 1);
  const baseJ = new Float64Array(steps + 1);
  const keep = Math.exp(-STEP_S / how.memoryS);
  const driftAtS = load.startS + uniform() * (load.endS - load.startS);
  let noiseW = how.noiseW * gauss(uniform);
  for (let i = 0; i < steps; i++) {
    const baseW = load.idleW + (i * STEP_S > driftAtS ? how.driftW : 0);
    const on = Math.max(0, Math.min((i + 1) * STEP_S, load.endS) - Math.max(i * STEP_S, load.startS));
    baseJ[i + 1] = (baseJ[i] as number) + baseW * STEP_S;
    energyJ[i + 1] = (energyJ[i] as number) + (baseW + noiseW) * STEP_S + (load.loadW - load.idleW) * on;
    noiseW = keep * noiseW + Math.sqrt(1 - keep * keep) * how.noiseW * gauss(uniform);
  }
  const at = (sums: Float64Array, s: number): number => {
    const i = Math.floor(s / STEP_S);
    const before = sums[Math.max(0, i)] as number;
    return before + ((sums[Math.max(0, i) + 1] as number) - before) * (s / STEP_S - i);
  };
  const power: MeanPower = (fromS, toS) =>
    (at(energyJ, Math.max(0, toS)) - at(energyJ, Math.max(0, fromS))) / (toS - fromS);
  const grossJ = at(energyJ, load.endS) - at(energyJ, load.startS);
  const netJ = grossJ - (at(baseJ, load.endS) - at(baseJ, load.startS));
  return { power, grossJ, netJ };
}

/** Box-Muller. */
function gauss(uniform: Uniform): number {
  return Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
}
