import type { Analysis } from '../../../../analysis/results.ts';
import { channelSource, EMULATED, emulationTest } from '../../../../findings/emulated.ts';
import type { Findings } from '../../../../findings/findings.ts';
import { type Field, RUN_COLUMNS, SAMPLE_COLUMNS, sampleRows } from '../../../../report/csv.ts';
import { getStanding, primaryComparisons } from '../../../../report/verdict.ts';
import type { StoreReader } from '../../../../store/reader.ts';

/** One result of those that are exported together. A findings.json has neither runs nor samples. */
export interface Exported {
  readonly findings: Findings;
  /** Null: not known. */
  readonly runs: Analysis['runs'] | null;
}

export type ColumnType = 'text' | 'number' | 'integer' | 'nanoseconds' | 'boolean';

export type Rows = readonly (readonly Field[])[];

export interface TableShape {
  /** Name of its file, without an ending. */
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly type: ColumnType }[];
}

export interface ExportTable extends TableShape {
  /** The rows of one result. */
  readonly rows: (exported: Exported) => Rows;
}

/** Origin columns in every row: measured, modelled and emulated numbers must never be confused. */
const ORIGIN: Readonly<Record<string, (findings: Findings) => Field>> = {
  experiment: ({ experiment }) => experiment.id,
  name: ({ experiment }) => experiment.name,
  started_at: ({ experiment }) => experiment.started_at,
  host: ({ conditions }) => conditions?.hostname,
  meter: ({ meter }) => meter.type,
};

/** Types of columns that are not plain numbers. */
const TYPES: Readonly<Record<string, ColumnType>> = {
  experiment: 'text',
  name: 'text',
  started_at: 'text',
  host: 'text',
  meter: 'text',
  source: 'text',
  variant: 'text',
  baseline: 'text',
  revision: 'text',
  status: 'text',
  channel: 'text',
  reason: 'text',
  governor: 'text',
  verdict: 'text',
  metric: 'text',
  unit: 'text',
  run: 'integer',
  block: 'integer',
  position: 'integer',
  samples: 'integer',
  executions: 'integer',
  session: 'integer',
  blocks: 'integer',
  baseline_executions: 'integer',
  variant_executions: 'integer',
  n_baseline: 'integer',
  n_variant: 'integer',
  start_ns: 'nanoseconds',
  end_ns: 'nanoseconds',
  t_ns: 'nanoseconds',
  complete: 'boolean',
  [EMULATED]: 'boolean',
};

const columnsOf = (names: readonly string[]): ExportTable['columns'] =>
  names.map((name) => ({ name, type: TYPES[name] ?? 'number' }));

/** Origin with the source of this channel, which may differ from the primary channel's. */
const originOf = (findings: Findings, channel: string | null | undefined): Field[] => [
  ...Object.values(ORIGIN).map((of) => of(findings)),
  channelSource(findings.meter, channel),
];

const ORIGIN_NAMES = [...Object.keys(ORIGIN), 'source'];

export const RUNS: ExportTable = {
  name: 'runs',
  columns: columnsOf([...ORIGIN_NAMES, ...Object.keys(RUN_COLUMNS), EMULATED]),
  rows({ findings, runs }) {
    const fields = Object.values(RUN_COLUMNS);
    const isEmulated = emulationTest(findings);
    return (runs ?? []).map((run) => [
      ...originOf(findings, run.channel),
      ...fields.map((field) => field(run)),
      isEmulated(run.variant),
    ]);
  },
};

