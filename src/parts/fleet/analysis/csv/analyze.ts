import { comparisons, completedBlocks, isGood } from '../../../../analysis/assemble.ts';
import { machineStatistics } from '../../../../analysis/checks/checked-runs.ts';
import { variantFindings } from '../../../../analysis/describe.ts';
import { type Goals, withGoals } from '../../../../analysis/goals.ts';
import { inlineNoiseFloor, withNoiseChecks } from '../../../../analysis/noise-floor.ts';
import type { Analysis } from '../../../../analysis/results.ts';
import { InputError } from '../../../../errors.ts';
import type { Findings } from '../../../../findings/findings.ts';
import { VERSION } from '../../../../version.ts';
import { isBlocked, scatteredBlocks } from './blocks.ts';
import { fileChecks } from './checks.ts';
import { type RunTable, readRunTable } from './runs.ts';

export interface CsvOptions {
  /** Display name of the file. */
  readonly file: string;
  /** Name of the experiment in the findings. */
  readonly name: string;
  /** Null: the variant called native, else the first in the file. */
  readonly baseline: string | null;
  /** Above 0. */
  readonly marginPercent: number;
  /** Absent: none. */
  readonly goals?: Goals;
}

/**
 * Analyzes a CSV of runs from any program. The source of the numbers is unknown, and the findings say so, unless the file is joulediff's own. The
 * first channel of the file is primary. Throws InputError for a malformed file, with the line, and for an unknown baseline.
 */
export function analyzeCsv(text: string, options: CsvOptions): Analysis {
  const table = readRunTable(text, options.file);
  const scattered = table.ordered ? scatteredBlocks(table.runs) : null;
  const used = scattered === null ? table.runs : table.runs.map((run) => ({ ...run, block: null }));
  const runs = table.ordered ? used.toSorted((a, b) => a.run - b.run) : used;
  const variants = [...new Set(table.runs.map((run) => run.variant))];
  const channels = [...new Set(table.runs.map((run) => run.channel))];
  const baseline = baselineOf(variants, options);
  const { marginPercent } = options;
  const again = secondArm(table, variants, baseline);
  const question = {
    baseline,
    variants: [baseline, ...variants.filter((v) => v !== baseline && v !== again)],
    channels,
  };
  const ofPrimary = runs.filter((run) => run.channel === channels[0]);
  const noise =
    again === null ? { floor: null, check: null } : inlineNoiseFloor(ofPrimary, { baseline, again, startedAt: null });
  // A file with only the two arms of the baseline has no other differences to check.
  const hidden = again === null || variants.length === 2 ? undefined : again;
  const blocked = isBlocked(ofPrimary.filter(isGood));
  const findings: Findings = {
    schema: 'joulediff/findings/1',
    experiment: {
      ...UNKNOWN_EXPERIMENT,
      name: options.name,
      repetitions_completed: blocked ? completedBlocks(ofPrimary, variants.length) : null,
      baseline,
      margin_percent: marginPercent,
      joulediff_version: VERSION,
    },
    meter: { ...UNKNOWN_METER, ...sourcesOf(table, channels), channels },
    conditions: null,
    quality: {
      noise_floor_percent: noise.floor?.percent ?? null,
      noise_floor: noise.floor,
      machine: table.ordered ? machineStatistics(runs, channels[0] ?? '', baseline) : null,
      checks: [
        ...fileChecks(
          { ...table, runs: runs.filter(({ variant }) => variant !== hidden) },
          { primary: ofPrimary, scattered, baseline, hidden },
        ),
        ...(again === null
          ? []
          : [{ name: 'second arm', state: 'ok', reason: 'taken', facts: { baseline, again } } as const]),
      ],
    },
    variants: question.variants.map((name) => variantFindings({ name, kind: 'unknown', facts: {} }, ofPrimary)),
    comparisons: comparisons(runs, { ...question, marginPercent, seed: null, ordered: table.ordered }),
  };
  const reported = withGoals(withNoiseChecks(findings, noise), runs, options.goals ?? {});
  return { findings: reported, runs, traces: [] };
}

/**
 * The hidden second arm of the baseline (`noise: inline`), recognized by its name, and only in a file with joulediff's own columns.
 * Null: there is none.
 */
function secondArm({ own }: RunTable, variants: readonly string[], baseline: string): string | null {
  // If a variant already had that name, it was extended.
  const named = variants.filter((v) => v.startsWith(baseline) && /^( \(again\))+$/.test(v.slice(baseline.length)));
  return own ? (named.toSorted((a, b) => b.length - a.length)[0] ?? null) : null;
}

const UNKNOWN_EXPERIMENT = {
  id: null,
  started_at: null,
  seed: null,
  order: 'unknown',
  repetitions_planned: null,
  complete: true,
  rest_s: null,
  guard_s: null,
} as const;

function sourcesOf(
  { sources }: RunTable,
  channels: readonly string[],
): Pick<Findings['meter'], 'source' | 'measured' | 'channel_sources'> {
  const [primary = '', ...rest] = channels;
  const source = sources.get(primary) ?? 'unknown';
  const others = rest.flatMap((channel) => {
    const own = sources.get(channel);
    return own === undefined || own === source ? [] : [[channel, own] as const];
  });
  return {
    source,
    measured: source === 'measured',
    ...(others.length > 0 && { channel_sources: Object.fromEntries(others) }),
  };
}

const UNKNOWN_METER = {
  type: 'unknown',
  address: null,
  name: null,
  measured: false,
  source: 'unknown',
  part: null,
  sampling_period_s: null,
  accuracy: null,
  identity: {},
  remarks: [],
  passport: null,
} as const;

const USUAL_BASELINE = 'native';

function baselineOf(variants: readonly string[], { baseline, file }: CsvOptions): string {
  const first = variants.includes(USUAL_BASELINE) ? USUAL_BASELINE : variants[0];
  if (baseline === null && first !== undefined) return first;
  if (baseline !== null && variants.includes(baseline)) return baseline;
  throw new InputError(`${file} has no variant "${baseline}" to be the baseline.`, {
    advice: `Its variants: ${variants.slice(0, 10).join(', ')}${variants.length > 10 ? ', …' : ''}.`,
  });
}
