import * as z from 'zod';
import { duration, label, map, percentage, text, wholeNumber } from '../input/leaves.ts';
import { MOST_EXECUTIONS } from '../schedule/batch.ts';
import { cost } from './cost-schema.ts';
import { factors } from './factors-schema.ts';
import { failOn } from './fail-on-schema.ts';
import { history } from './history-schema.ts';
import { phases } from './phases-schema.ts';
import { repetitions } from './repetitions-schema.ts';
import { variantSchema, workloadKeys } from './variant-schema.ts';

const HOUR_S = 3600;
const METER =
  'a meter such as "auto", "rapl" or "watts-up-pro:/dev/serial/by-id/…"; several as a list or separated by commas';
const BATCH = `"auto", or a whole number from 1 to ${MOST_EXECUTIONS.toLocaleString('en-US')}`;
const meterName = text(METER, /^(?=[\s,]*[^\s,])[^\p{C}]*$/u, 2000);

/** The single source of the experiment file: its types, its validation and the JSON Schema in docs/. */
export const experimentSchema = map({
  name: label.optional().meta({ description: 'Shown in reports; default: the name of the folder.' }),
  workload: map({
    ...workloadKeys,
    timeout: duration('a time above 0 and up to 168h', (s) => s > 0 && s <= 168 * HOUR_S)
      .nullish()
      .meta({ description: 'An execution that takes longer has failed; default: no limit.' }),
  })
    .prefault({})
    .meta({ description: 'What every variant runs.' }),
  variants: z
    .record(label, variantSchema, {
      error: 'a map of names and variants, such as { native: {}, container: { image: debian } }',
    })
    .optional()
    .meta({ description: 'The ways of running the workload that are compared; {} is the host itself.' }),
  factors: factors.optional(),
  baseline: label
    .optional()
    .meta({ description: 'Variant that the others are compared with; default: the first without image and build.' }),
  repetitions: repetitions.prefault(30),
  warmup: map(
    { runs: wholeNumber(0, 1_000).prefault(2).meta({ description: 'Whole blocks.' }) },
    'a map such as { runs: 2 }',
  )
    .prefault({})
    .meta({ description: 'Blocks before the first, recorded, never compared.' }),
  rest: duration('a time from 0 to 1h', (s) => s >= 0 && s <= HOUR_S)
    .prefault('20s')
    .meta({ description: 'Idle time before every run; the guard is its last part.' }),
  guard: duration('a time from 0 to 1h', (s) => s >= 0 && s <= HOUR_S)
    .prefault('3s')
    .meta({ description: 'Idle time kept on both sides of a window.' }),
  batch: z
    .union([z.literal('auto', { error: BATCH }), wholeNumber(1, MOST_EXECUTIONS, '"auto", or a whole number')], {
      error: BATCH,
    })
    .prefault(1)
    .meta({
      description:
        'Times that the command runs inside one window, for workloads that are short for the meter; "auto": as often as the meter needs, found from the warm-up.',
    }),
  phases: phases.nullish().meta({
    description:
      'Phases of the workload, each with the line of its output that begins it; beside the markers `::joulediff phase NAME` and `::joulediff end`.',
  }),
  noise: z.enum(['off', 'inline'], { error: '"off" or "inline"' }).prefault('off').meta({
    description:
      'inline: every block runs the baseline a second time, so that the noise floor is measured within the experiment.',
  }),
  seed: wholeNumber(0, 0xffffffff)
    .optional()
    .meta({ description: 'Of the random order; default: drawn, and recorded.' }),
  margin: percentage(50).prefault('1%').meta({ description: 'Differences up to this count as equivalent.' }),
  meter: z
    .union([meterName, z.array(meterName, { error: METER }).min(1, { error: METER }).max(16, { error: METER })], {
      error: METER,
    })
    .prefault('auto')
    .meta({ description: 'Meter, or meters: the first is primary.' }),
  cost: cost.optional().meta({ description: 'Price and carbon of electricity, to tell what the energy costs.' }),
  'fail-on': failOn.optional(),
  history: history.optional(),
});

/** An experiment file as people write it. */
export type ExperimentFile = z.input<typeof experimentSchema>;
/** The same after validation of each key: numbers in SI units, defaults filled in, paths as written. */
export type CheckedFile = z.output<typeof experimentSchema>;