/** What the workload printed, a row a run and metric: no two experiments need to have the same ones. */
const metrics: ExportTable = {
  name: 'metrics',
  columns: columnsOf([...ORIGIN_NAMES, 'run', 'variant', 'status', 'metric', 'unit', 'value', EMULATED]),
  rows({ findings, runs }) {
    const units = new Map(
      findings.variants.flatMap(({ name: of, metrics: all = [] }) =>
        all.map(({ name, unit }) => [`${of}\0${name}`, unit]),
      ),
    );
    const primary = findings.meter.channels[0];
    const origin = originOf(findings, primary);
    const isEmulated = emulationTest(findings);
    return (runs ?? [])
      .filter(({ channel }) => channel === primary)
      .flatMap(({ run, variant, status, metrics: reported }) =>
        Object.entries(reported ?? {}).map(([metric, value]) => [
          ...origin,
          run,
          variant,
          status,
          metric,
          units.get(`${variant}\0${metric}`),
          value,
          isEmulated(variant),
        ]),
      );
  },
};

/** There may be more than fit in memory: some thousand at a time. */
export const SAMPLES = {
  name: 'samples',
  columns: columnsOf(['experiment', 'source', ...SAMPLE_COLUMNS]),
  *rows(reader: StoreReader, findings: Pick<Findings, 'experiment' | 'meter'>): Generator<Rows> {
    const channelAt = SAMPLE_COLUMNS.indexOf('channel');
    const { id } = findings.experiment;
    for (const rows of sampleRows(reader)) {
      yield rows.map((row) => [id, channelSource(findings.meter, String(row[channelAt])), ...row]);
    }
  },
} satisfies TableShape & Record<'rows', unknown>;

type Primary = ReturnType<typeof primaryComparisons>[number];

const COMPARISON: Readonly<Record<string, (of: Primary, findings: Findings) => Field>> = {
  baseline: ({ baseline }) => baseline,
  variant: ({ variant }) => variant,
  channel: ({ channel }) => channel,
  verdict: (comparison, findings) => getStanding({ findings, comparison }),
  percent: ({ percent }) => percent.estimate,
  percent_low: ({ percent }) => percent.ci95?.[0],
  percent_high: ({ percent }) => percent.ci95?.[1],
  confidence: ({ percent }) => percent.confidence,
  joules: ({ joules }) => joules?.estimate,
  joules_low: ({ joules }) => joules?.ci95?.[0],
  joules_high: ({ joules }) => joules?.ci95?.[1],
  baseline_energy_j: ({ mean_energy_j: mean }) => mean.baseline,
  variant_energy_j: ({ mean_energy_j: mean }) => mean.variant,
  baseline_executions: ({ baseline }, findings) => executionsPerRun(findings, baseline),
  variant_executions: ({ variant }, findings) => executionsPerRun(findings, variant),
  blocks: ({ blocks }) => blocks,
  n_baseline: ({ n_baseline }) => n_baseline,
  n_variant: ({ n_variant }) => n_variant,
  p: ({ tests, p_holm }) => p_holm ?? tests.wilcoxon_signed_rank?.p ?? tests.mann_whitney?.p,
  margin_percent: (_, { experiment }) => experiment.margin_percent,
  complete: (_, { experiment }) => experiment.complete,
};

/** Number of executions in each window of a variant, of which its energies are the sum. */
const executionsPerRun = ({ variants }: Findings, variant: string): Field =>
  variants.find(({ name }) => name === variant)?.executions_per_run;

/** The findings in a line a comparison; everything else of them is in findings.json. */
const comparisons: ExportTable = {
  name: 'comparisons',
  columns: columnsOf([...ORIGIN_NAMES, ...Object.keys(COMPARISON), EMULATED]),
  rows({ findings }) {
    const fields = Object.values(COMPARISON);
    const isEmulated = emulationTest(findings);
    return primaryComparisons(findings).map((of) => [
      ...originOf(findings, of.channel),
      ...fields.map((field) => field(of, findings)),
      isEmulated(of.baseline, of.variant),
    ]);
  },
};

/** The tables that have few rows of each result. */
export const SMALL_TABLES: readonly ExportTable[] = [comparisons, metrics];

export const EXPORT_TABLES: readonly TableShape[] = [comparisons, RUNS, metrics, SAMPLES];
