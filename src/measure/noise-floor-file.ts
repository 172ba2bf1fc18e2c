import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import type { MeterInfo } from '../contracts/reading.ts';
import { MeasureError, systemMessage } from '../errors.ts';
import type { Experiment } from '../experiment/experiment.ts';
import { identityOf } from '../meters/registry.ts';
import type { NoiseFloorRecord } from '../store/records.ts';
import { digestKey } from '../system/digest-key.ts';
import { stateFolder, writeState } from '../system/state.ts';
import { withoutWorkspace } from '../system/workspace.ts';

/** Properties that tell a meter from others. */
export type KnownMeter = Pick<MeterInfo, 'type' | 'address' | 'source' | 'identity'>;

const schema = z.object({
  schema: z.literal('joulediff/noise-floor/1'),
  host: z.string(),
  experiment: z.string(),
  baseline: z.string(),
  meter: z.object({ type: z.string(), address: z.string().nullable() }),
  measured_at: z.iso.datetime(),
  percent: z.number().nonnegative(),
  ci95: z.tuple([z.number(), z.number()]),
  blocks: z.int().positive(),
});

/**
 * Where the noise floor of a workload is kept: another machine, meter or address, another definition of the baseline, another folder, another batch
 * or window, other services or another client have another one; so has another user, whose key its name is made with, since it is printed. Names, and what else an experiment compares, make no difference.
 * In a job, its repository stands for the folder that it is checked out into, which some runners make anew each time.
 */
export function noiseFloorPath(experiment: Experiment, meter: KnownMeter): string {
  const baseline = experiment.variants.find(({ name }) => name === experiment.baseline);
  const { services, window, client, batchWindowS } = experiment;
  const fits = {
    host: hostname(),
    ...(experiment.host !== undefined && { measured: experiment.host }),
    meter: [meter.address, identityOf(meter)],
    directory: experiment.directory,
    batch: [experiment.batch, experiment.batchStarts],
    // The revision counts by its name, not by its commit; which files are there when the workload starts makes no difference either.
    workload: { ...baseline, name: null, ...(baseline?.revision && { revision: baseline.revision.name }) },
    // JSON leaves out what is undefined.
    services,
    window,
    client,
    batchWindowS,
  };
  const hash = createHmac('sha256', digestKey())
    .update(JSON.stringify(fits, (_, value) => (typeof value === 'string' ? withoutWorkspace(value) : value)))
    .digest('hex')
    .slice(0, 32);
  return join(stateFolder(), 'noise', `${meter.type}-${hash}.json`);
}

/** What was measured before and fits; null: nothing, or its file can't be used. */
export function readNoiseFloor(experiment: Experiment, meter: KnownMeter): NoiseFloorRecord | null {
  try {
    const kept = schema.parse(JSON.parse(readFileSync(noiseFloorPath(experiment, meter), 'utf8')));
    const { percent, ci95, blocks, measured_at: measuredAt } = kept;
    return kept.host === hostname() ? { percent, ci95, blocks, measuredAt } : null;
  } catch {
    return null;
  }
}

/** Keeps it in the place of what was kept before, and gives its path. Throws MeasureError when it can't be written. */
export async function writeNoiseFloor(
  experiment: Experiment,
  meter: KnownMeter,
  floor: NoiseFloorRecord,
): Promise<string> {
  const path = noiseFloorPath(experiment, meter);
  try {
    await writeState(path, {
      schema: 'joulediff/noise-floor/1',
      host: hostname(),
      experiment: experiment.name,
      baseline: experiment.baseline,
      meter: { type: meter.type, address: meter.address },
      measured_at: floor.measuredAt,
      percent: floor.percent,
      ci95: [...floor.ci95],
      blocks: floor.blocks,
    } satisfies z.input<typeof schema>);
  } catch (cause) {
    throw new MeasureError(`The noise floor could not be saved in ${path}: ${systemMessage(cause)}.`, {
      advice: 'Make sure that its disk has room and can be written, or name another folder in XDG_STATE_HOME.',
      cause,
    });
  }
  return path;
}
