import * as z from 'zod';
import { TRACERS } from '../contracts/tracers.ts';
import type { VariantBase } from '../contracts/variant.ts';
import { PRINTED_AT } from '../executors/phases/phase-lines.ts';
import { placeKinds } from '../executors/registry.ts';
import { SERVICE_SIGNALS } from '../executors/service.ts';
import { SETTINGS } from '../findings/conditions.ts';
import { HOST_ADDRESS } from '../hosts/address.ts';
import { type Experiment, HOOK_NAMES } from './experiment.ts';

/**
 * Schema of the experiment inside an experiment.db. The file may be made up, and the analysis and `--resume` rely on the types, so
 * everything is validated.
 */

const text = z.string();
const count = z.int().min(0);
const seconds = z.number().min(0);
const command = z.union([text, z.array(text).min(1)]);
/** A command; an empty list stands for the place's own (`OWN_COMMAND`). */
const run = z.union([text, z.array(text)]);

const pin = z.strictObject({ cpus: text.nullable(), nice: z.int().min(-20).max(19).nullable() });

const batch = z.union([count, z.literal('auto')]);
const metrics = z
  .array(
    z.union([
      z.strictObject({ name: text, line: text, unit: text }),
      z.strictObject({ name: text, harness: text, unit: text }),
    ]),
  )
  .min(1)
  .max(100);

const base = {
  kind: text,
  name: text.min(1),
  workload: z.strictObject({
    run,
    prepare: command.nullable(),
    cleanup: command.nullable(),
    env: z.record(text, text),
    workdir: text.nullable(),
    timeoutS: seconds.nullable(),
    place: z.literal('host').exactOptional(),
    hostWorkdir: text.exactOptional(),
    idleS: seconds.exactOptional(),
    pin: pin.exactOptional(),
    version: command.exactOptional(),
    metrics: metrics.exactOptional(),
    batch: batch.exactOptional(),
    services: z.array(text).max(100).exactOptional(),
  }),
  revision: z.strictObject({ name: text, commit: text.nullable() }).exactOptional(),
  hidden: z.literal(true).exactOptional(),
};

/** A variant of a kind that this version does not know: its common properties are enough for an analysis. */
export const recordedVariant: z.ZodType<VariantBase> = z.looseObject(base).superRefine((variant, context) => {
  const kind = placeKinds.find(({ name }) => name === variant.kind);
  if (kind === undefined) return;
  const { error } = z.strictObject({ ...base, ...kind.recorded }).safeParse(variant);
  for (const issue of error?.issues ?? [])
    context.addIssue({ code: 'custom', path: issue.path, message: issue.message });
});

const service = z.strictObject({
  name: text,
  run: command,
  env: z.record(text, text),
  workdir: text.nullable(),
  place: z.union([
    z.enum(['variant', 'host']),
    z.templateLiteral(['ssh://', z.string()]).refine((given) => HOST_ADDRESS.test(given)),
  ]),
  address: text.exactOptional(),
  lifetime: z.enum(['run', 'experiment']),
  ready: z
    .discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('tcp'), port: count }),
      z.strictObject({ kind: z.literal('http'), url: text, status: count }),
      z.strictObject({ kind: z.literal('log'), line: text }),
      z.strictObject({ kind: z.literal('command'), command }),
    ])
    .nullable(),
  readyWithinS: seconds,
  stop: z.strictObject({ signal: z.enum(SERVICE_SIGNALS), withinS: seconds }),
});

const factor = z.strictObject({ name: text, levels: z.array(text).min(2).max(500) });
const cell = z.strictObject({ variant: text, levels: z.array(text).min(2).max(20) });
const hook = z.strictObject({
  run: command,
  place: z.literal('variant').exactOptional(),
  timeoutS: seconds.nullable(),
});

