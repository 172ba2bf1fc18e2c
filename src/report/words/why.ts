import type { Comparison, Contribution, Verdict } from '../../findings/comparison.ts';
import type { Interval, LogPart } from '../../findings/numbers.ts';
import { fixed, percent, signed } from '../../text/numbers.ts';
import { plain } from '../../text/plain.ts';
import { percentOfLog } from './change.ts';

/**
 * Source of a change: time or power, channels, phases. A clause without the variant's name; names of
 * phases are not escaped. Null: unknown. `shown`: the changes of time and power are already shown.
 */
export function whyText(comparison: Comparison, shown = false): string | null {
  const found = UNSHOWN.includes(comparison.verdict) ? [] : [carriedText(comparison), phaseText(comparison)];
  const parts = [timeOrPower(comparison, shown), ...found].filter((part) => part !== null);
  return parts.length === 0 ? null : parts.join('; ');
}

/** Verdicts without a change to explain, whatever the means are. */
const UNSHOWN: readonly Verdict[] = ['equivalent', 'inconclusive', 'failed'];

function timeOrPower(comparison: Comparison, shown: boolean): string | null {
  const { log_time: time, log_power: power, time_share: timeShare, power_share: powerShare } = comparison.why;
  if (time === null || power === null) return null;
  const both = `time ${percent(percentOfLog(time.mean))}, power ${percent(percentOfLog(power.mean))}`;
  if (timeShare === null || powerShare === null || UNSHOWN.includes(comparison.verdict))
    return `${both} (no clear difference to explain)`;
  const parts = [part(time, timeShare), part(power, powerShare)] as const;
  if (parts.every(({ isClear }) => isClear) && parts.some(({ share }) => share < 0) && !parts.some(isNearlyAll)) {
    const [longer, higher] = [percentOfLog(time.mean), percentOfLog(power.mean)];
    return `it ran ${fixed(Math.abs(longer), 1)} % ${longer > 0 ? 'longer' : 'shorter'} at ${fixed(Math.abs(higher), 1)} % ${higher > 0 ? 'higher' : 'lower'} power`;
  }
  const shares = sharesText(...parts);
  if (shares === null) return shown ? null : `${both} (neither differs clearly by itself)`;
  return shown ? shares : `${both}: ${shares}`;
}

interface Part {
  readonly share: number;
  /** Whether its own interval excludes zero. */
  readonly isClear: boolean;
}

function part({ mean, ci95 }: LogPart, share: number): Part {
  // If the energy has an interval but a part has none, the part is equal in all blocks.
  return { share, isClear: ci95 === null ? mean !== 0 : leavesOutZero(ci95) };
}

function leavesOutZero(interval: Interval | null): boolean {
  return interval !== null && (interval[0] > 0 || interval[1] < 0);
}

const isNearlyAll = ({ share, isClear }: Part): boolean => isClear && share >= 0.8 && share <= 1.2;

/** Mentions time or power only if its own interval excludes zero. Null: neither does. */
function sharesText(time: Part, power: Part): string | null {
  if (isNearlyAll(power)) return 'almost all of the change is power, not time';
  if (isNearlyAll(time)) return 'almost all of the change is time, not power';
  if (!time.isClear && !power.isClear) return null;
  if (!time.isClear || !power.isClear) return `only ${time.isClear ? 'time' : 'power'} differs clearly by itself`;
  return `${fixed(100 * time.share, 0)} % of the change is time, ${fixed(100 * power.share, 0)} % is power`;
}

/** Names in sentences for channels that are parts of another. */
const PARTS: Readonly<Record<Contribution['part'], string>> = {
  package: 'the processor package',
  dram: 'memory',
  // Only used if memory has no counter of its own.
  'package-and-dram': 'the processor package',
  'everything-else': 'everything else',
};

/** `the processor package carries 70 % of it, everything else 30 %`; null: no channels are parts, or no clear difference. */
function carriedText({ contributions: parts = [] }: Comparison): string | null {
  const named = parts.map((part) => ({ ...part, name: PARTS[part.part] }));
  if (named.length === 0 || named.some(({ share }) => share === null)) return null;
  const isBack = ({ share, ci95 }: (typeof named)[number]): boolean => (share ?? 0) < 0 && leavesOutZero(ci95);
  if (named.some(isBack)) {
    const amounts = named.map(
      ({ name, difference_j }) => `${name} ${signed(difference_j, energyDecimals(difference_j))} J`,
    );
    return `${amounts.join(', ')}: they pull in opposite directions`;
  }
  // Contributions whose own interval includes zero are left out.
  const positive = named.filter(({ share, ci95 }) => (share ?? 0) >= 0 && leavesOutZero(ci95));
  if (positive.length === 0) return null;
  const shares = positive.map(
    ({ name, share }, i) =>
      `${name} ${i === 0 ? 'carries ' : ''}${fixed(100 * (share ?? 0), 0)} %${i === 0 ? ' of it' : ''}`,
  );
  return shares.join(', ');
}

/** Decimals for two significant digits. */
function energyDecimals(joules: number): number {
  return joules === 0 ? 0 : Math.min(6, Math.max(0, 1 - Math.floor(Math.log10(Math.abs(joules)))));
}

/** Minimum share of the difference that is mentioned. */
const MIN_SHARE = 0.1;
const MAX_PHASES = 3;

/**
 * Phases that carry the difference: `phase “sort” carries 78 % of it, “write” 15 %`. Plain text with unescaped names; null:
 * no phases, or no clear difference.
 */
export function phaseText({ phases = [] }: Pick<Comparison, 'phases'>): string | null {
  const parts = phases
    // Phases with rough energies are no explanation.
    .flatMap(({ phase, share, short, percent, outside = false }) =>
      share === null || short || !leavesOutZero(percent.ci95) || Math.abs(share) < MIN_SHARE
        ? []
        : [{ phase, share, outside }],
    )
    .sort((a, b) => Math.abs(b.share) - Math.abs(a.share))
    .slice(0, MAX_PHASES);
  const [first, ...others] = parts;
  if (first === undefined) return null;
  const named = (phase: string): string => `“${plain(phase, 40)}”`;
  const inPercent = (share: number): string => `${fixed(100 * share, 0)} %`;
  return [
    `${first.outside ? 'everything outside its phases' : `the phase ${named(first.phase)}`} carries ${inPercent(first.share)} of it`,
    ...others.map(
      ({ phase, share, outside }) => `${outside ? 'everything outside the phases' : named(phase)} ${inPercent(share)}`,
    ),
  ].join(', ');
}
