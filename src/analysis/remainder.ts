import type { ChannelRecord } from '../store/records.ts';
import type { RunResult } from './results.ts';

/** Channel for the rest of the machine: disks, fans, network, power supply. It is computed, not metered. */
export const REMAINDER_CHANNEL = 'everything-else';

/**
 * Wall energy minus processors and memory, run by run on the same windows. Empty unless meters of both were read
 * and both are of the same kind: measured, or both emulated. Models are never used.
 */
export function remainderRuns(runs: readonly RunResult[], channels: readonly ChannelRecord[]): RunResult[] {
  const pair = wholeAndInside(channels);
  if (pair === null) return [];
  const inside = new Map(runs.filter((r) => r.channel === pair.inside.channel).map((r) => [r.run, r]));
  return runs
    .filter((r) => r.channel === pair.whole.channel)
    .map((whole) => without(whole, inside.get(whole.run) ?? null, pair.inside.channel));
}

/**
 * The channels of the whole machine and of its processors and memory; null: one is missing or incomplete, or several are of whole machines: nothing
 * tells two supplies of one machine from two meters of one supply, or from two machines.
 */
export function wholeAndInside(
  channels: readonly ChannelRecord[],
): { readonly whole: ChannelRecord; readonly inside: ChannelRecord } | null {
  const inside = channels.find((c) => c.part === 'package-and-dram');
  const [whole, ...others] = channels.filter((c) => c.part === 'machine' && c.meter.source === inside?.meter.source);
  if (!inside || !whole || others.length > 0) return null;
  const isIncomplete = inside.meter.source === 'modelled' || inside.meter.identity.complete === false;
  return isIncomplete ? null : { whole, inside };
}

function without(whole: RunResult, part: RunResult | null, channel: string): RunResult {
  const minus = (a: number | null | undefined, b: number | null | undefined): number | null =>
    a == null || b == null ? null : a - b;
  const energyJ = minus(whole.energyJ, part?.energyJ);
  const good = whole.status === 'ok' || whole.status === 'warmup';
  const lost = good && energyJ === null;
  // Only the primary channel has phases.
  const { phases: _phases, outsidePhases: _outside, ...run } = whole;
  return {
    ...run,
    status: lost ? 'invalid' : whole.status,
    reason: lost ? { kind: 'no-energy-to-subtract', channel } : whole.reason,
    channel: REMAINDER_CHANNEL,
    energyJ,
    netEnergyJ: minus(whole.netEnergyJ, part?.netEnergyJ),
    meanPowerW: minus(whole.meanPowerW, part?.meanPowerW),
    idlePowerW: minus(whole.idlePowerW, part?.idlePowerW),
    uncertaintyJ: null,
    netUncertaintyJ: null,
    uncertainty: null,
    samples: null,
  };
}
