import * as z from 'zod';
import { command, map, timeLimit } from '../input/leaves.ts';
import { type Experiment, HOOK_NAMES, type Hook } from './experiment.ts';

const HOOK = 'a command, or a map such as { run: ./reset.sh, timeout: 10m }';
const PLACE = '"host" or "variant"';

const hook = z.union(
  [
    command,
    map(
      {
        run: command.meta({ description: 'A string goes through `sh -c`, a list is argv.' }),
        place: z.enum(['host', 'variant'], { error: PLACE }).prefault('host').meta({
          description:
            'host: on the host; variant: in the place of each variant, as a process or in a container of its own. Default: host.',
        }),
        timeout: timeLimit.prefault('10m').meta({ description: 'Longest time that it may take; none: no limit.' }),
      },
      HOOK,
    ),
  ],
  { error: HOOK },
);

const run = (description: string) => hook.optional().meta({ description });

/** Schema of `hooks`: commands before and after what is measured. */
export const hooks = map({
  'before-all': run('Before the first run, and before services with `lifetime: experiment` start.'),
  'before-block': run('Before every block, outside of rest and guard.'),
  prepare: run("Before every run, its services and the workload's prepare."),
  cleanup: run("After every run, its services and the workload's cleanup."),
  'after-all': run('After the last run, and when the experiment ends early.'),
}).meta({ description: 'Commands around the experiment and around runs, and before blocks; never inside a window.' });

const DEFAULT_TIMEOUT_S = 600;

export function resolveHooks(given: z.output<typeof hooks> | undefined): Pick<Experiment, 'hooks'> {
  const all = HOOK_NAMES.flatMap((name): [string, Hook][] => {
    const written = given?.[name];
    if (written === undefined) return [];
    if (typeof written === 'string' || Array.isArray(written)) {
      return [[name, { run: written, timeoutS: DEFAULT_TIMEOUT_S }]];
    }
    const { run, place, timeout } = written as Exclude<typeof written, string | readonly string[]>;
    const where = place === 'variant' ? { place } : {};
    return [[name, { run, ...where, timeoutS: timeout === 'none' ? null : timeout }]];
  });
  return all.length === 0 ? {} : { hooks: Object.fromEntries(all) };
}
