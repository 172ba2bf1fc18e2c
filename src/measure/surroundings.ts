import { readFileSync, rmSync } from 'node:fs';
import { messageOf, withoutFullStop } from '../errors.ts';
import { usesUserlandProxy } from '../executors/container/userland-proxy.ts';
import type { Execution, ExecutorEnvironment, PlaceFacts } from '../executors/executor.ts';
import { NoPlaceError, NoShellError } from '../executors/failures.ts';
import { makeExecutor, type Variant } from '../executors/registry.ts';
import { fileSystemAt, parseSurroundings, type SeenSurroundings } from '../executors/surroundings/parse.ts';
import { SCRIPT } from '../executors/surroundings/script.ts';
import type { Command } from '../executors/variant.ts';
import type { Surroundings, ToldVersion, Unseen } from '../findings/surroundings.ts';
import type { SeenPlace } from '../store/records.ts';
import { logPath } from '../system/result-files.ts';
import { screenText } from '../text/screen.ts';
import { concealedEnvironment } from './concealed.ts';

const TIMEOUT_S = 60;
/** Characters of a version that are kept: some programs tell how they were built, too. */
const LONGEST_VERSION = 2000;

export interface SeePlaceRequest {
  readonly variant: Variant;
  readonly environment: ExecutorEnvironment;
  /** What its place was set up with. */
  readonly facts: PlaceFacts;
  /** Where its logs are. */
  readonly folder: string;
  readonly signal: AbortSignal;
  log(line: string): void;
}

/**
 * Looks around in a variant's place as its workload would find it, and asks for the version of what is measured. Nothing fails for it: what
 * can't be seen is said. Throws only the signal's reason.
 */
export async function seePlace(request: SeePlaceRequest): Promise<SeenPlace> {
  const { variant, log } = request;
  const { version: command } = variant.workload;
  const name = JSON.stringify(variant.name);
  const seen = await attempt(request, async () => {
    const { execution, output } = await runIn(request, `program=${quoted(programOf(variant))}\n${SCRIPT}`);
    const found = parseSurroundings(output);
    if (found === null) throw new Error(`looking around ended with exit code ${execution.exitCode}`);
    return recordable(found, request);
  });
  if ('unseen' in seen && seen.unseen === 'failed') {
    log(`What the place of variant ${name} looks like from inside could not be seen: ${seen.why}.`);
  }
  const version = command === undefined ? null : await attempt(request, () => versionOf(request, command));
  if (version !== null && 'unseen' in version) {
    log(`The version of what variant ${name} measures could not be asked for: ${version.why}.`);
  }
  return {
    surroundings: 'value' in seen ? seen.value : null,
    unseen: 'value' in seen ? null : seen.unseen,
    version: version !== null && 'value' in version ? version.value : null,
  };
}

type Attempt<T> = { readonly value: T } | { readonly unseen: Unseen; readonly why: string };

async function attempt<T>({ signal }: SeePlaceRequest, action: () => Promise<T>): Promise<Attempt<T>> {
  try {
    return { value: await action() };
  } catch (thrown) {
    signal.throwIfAborted();
    const unseen = thrown instanceof NoShellError ? 'no-shell' : thrown instanceof NoPlaceError ? 'no-place' : 'failed';
    return { unseen, why: withoutFullStop(messageOf(thrown)) };
  }
}

async function versionOf(request: SeePlaceRequest, command: Command): Promise<ToldVersion> {
  const { execution, output } = await runIn(request, command);
  const told = screenText(output.slice(0, LONGEST_VERSION), []).trim();
  return { output: told, exitCode: execution.timedOut ? null : execution.exitCode };
}

/** Runs a command as the workload of a variant would be run, but for what comes before and after it. */
async function runIn(request: SeePlaceRequest, run: Command): Promise<{ execution: Execution; output: string }> {
  const { variant, environment, facts, folder, signal } = request;
  const { experimentId } = environment;
  const workload = { ...variant.workload, run, prepare: null, cleanup: null, timeoutS: TIMEOUT_S };
  const logFile = logPath(folder, 0, variant.name);
  try {
    const executor = await makeExecutor({ ...variant, workload }, environment);
    await executor.setup(signal, facts);
    const prepared = await executor.prepare({ experimentId, runId: 0, logFile, signal });
    let execution: Execution;
    try {
      execution = await prepared.execute({ onEdge() {} });
    } finally {
      await prepared.dispose();
    }
    return { execution, output: readFileSync(logFile, 'utf8') };
  } finally {
    rmSync(logFile, { force: true });
  }
}

/** The first word of the command, where it is a program's name; empty: nobody knows. */
function programOf({ workload: { run } }: Variant): string {
  if (typeof run !== 'string') return run[0] ?? '';
  return /^\s*(?:exec\s+)?([\w./+-]+)(?=\s|$)/.exec(run)?.[1] ?? '';
}

const quoted = (word: string): string => `'${word.replaceAll("'", String.raw`'\''`)}'`;

/** Null: a project of its own says it. */
function networkOf(variant: Variant): string | null {
  if (variant.kind === 'native') return 'host';
  if (variant.kind !== 'container') return null;
  const of = variant.network ?? 'bridge';
  if (/^(?:host|none)$/.test(of) || (variant.ports ?? []).length === 0) return of;
  const proxy = usesUserlandProxy();
  return `${of}, published ports${proxy === null ? '' : proxy ? ', docker-proxy' : ', no docker-proxy'}`;
}

/** Folders that a program works in, by what they are to it, or by their own names where they were mounted. */
function recordable(seen: SeenSurroundings, { variant, environment }: SeePlaceRequest): Surroundings {
  const { fileSystems: mounts, environment: variables, workdir } = seen;
  const temporary = variables?.TMPDIR ?? '/tmp';
  const mounted = 'volumes' in variant ? variant.volumes.map((volume) => volume.split(':')[1] ?? '') : [];
  const folders: [string, string | null][] = [
    ['workdir', workdir],
    ['temporary', temporary],
    ['root', '/'],
    ...mounted.map((path): [string, string] => [path, path]),
  ];
  const fileSystems = folders.flatMap(([name, path]): [string, string][] => {
    const type = path === null ? null : fileSystemAt(mounts, path);
    return type === null ? [] : [[name, type]];
  });
  return {
    ...seen,
    network: networkOf(variant),
    fileSystems: Object.fromEntries(fileSystems),
    environment: variables && {
      ...concealedEnvironment(variables, environment.experimentId),
      // Nothing is kept of their values: all places have the same.
      ...Object.fromEntries(Object.keys(environment.passedEnv).map((name) => [name, 'passed'])),
    },
  };
}
