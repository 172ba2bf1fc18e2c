import type { Findings, MeasuringCost } from '../findings/findings.ts';
import type { ChannelSession } from './run-energies.ts';

/** Maximum share of the time without readings, which is filled with the mean of the others. */
const MAX_MISSING = 0.01;

/** Energy and time of the measurement, and the number of executions after which the largest saving pays it back. */
export function measuringCost(
  findings: Pick<Findings, 'meter' | 'comparisons' | 'variants'>,
  sessions: readonly ChannelSession[],
): MeasuringCost {
  const [primary = '', ...others] = findings.meter.channels;
  const energyOn = (name: string) => spent(sessions.filter(({ channel }) => channel.channel === name));
  const { durationS, energyJ } = energyOn(primary);
  const saving = largestSaving(findings, primary);
  const runs = energyJ === null || saving === null ? null : Math.ceil(energyJ / saving.joules);
  return {
    duration_s: durationS,
    energy_j: energyJ,
    unknown: energyJ !== null ? null : durationS === 0 ? 'no-readings' : 'gaps',
    ...(others.length > 0 && {
      other_channels: Object.fromEntries(others.map((name) => [name, energyOn(name).energyJ])),
    }),
    saving: saving && { baseline: saving.baseline, variant: saving.variant },
    pays_back_runs: Number.isSafeInteger(runs) && runs !== null && runs > 0 ? runs : null,
  };
}

/** Mean power of the readings, applied to the whole time of all sessions. */
function spent(sessions: readonly ChannelSession[]): { durationS: number; energyJ: number | null } {
  let durationS = 0;
  let coveredS = 0;
  let energyJ = 0;
  for (const { columns, times, channel } of sessions) {
    const { tNs, powerW } = columns;
    const n = tNs.length;
    if (n === 0) continue;
    const lengthS = (i: number): number => {
      // A counter covers all the time between two readings.
      if (channel.integration === 'counter') return columns.durationS[i] as number;
      return times.missingBefore[i] === 1 ? times.periodS : (times.lengthS[i] as number);
    };
    for (let i = 0; i < n; i++) {
      energyJ += (powerW[i] as number) * lengthS(i);
      coveredS += lengthS(i);
    }
    durationS += ((tNs[n - 1] as number) - (tNs[0] as number)) / 1e9 + lengthS(0);
  }
  if (coveredS === 0) return { durationS: 0, energyJ: null };
  return {
    durationS,
    energyJ: durationS - coveredS > MAX_MISSING * durationS ? null : (energyJ / coveredS) * durationS,
  };
}

/** Joules saved per execution, by the means, since costs add up. Null: no comparison has the verdict `decrease`. */
function largestSaving({ comparisons, variants }: Pick<Findings, 'comparisons' | 'variants'>, primary: string) {
  const savings = comparisons.flatMap(({ baseline, variant, channel, verdict, mean_energy_j: mean }) => {
    if (channel !== primary || verdict !== 'decrease' || mean.baseline === null || mean.variant === null) return [];
    const executions = variants.find(({ name }) => name === variant)?.executions_per_run ?? 1;
    const joules = (mean.baseline - mean.variant) / executions;
    return joules > 0 ? [{ baseline, variant, joules }] : [];
  });
  return savings.toSorted((a, b) => b.joules - a.joules)[0] ?? null;
}
