import type { Check } from '../../findings/checks.ts';
import { meterTypes } from '../../meters/registry.ts';
import { inTrueWatts } from '../calibrated.ts';
import type { RunEnergies } from '../run-energies.ts';

/** Share of readings below the smallest load from which the check warns. */
const MANY = 0.05;

/**
 * Readings below the smallest load that the primary meter can measure: it shows 0 or its last value instead. Idle readings and those in the windows
 * of compared runs are counted separately; a guard's length after each edge is left out, since a meter shows an edge late.
 * Empty if no window is longer than a guard.
 */
export function smallestLoad({ runs, channels }: RunEnergies, guardS: number): Check[] {
  const primary = channels[0]?.channel;
  const limitW = meterTypes.find(({ type }) => type === primary?.meter.type)?.sheet.smallestLoadW;
  if (primary === undefined || limitW === undefined) return [];
  const compared = new Set(
    runs.filter(({ channel, status }) => channel === primary.channel && status === 'ok').map(({ run }) => run),
  );
  const limits = Float64Array.of(-limitW, limitW);
  const calibrated = inTrueWatts({ tNs: limits, powerW: limits, durationS: limits }, primary.calibration);
  const [lowW = -limitW, highW = limitW] = calibrated.powerW;
  const counts = { idle: { all: 0, below: 0 }, loaded: { all: 0, below: 0 } };
  const guardNs = guardS * 1e9;
  for (const { channel, columns, records } of channels) {
    if (channel.channel !== primary.channel) continue;
    const windows = records.toSorted((a, b) => a.startNs - b.startNs);
    let at = 0;
    columns.powerW.forEach((watts, i) => {
      const t = columns.tNs[i] as number;
      while (at < windows.length && t > (windows[at]?.endNs ?? 0) + guardNs) at++;
      const { run = 0, startNs = Infinity, endNs = Infinity } = windows[at] ?? {};
      if (t > startNs && (t <= startNs + guardNs || t > endNs || !compared.has(run))) return;
      const count = t > startNs ? counts.loaded : counts.idle;
      count.all++;
      if (watts > lowW && watts < highW) count.below++;
    });
  }
  if (counts.loaded.all === 0) return [];
  const idle = counts.idle.below / Math.max(1, counts.idle.all);
  const loaded = counts.loaded.below / counts.loaded.all;
  const facts = {
    meter: primary.meter.name,
    smallest_w: limitW,
    idle_percent: 100 * idle,
    loaded_percent: 100 * loaded,
  };
  const name = 'smallest load';
  if (loaded >= MANY) return [{ name, state: 'fail', reason: 'loaded', facts }];
  return idle >= MANY
    ? [{ name, state: 'warn', reason: 'idle', facts }]
    : [{ name, state: 'ok', reason: 'above', facts }];
}