const experiment = z
  .strictObject({
    asWritten: text.exactOptional(),
    name: text,
    directory: text,
    variants: z.array(recordedVariant).min(1).max(501),
    baseline: text,
    factorial: z
      .strictObject({ factors: z.array(factor).min(2).max(20), cells: z.array(cell).min(1).max(500) })
      .exactOptional(),
    comparisons: z
      .array(z.strictObject({ baseline: text, variant: text }))
      .min(1)
      .max(125_000)
      .exactOptional(),
    suite: z
      .strictObject({
        listing: z
          .strictObject({
            harness: text.nullable(),
            target: text.nullable(),
            list: command,
            run: command.nullable(),
            include: z.array(text).max(100),
            exclude: z.array(text).max(100),
          })
          .exactOptional(),
        variants: z.array(text).min(2).max(500),
        benchmarks: z.array(z.strictObject({ name: text, on: z.array(text).max(500) })).max(1000),
      })
      .exactOptional(),
    repetitions: count.min(1).max(10_000),
    looks: z
      .array(count.min(1).max(10_000))
      .min(1)
      .max(10)
      .refine((list) => list.every((blocks, i) => blocks > (list[i - 1] ?? 0)), {
        error: 'its numbers do not increase',
      })
      .exactOptional(),
    auto: z
      .strictObject({
        least: count.min(1).max(10_000),
        wantPercent: z.number().positive().exactOptional(),
        withinS: seconds.exactOptional(),
      })
      .exactOptional(),
    warmup: z.strictObject({ runs: count }),
    restS: seconds,
    restUpToS: seconds.exactOptional(),
    guardS: seconds,
    guardByMeter: z.literal(true).exactOptional(),
    batch,
    batchWindowS: seconds.exactOptional(),
    batchStarts: z.literal(true).exactOptional(),
    quiet: z.array(z.enum(SETTINGS)).exactOptional(),
    onNoise: z
      .union([
        z.strictObject({ react: z.enum(['warn', 'fail']) }),
        z.strictObject({ react: z.literal('wait'), limitS: seconds }),
      ])
      .exactOptional(),
    waitForMachineS: seconds.exactOptional(),
    seed: count.nullable(),
    marginPercent: z.number().min(0),
    host: text.exactOptional(),
    client: z.strictObject({ address: text.regex(HOST_ADDRESS), serviceHost: text.nullable() }).exactOptional(),
    passEnv: z.array(text).exactOptional(),
    phases: z
      .union([
        z.literal('auto'),
        z.strictObject({ auto: z.literal(true), lines: z.enum(PRINTED_AT) }),
        z.array(z.strictObject({ phase: text, pattern: text })),
      ])
      .exactOptional(),
    services: z.array(service).min(1).max(100).exactOptional(),
    hooks: z.partialRecord(z.enum(HOOK_NAMES), hook).exactOptional(),
    metrics: metrics.exactOptional(),
    window: z.literal('service').exactOptional(),
    output: z.literal('file').exactOptional(),
    logs: z.strictObject({ runBytes: count, allBytes: count }).exactOptional(),
    pins: z.partialRecord(z.enum(['workload', 'client', 'joulediff']), pin).exactOptional(),
    explain: z.enum(['on-change', 'always']).exactOptional(),
    profiles: z
      .array(
        z.strictObject({
          kind: text,
          of: text.nullable(),
          port: count.nullable(),
          user: text.exactOptional(),
          database: text.exactOptional(),
        }),
      )
      .max(100)
      .exactOptional(),
    trace: z.union([z.boolean(), z.array(z.enum(TRACERS)).max(10)]).exactOptional(),
    meters: z.array(text),
    cost: z
      .strictObject({
        price: z.strictObject({ perKwh: z.number(), currency: text }).nullable(),
        intensityGPerKwh: z.number().nullable(),
        task: z.strictObject({ name: text, runs: z.number() }).nullable(),
      })
      .exactOptional(),
    failOn: z
      .array(
        z.strictObject({
          text,
          metric: z.enum(['percent', 'joules']),
          direction: z.enum(['above', 'below']),
          limit: z.number(),
          variant: text.nullable(),
          channel: text.nullable(),
          evenIfInconclusive: z.boolean(),
          of: z.union([z.literal('mean'), z.strictObject({ energy: text })]).exactOptional(),
        }),
      )
      .exactOptional(),
    history: z
      .strictObject({
        file: text.nullable(),
        branch: text.nullable(),
        track: text.nullable(),
        alert: z.union([z.literal('issue'), z.strictObject({ webhook: text })]).exactOptional(),
      })
      .exactOptional(),
  })
  .superRefine(({ variants, baseline, factorial, failOn, suite, comparisons }, context) => {
    const names = new Set(variants.map(({ name }) => name));
    const named = new Set([...names, ...(suite?.variants ?? [])]);
    const used = [
      baseline,
      ...(comparisons ?? []).flatMap((pair) => [pair.baseline, pair.variant]),
      ...(factorial?.cells ?? []).map(({ variant }) => variant),
      ...(failOn ?? []).flatMap(({ variant }) => variant ?? []),
    ];
    const unknown = used.find((name) => !named.has(name));
    const refuse = (message: string) => context.addIssue({ code: 'custom', message });
    if (unknown !== undefined) refuse(`it names "${unknown}", which is none of its variants`);
    if (names.size < variants.length) refuse('two variants have the same name');
    const { factors = [], cells = [] } = factorial ?? {};
    const fits = cells.every(
      ({ levels }) =>
        levels.length === factors.length && factors.every((one, i) => one.levels.includes(levels[i] ?? '')),
    );
    if (!fits) refuse('a cell of its matrix has not one level of each factor');
    const places = new Set(cells.map(({ levels }) => JSON.stringify(levels)));
    const ofMatrix = new Set(cells.map(({ variant }) => variant));
    if (places.size < cells.length || ofMatrix.size < cells.length) refuse('two cells of its matrix are the same');
  });

/** Variants of an unknown kind are allowed, since readers need only the common properties. */
export const recordedExperiment = experiment as unknown as z.ZodType<Experiment>;

/** Compile-time check that the schema and the type agree: a missing or different key of an experiment does not compile. */
type Read = z.output<typeof experiment>;
type Missing = Exclude<keyof Experiment, keyof Read> | Exclude<keyof Read, keyof Experiment>;
export type Agreed = [Missing] extends [never]
  ? Omit<Read, 'variants'> extends Omit<Experiment, 'variants'>
    ? true
    : never
  : never;
true satisfies Agreed;
