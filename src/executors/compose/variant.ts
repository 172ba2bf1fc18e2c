import * as z from 'zod';
import type { VariantBase } from '../../contracts/variant.ts';
import { duration, hostPath, map, text } from '../../input/leaves.ts';

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;
const PROFILES = 'a list of profiles of the Compose file, such as [load]';
const HOUR_S = 3600;

export const WITHIN_S = 120;

/** Keys of Compose projects only; a variant with `compose` is one. */
export const composeKeys = {
  compose: map({
    file: hostPath('the path of a Compose file')
      .prefault('compose.yml')
      .meta({ description: 'The Compose file, relative to this file.' }),
    service: text('the name of a service in the Compose file', NAME).optional().meta({
      description:
        'Service whose container the workload runs in, as with `docker compose run`: the services that it depends on are started first. With `place: host`: the service to start, with those that it depends on; default: all.',
    }),
    profiles: z.array(text(PROFILES, NAME), { error: PROFILES }).optional().meta({
      description: 'Profiles of the Compose file whose services are started too.',
    }),
    within: duration('a time above 0 and up to 1h', (s) => s > 0 && s <= HOUR_S)
      .optional()
      .meta({ description: 'Longest time until all started services are running and healthy; default: 2m.' }),
  })
    .optional()
    .meta({ description: 'Compose project that is started for every run. With it the variant runs in Compose.' }),
};

export type ComposeKeys = typeof composeKeys;

export interface ComposeVariant extends VariantBase {
  readonly kind: 'compose';
  /** Path of the Compose file; absolute after resolution. */
  readonly file: string;
  /** Service that the workload runs in, or, with `place: host`, that is started; null: all are started. */
  readonly service: string | null;
  readonly profiles: readonly string[];
  readonly withinS: number;
  /** Folder of the experiment file: nothing above it is mounted. */
  readonly root: string;
  /** Path from which tags of built images are made, where that of a checkout differs each time; absent: `file`. */
  readonly tagBy?: string;
}

/** Schema of the variant's own part of a record. */
export const recordedKeys = {
  file: z.string(),
  service: z.string().nullable(),
  profiles: z.array(z.string()),
  withinS: z.number(),
  root: z.string(),
  tagBy: z.string().exactOptional(),
};
