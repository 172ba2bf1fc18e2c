import * as z from 'zod';
import type { Command } from '../contracts/variant.ts';
import { command, map, text } from '../input/leaves.ts';

/** State of Docker's engine during a variant's runs. `stop` and `start`: commands; null: those of the service manager. */
export type EngineState =
  | { readonly state: 'running' }
  | { readonly state: 'stopped'; readonly stop: Command | null; readonly start: Command | null };

/** The engine that makes a variant's containers; `rootless`: Docker's engine of this user. */
export type EngineName = (typeof NAMES)[number] | `unix://${string}`;

const STATES = ['running', 'stopped'] as const;
const NAMES = ['docker', 'podman', 'rootless'] as const;

const ENGINE =
  '"running", "stopped", or a map such as { state: stopped, stop: COMMAND, start: COMMAND } on the host, and for a container "docker", "podman", "rootless" or a socket such as "unix:///run/podman/podman.sock"';
const state = z.enum(STATES, { error: ENGINE });

/** The key of a variant: on the host, whether Docker's engine runs meanwhile; of a container, which engine makes it. */
export const engineKey = z
  .union(
    [
      state,
      z.enum(NAMES, { error: ENGINE }),
      // The limit is the length of a socket's path.
      text(ENGINE, /^unix:\/\/\/[^\0\n\r]+$/, 'unix://'.length + 107),
      map(
        {
          state: state.meta({ description: 'running or stopped.' }),
          stop: command.optional().meta({ description: 'Command that stops it; default: systemctl or service.' }),
          start: command.optional().meta({ description: 'Command that starts it; default: systemctl or service.' }),
        },
        ENGINE,
      ),
    ],
    { error: ENGINE },
  )
  .meta({ id: 'engine' })
  .optional()
  .meta({
    description:
      "For a container: the engine that makes it (docker, podman, rootless, or its socket); default: Docker's, or that of DOCKER_HOST. On the host: the state of Docker's engine during runs. stopped: it is stopped before each run and started again after it, which needs `allow: engine-stop`; running: it has to run.",
  });

export const recordedEngine = z.union([
  z.strictObject({ state: z.literal('running') }),
  z.strictObject({ state: z.literal('stopped'), stop: recordedCommand(), start: recordedCommand() }),
]);

function recordedCommand() {
  return z.union([z.string(), z.array(z.string())]).nullable();
}

export const recordedEngineName = z.union([z.enum(NAMES), z.templateLiteral(['unix://', z.string()])]);

type GivenEngine = NonNullable<z.output<typeof engineKey>>;

/** The engine that is named; null: a state is given instead. */
export function engineName(given: GivenEngine): EngineName | null {
  return typeof given === 'object' || isState(given) ? null : (given as EngineName);
}

const isState = (given: string): given is EngineState['state'] => (STATES as readonly string[]).includes(given);

/** State of the engine. Throws where an engine is named, which `engineProblem` has refused before. */
export function resolveEngine(given: GivenEngine): EngineState {
  if (typeof given === 'string' && !isState(given)) throw new Error(`${given} is no state of an engine`);
  const { state, stop, start } = typeof given === 'string' ? { state: given } : given;
  return state === 'running' ? { state } : { state, stop: stop ?? null, start: start ?? null };
}

/** Problem of the key in a container variant; null: there is none. */
export const engineNameProblem = (given: GivenEngine): string | null =>
  engineName(given) === null
    ? 'a container needs its engine, so whether that runs is a question for variants on the host; name an engine (docker, podman, rootless or a socket), or leave engine out'
    : null;

/** Problem of the key in a variant on the host; null: there is none. */
export function engineProblem(given: GivenEngine): string | null {
  if (engineName(given) !== null) {
    return `${JSON.stringify(given)} was given, which makes containers, and this variant runs on the host; give an image, or leave engine out`;
  }
  if (typeof given === 'string') return null;
  if (given.state === 'running' && (given.stop ?? given.start) !== undefined) {
    return 'stop and start are for an engine that is stopped; leave them out, or give state: stopped';
  }
  if ((given.stop === undefined) === (given.start === undefined)) return null;
  return `only ${given.stop === undefined ? 'start' : 'stop'} was given; what stops the engine and what starts it again belong together`;
}
