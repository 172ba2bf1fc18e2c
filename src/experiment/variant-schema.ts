import * as z from 'zod';
import { placeKeys } from '../executors/registry.ts';
import { command, duration, environment, hostPath, map, text } from '../input/leaves.ts';

const RUN =
  'a command (text for "sh -c", or a list with the program first and then its arguments), or { idle: 10m } for nothing at all';
const idle = map(
  {
    idle: duration('a time above 0 and up to 168h', (s) => s > 0 && s <= 168 * 3600).meta({
      description: 'How long the run does nothing, to measure idle power itself in the place of the variant.',
    }),
  },
  RUN,
);

/** Keys of the workload that a variant may override. null: none, although the workload has one. */
export const workloadKeys = {
  run: z.union([command, idle], { error: RUN }).optional().meta({
    description: 'Command that is measured. A string goes through `sh -c`, a list is argv; { idle: 10m } does nothing.',
  }),
  prepare: command.nullish().meta({ description: 'Runs before every run, in the same place, outside the window.' }),
  cleanup: command.nullish().meta({ description: 'Runs after every run, in the same place, outside the window.' }),
  version: command.nullish().meta({
    description:
      "Command that prints the version of what is measured, such as `redis-server --version`. It runs once in every variant's own place, before the first block, and its outputs are compared.",
  }),
  env: environment.nullish().meta({ description: 'Environment variables.' }),
  workdir: hostPath('a path')
    .nullish()
    .meta({ description: "Working directory; default: the folder of this file, or the image's." }),
};

/** Git revision without options, ranges or paths; git decides whether it is a commit. `A...B` is the merge base, as in `git switch`. */
const revision = text(
  'the name of a git revision, such as main, v1.2, HEAD~1 or main...HEAD, where the two parted (in quotes where it is all digits)',
  /^(?:(?![-^.])(?:(?!\.\.)[^\s\p{C}:?*[\\])+\.\.\.)?(?![-^])(?!.*\.\.[^.]*$)[^\s\p{C}:?*[\\]+$/u,
)
  .optional()
  .meta({
    description:
      'Git revision at which the variant runs, in its own checkout. Everything in the repository is taken from that checkout, including a build. Default: the files as they are.',
  });

export const variantKeys = { ...workloadKeys, revision, ...placeKeys };

/** Schema of a variant; one with nothing after its name runs on the host. */
export const variantSchema = map(variantKeys).nullable();

export type VariantFile = NonNullable<z.output<typeof variantSchema>>;
