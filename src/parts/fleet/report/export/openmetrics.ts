import { interval95 } from '../../../../analysis/comparison/percent.ts';
import { EMULATED, emulationTest } from '../../../../findings/emulated.ts';
import type { Findings } from '../../../../findings/findings.ts';
import { perExecution } from '../../../../report/per-execution.ts';
import { getStanding, primaryComparisons } from '../../../../report/verdict.ts';
import { visible } from '../../../../text/plain.ts';
import { benchmarkStates } from '../benchmark-states.ts';

type Labels = Readonly<Record<string, string | null | undefined>>;

interface Family {
  readonly name: string;
  readonly help: string;
  /** Unit as the last part of the name, as OpenMetrics requires. */
  readonly unit: string;
  readonly samples: (findings: Findings) => readonly (readonly [labels: Labels, value: number | null | undefined])[];
}

/** Gauges from the newest result of each experiment and machine. */
const FAMILIES: readonly Family[] = [
  {
    name: 'joulediff_energy_joules',
    help: 'Mean energy of one execution of the command.',
    unit: 'joules',
    samples: ({ variants }) => variants.map(({ name, energy_j: energy }) => [{ variant: name }, energy?.mean]),
  },
  {
    name: 'joulediff_duration_seconds',
    help: 'Mean duration of one execution of the command.',
    unit: 'seconds',
    samples: ({ variants }) => variants.map(({ name, duration_s: duration }) => [{ variant: name }, duration?.mean]),
  },
  {
    name: 'joulediff_change_ratio',
    help: 'Change in energy against the baseline, and the limits of its 95 % confidence interval, absent where the blocks are too few for it.',
    unit: 'ratio',
    samples: (findings) =>
      primaryComparisons(findings).flatMap(({ baseline, variant, percent }) => {
        const [low, high] = interval95(percent) ?? [];
        const ends = { estimate: percent.estimate, low, high };
        return Object.entries(ends).map(
          ([bound, value]) => [{ baseline, variant, bound }, value && value / 100] as const,
        );
      }),
  },
  {
    name: 'joulediff_verdict',
    help: 'Verdict of the comparison.',
    unit: '',
    samples: (findings) =>
      primaryComparisons(findings).map((comparison) => {
        const { baseline, variant } = comparison;
        return [{ baseline, variant, verdict: getStanding({ findings, comparison }) }, 1];
      }),
  },
  {
    name: 'joulediff_blocks',
    help: 'Complete blocks.',
    unit: '',
    samples: ({ experiment }) => [[{}, experiment.repetitions_completed]],
  },
  {
    name: 'joulediff_started_timestamp_seconds',
    help: 'When the experiment began.',
    unit: 'seconds',
    samples: ({ experiment: { started_at: start } }) => [[{}, start === null ? null : Date.parse(start) / 1000]],
  },
];

/**
 * OpenMetrics text, which Prometheus, and the textfile collector of its node exporter, read (https://prometheus.io/docs/specs/om/open_metrics_spec/).
 * Every sample says by a label whether it was measured. Of results of one experiment and machine the newest counts; `onOlder` hears of each other.
 */
export function openMetrics(results: Iterable<Findings>, onOlder: OnOlder): string {
  const families = listFamilies(results, onOlder).map(({ name, help, unit, samples }) => {
    const lines = samples.map(({ labels, value }) => `${name}${labelText(labels)} ${value}\n`);
    const head = `# TYPE ${name} gauge\n${unit === '' ? '' : `# UNIT ${name} ${unit}\n`}# HELP ${name} ${help}\n`;
    return lines.length === 0 ? '' : head + lines.join('');
  });
  return `${families.join('')}# EOF\n`;
}

/** Hears of each result that is left out, because a newer one has the same labels. */
export type OnOlder = () => void;

interface Sample {
  readonly labels: Labels;
  readonly value: number;
}

/** The same for other formats. Samples without a value are left out. */
export function listFamilies(
  results: Iterable<Findings>,
  onOlder: OnOlder,
): (Pick<Family, 'name' | 'help' | 'unit'> & { readonly samples: readonly Sample[] })[] {
  const newest = newestSamples(results, onOlder);
  return FAMILIES.map(({ samples: _, ...family }, i) => ({ ...family, samples: newest.flatMap((all) => all[i]!) }));
}

const originOf = ({ experiment, conditions, meter }: Findings): Labels => ({
  experiment: experiment.name,
  host: conditions?.hostname,
  meter: meter.type,
  source: meter.source,
});

/** The samples of the newest result of each origin, family by family; nothing else is kept of any. */
function newestSamples(results: Iterable<Findings>, onOlder: OnOlder): Sample[][][] {
  const newest = new Map<
    string,
    { readonly id: string | null; readonly start: string; readonly samples: Sample[][] }
  >();
  for (const findings of results) {
    const origin = originOf(findings);
    const key = JSON.stringify(origin);
    const { id, started_at: startedAt } = findings.experiment;
    const start = startedAt ?? '';
    const before = newest.get(key);
    // Tables from elsewhere have no id.
    if (before !== undefined && (id === null || before.id !== id)) onOlder();
    if (before === undefined || start > before.start) {
      newest.set(key, { id, start, samples: samplesOf(findings, origin) });
    }
  }
  return [...newest.values()].map(({ samples }) => samples);
}

function samplesOf(findings: Findings, origin: Labels): Sample[][] {
  const stateOf = benchmarkStates(findings);
  const counted = { ...findings, variants: findings.variants.filter(({ name }) => stateOf(name) === 'compared') };
  const isEmulated = emulationTest(findings);
  const guest = ({ variant, baseline }: Labels): Labels =>
    isEmulated(variant ?? '', baseline ?? '') ? { [EMULATED]: 'true' } : {};
  return FAMILIES.map(({ samples }) =>
    samples(perExecution(counted)).flatMap(([labels, value]) =>
      typeof value === 'number' && Number.isFinite(value)
        ? [{ labels: { ...origin, ...labels, ...guest(labels) }, value }]
        : [],
    ),
  );
}

function labelText(labels: Labels): string {
  const known = Object.entries(labels).filter(([, value]) => value !== null && value !== undefined);
  return `{${known.map(([key, value]) => `${key}="${escaped(value as string)}"`).join(',')}}`;
}

/** Label value without control characters, escaped. */
const escaped = (value: string): string => visible(value).replace(/[\\"]/g, '\\$&');
