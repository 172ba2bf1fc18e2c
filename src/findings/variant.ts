import * as z from 'zod';
import { VariantMetric } from './metrics.ts';
import { count, Distribution, type Immutable, Pearson, Summary, scalar, Undefined, WTest } from './numbers.ts';
import { VariantCounter } from './resources.ts';
import { RunReason } from './run-reason.ts';

export const EnergyUncertainty = z
  .strictObject({
    coverage_factor: z.number(),
    of_run: z.number().nullable().describe('of one run, root mean square over the runs'),
    of_mean: z.number().nullable().describe('of the mean: systematic and random together'),
    systematic: z.number().nullable().describe("of the mean, from the meter's class: the same for every run"),
    random: z.number().nullable().describe('of the mean, from all that differs from run to run'),
    components: z
      .strictObject({
        gain: z.number().nullable(),
        offset: z.number().nullable(),
        idle: z.number().nullable(),
        drift: z.number().nullable(),
        quantization: z.number().nullable(),
        edges: z.number().nullable(),
      })
      .describe('standard uncertainties (k = 1) of one run, root mean square over the runs'),
  })
  .describe(
    "uncertainty of an energy in joules (GUM); expanded (k = coverage_factor) except for components; null: the meter's class or another part isn't known",
  );
export type EnergyUncertainty = Immutable<z.output<typeof EnergyUncertainty>>;

export const VariantFindings = z.strictObject({
  name: z.string(),
  kind: z.string(),
  facts: z
    .record(z.string(), scalar.nullable())
    .describe(
      'facts that its place reported, by name; a container reports image (its reference), image_digest and image_id',
    ),
  command: z
    .union([z.string(), z.array(z.string())])
    .describe(
      'command as the experiment file has it: a string for a shell, or a list of arguments, which is empty for the default command of its place; absent: not known',
    )
    .exactOptional(),
  revision: z
    .strictObject({
      name: z.string(),
      commit: z.string().regex(/^[0-9a-f]{40,64}$/),
    })
    .nullable()
    .describe('revision that was checked out for it; absent: the files were used as they were')
    .exactOptional(),
  runs: count.describe('valid runs'),
  excluded: z.array(
    z.strictObject({
      run: count,
      status: z.enum(['failed', 'invalid']),
      reason: RunReason.nullable(),
    }),
  ),
  flagged: z.array(
    z.strictObject({
      run: count,
      modified_z: z.number(),
    }),
  ),
  energy_j: Summary.nullable(),
  net_energy_j: Summary.nullable(),
  duration_s: Summary.nullable(),
  mean_power_w: Summary.nullable(),
  shapiro_wilk: WTest.nullable(),
  energy_time_pearson: Pearson.nullable(),
  energy_uncertainty_j: EnergyUncertainty.nullable(),
  net_energy_uncertainty_j: EnergyUncertainty.nullable(),
  executions_per_run: z
    .int()
    .min(1)
    .nullable()
    .describe('executions of the command in each window; energies and durations are of the whole window'),
  starts_per_run: z
    .int()
    .min(1)
    .nullable()
    .describe('starts of its process or container in each window: one for all executions, or one for each'),
  per_execution: z
    .strictObject({
      energy_j: z.number(),
      net_energy_j: z.number().nullable(),
      duration_s: z.number().nullable(),
    })
    .describe('means of one execution')
    .nullable(),
  resources_runs: count.describe('number of runs with at least one known resource'),
  resources: z
    .strictObject({
      cpu_s: Summary.nullable(),
      peak_memory_bytes: Summary.nullable(),
      read_bytes: Summary.nullable(),
      written_bytes: Summary.nullable(),
    })
    .nullable()
    .describe(
      'resources that a run used: processor time of all processes of the workload, peak memory with the page cache that it touched, bytes read from and written to disks; over the runs in which each is known; null: in none',
    ),
  counters: z
    .array(VariantCounter)
    .describe(
      'kernel counters in the windows: of the runs, and (machine_…, frequency, temperature) of the whole machine',
    )
    .exactOptional(),
  metrics: z
    .array(VariantMetric)
    .describe('numbers that the workload printed, in the order of the experiment file; absent: the file has no metrics')
    .exactOptional(),
  phases: z
    .array(
      z.strictObject({
        phase: z.string(),
        runs: z.int().min(1),
        energy_j: Summary,
        duration_s: Summary,
        short: z.boolean(),
        uncertainty_j: z.number().nullable(),
        outside: z.boolean(),
      }),
    )
    .describe(
      "phases in order of their start, with a repeated phase summed within each run; absent: the workload marks none. runs: those with the phase; short: some lasted less than three readings, or less than the meter may take to show a change; uncertainty_j: expanded (k = 2), of the phase's energy in one run, from its edges alone; outside: the rest of the runs, which comes last",
    )
    .exactOptional(),
  distribution: Distribution.nullable(),
  flagged_note: Undefined.nullable().describe('why runs could not be flagged as outliers; null: they could'),
});
export type VariantFindings = Immutable<z.output<typeof VariantFindings>>;
