import * as z from 'zod';
import type { Profile } from '../contracts/profilers.ts';
import { getWay, PROFILER_NAMES, type PROFILERS, type ProfilerName } from '../contracts/profilers.ts';
import type { Conflict } from '../input/conflict.ts';
import { map, text, wholeNumber } from '../input/leaves.ts';
import type { Path } from '../input/words.ts';
import type { Experiment } from './experiment.ts';

const NAMES = PROFILER_NAMES as [ProfilerName, ...ProfilerName[]];
const PROFILE = `the name of a profiler (${NAMES.join(', ')}), or a map such as { redis: { port: 6380 } }`;
type Asked = { [Name in ProfilerName]: (typeof PROFILERS)[Name]['way'] extends 'asked' ? Name : never }[ProfilerName];

const port = wholeNumber(1, 65_535, 'a port').optional().meta({ description: 'Port at which the profiler asks it.' });
const word = text('a name', /^[^\p{C}]{1,63}$/u, 63).optional();
const asked = {
  redis: map({ port }, 'a map such as { port: 6380 }').nullish(),
  postgres: map(
    {
      port,
      user: word.meta({ description: 'User to connect as; default: that of psql.' }),
      database: word.meta({ description: 'Database whose statements are counted; default: that of psql.' }),
    },
    'a map such as { port: 5433, user: bench, database: bench }',
  ).nullish(),
} satisfies Record<Asked, z.ZodType>;

/** Schema for Go: the port where the program serves its profiles; without a port, the program writes one. */
const go = map({ port }, 'a map such as { port: 6060 }').nullish();

/** Schema of `profile`, for the workload's command or a service. */
export const profile = z
  .union([z.enum(NAMES, { error: PROFILE }), map({ ...asked, go }, PROFILE)], { error: PROFILE })
  .meta({
    description: `Profiler of the language runtime or server, only for the extra runs of \`explain\`: ${NAMES.join(', ')}.`,
  });

type GivenProfile = z.output<typeof profile>;

/** The part of an experiment file that names profilers. */
interface NamingFile {
  readonly workload: { readonly profile?: GivenProfile | undefined };
  readonly services?:
    | Readonly<Record<string, { readonly profile?: GivenProfile | undefined; readonly lifetime: string }>>
    | undefined;
}

/** The named profilers, each with the service that it is for; `of` null: the workload. */
function named(file: NamingFile): { readonly of: string | null; given: GivenProfile }[] {
  const ofServices = Object.entries(file.services ?? {}).map(([of, service]) => ({ of, given: service.profile }));
  return [{ of: null, given: file.workload.profile }, ...ofServices].flatMap(({ of, given }) =>
    given === undefined ? [] : [{ of, given }],
  );
}

const listKinds = (given: GivenProfile): string[] => (typeof given === 'string' ? [given] : Object.keys(given));

/** Conflicts between `profile` and other keys. */
export function profileConflicts(file: NamingFile): Conflict[] {
  return named(file).flatMap(({ of, given }): Conflict[] => {
    const path: Path = of === null ? ['workload', 'profile'] : ['services', of, 'profile'];
    const refuse = (detail: string): Conflict[] => [
      { path, part: 'key', detail, follows: [path, ['services'], ['workload']] },
    ];
    const [kind, ...more] = listKinds(given);
    if (kind === undefined || more.length > 0) return refuse(`it takes one of ${NAMES.join(', ')}`);
    const way = getWay(kind as ProfilerName, optionsOf(given).port ?? null);
    const lasts = of !== null && file.services?.[of]?.lifetime === 'experiment';
    if (way === 'asked' && of === null) {
      return refuse(
        `"${kind}" was given, which asks a server before the command and after it; give it to the service that is asked`,
      );
    }
    if (way === 'polled' && of === null) {
      return refuse(
        `"${kind}" was given with a port, at which a server is asked while the command runs; give it to the service that is asked, or leave the port out`,
      );
    }
    if (way === 'files' && lasts) {
      return refuse(`"${kind}" was given, and writes when its process ends, after all runs; give lifetime: run`);
    }
    if (way === 'attached' && lasts) {
      return refuse(`"${kind}" was given, and finds what starts in an observed run alone; give lifetime: run`);
    }
    return [];
  });
}

function optionsOf(given: GivenProfile): { port?: number; user?: string; database?: string } {
  const options = typeof given === 'string' ? {} : { ...given.redis, ...given.postgres, ...given.go };
  return options as { port?: number; user?: string; database?: string };
}

export function resolveProfiles(file: NamingFile): Pick<Experiment, 'profiles'> {
  const all = named(file).map(({ of, given }): Profile => {
    const [kind = ''] = listKinds(given);
    const { port = null, ...who } = optionsOf(given);
    return { kind, of, port, ...who };
  });
  return all.length === 0 ? {} : { profiles: all };
}
