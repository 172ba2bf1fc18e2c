import { existsSync, rmSync } from 'node:fs';
import type { Execution } from '../contracts/execution.ts';
import type { Command, PlaceFacts } from '../contracts/variant.ts';
import { messageOf, withoutFullStop } from '../errors.ts';
import type { ExecutorEnvironment, PlaceInspections } from '../executors/executor.ts';
import { NoPlaceError, NoShellError } from '../executors/failures.ts';
import { makeExecutor, mountsOf, networkOf, type Variant } from '../executors/registry.ts';
import type { Service } from '../executors/service.ts';
import type { ProgramParts, ReportedVersion, ServiceSeen, Surroundings, Unseen } from '../findings/surroundings.ts';
import type { SeenPlace } from '../store/records.ts';
import { readHead } from '../system/open-regular.ts';
import { logPath } from '../system/result-files.ts';
import { screenText } from '../text/screen.ts';
import { concealedEnvironment } from './concealed.ts';
import { fileSystemAt, parseSurroundings, type SeenSurroundings } from './surroundings/parse.ts';
import { scriptFor } from './surroundings/script.ts';

/** Limit of an inspection and of a version's command, seconds: an emulated guest on a busy machine needs more than 60. */
const TIMEOUT_S = 120;
/** Upper bound on a version's text, characters: some programs also print how they were built. */
const LONGEST_VERSION = 2000;
/** Upper bound on what an inspection prints, bytes; a shell that prints more is broken. */
const MAX_OUTPUT = 2 ** 20;

export interface SeePlaceRequest {
  readonly variant: Variant;
  /** Services that the variant's command talks to. */
  readonly services?: readonly Service[] | undefined;
  readonly environment: ExecutorEnvironment;
  /** Facts from the set-up of the variant's place. */
  readonly facts: PlaceFacts;
  /** Folder of the logs. */
  readonly folder: string;
  readonly signal: AbortSignal;
  /** Where its services have places of their own; absent: they are in the variant's. */
  readonly inspections?: PlaceInspections | undefined;
  log(line: string): void;
}

/**
 * Inspects a variant's place as its workload would find it, and the places of its services, and asks for the version of what is measured. It never
 * fails: what can't be seen is logged. Throws only the signal's reason.
 */
export async function seePlace(request: SeePlaceRequest): Promise<SeenPlace> {
  const { variant, inspections, log } = request;
  const { version: command } = variant.workload;
  const name = JSON.stringify(variant.name);
  const inPlace = inspections === undefined ? servicesIn(request) : [];
  const own = inspections?.client ?? {
    program: programOf(variant.workload),
    network: networkOf(variant, request.facts),
  };
  // A client on the host is the same for all variants, so it is not inspected; the services that it talks to are here.
  const isClient = inspections !== undefined || variant.workload.place !== 'host';
  const programs = [isClient ? own.program : [], ...inPlace.map(({ run }) => programOf({ run }))];
  const seen = await inspectPlace(request, programs, own.network);
  if ('unseen' in seen && seen.unseen === 'failed') {
    log(`What the place of variant ${name} looks like from inside could not be seen: ${seen.why}.`);
  }
  const version = command === undefined ? null : await attempt(request, () => versionOf(request, command));
  if (version !== null && 'unseen' in version) {
    log(`The version of what variant ${name} measures could not be asked for: ${version.why}.`);
  }
  const parts = 'value' in seen ? seen.value.programs.slice(1) : [];
  const services: ServiceSeen[] = inPlace.flatMap(({ name: service }, i) => {
    const program = parts[i];
    return program === undefined ? [] : [{ service, program, place: null, unseen: null }];
  });
  if (inspections !== undefined) services.push(...(await seeServices(request, inspections)));
  const around = services.length === 0 ? {} : { services };
  return {
    surroundings: 'value' in seen ? { ...seen.value.place, ...around } : services.length === 0 ? null : { services },
    unseen: 'value' in seen ? null : seen.unseen,
    version: version !== null && 'value' in version ? version.value : null,
  };
}

/** Inspects the services one after the other: each is started alone, without what it needs. */
async function seeServices(request: SeePlaceRequest, { services, facts }: PlaceInspections): Promise<ServiceSeen[]> {
  const found: ServiceSeen[] = [];
  for (const { service, variant, program, network } of services) {
    // The registry made this variant, so its kind exists.
    const one = { ...request, variant: variant as Variant, facts };
    const seen = await inspectPlace(one, [program], network);
    if ('unseen' in seen && seen.unseen === 'failed') {
      request.log(
        `What service ${JSON.stringify(service)} of variant ${JSON.stringify(variant.name)} looks like from inside could not be seen: ${seen.why}.`,
      );
    }
    const place = 'value' in seen ? seen.value.place : null;
    found.push({ service, program: null, place, unseen: 'value' in seen ? null : seen.unseen });
  }
  return found;
}

interface Inspected {
  readonly place: Surroundings;
  readonly programs: readonly ProgramParts[];
}

function inspectPlace(
  request: SeePlaceRequest,
  programs: readonly (readonly string[])[],
  network: string | null,
): Promise<Attempt<Inspected>> {
  return attempt(request, async () => {
    const { execution, output } = await runIn(request, scriptFor(programs));
    const found = parseSurroundings(output, programs.length);
    if (found === null) {
      const { timedOut, exitCode } = execution;
      throw new Error(
        `looking around ${timedOut ? `took more than ${TIMEOUT_S} s` : `ended with exit code ${exitCode}`}`,
      );
    }
    return { place: recordable(found, request, network), programs: found.programs };
  });
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

async function versionOf(request: SeePlaceRequest, command: Command): Promise<ReportedVersion> {
  const { execution, output } = await runIn(request, command);
  const reported = screenText(output.slice(0, LONGEST_VERSION), []).trim();
  return { output: reported, exitCode: execution.timedOut ? null : execution.exitCode };
}

const runIn = (request: SeePlaceRequest, run: Command) =>
  outputIn(request, run, { timeoutS: TIMEOUT_S, maxBytes: MAX_OUTPUT });

/** Runs a command as the workload of a variant would run, but without hooks around it, and gives the beginning of its output. */
export async function outputIn(
  request: Pick<SeePlaceRequest, 'variant' | 'environment' | 'facts' | 'folder' | 'signal'>,
  run: Command,
  { timeoutS, maxBytes }: { readonly timeoutS: number; readonly maxBytes: number },
): Promise<{ execution: Execution; output: string }> {
  const { variant, environment, facts, folder, signal } = request;
  const { experimentId } = environment;
  const workload = { ...variant.workload, run, prepare: null, cleanup: null, timeoutS };
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
    // A guest that exceeded the limit is killed, and its output is gone with it.
    return { execution, output: existsSync(logFile) ? readHead(logFile, maxBytes) : '' };
  } finally {
    rmSync(logFile, { force: true });
  }
}

const servicesIn = ({ services = [] }: SeePlaceRequest): readonly Service[] =>
  services.filter(({ place }) => place === 'variant');

/** Name of the program that a command starts, in a list; empty: unknown. */
function programOf({ run }: { readonly run: Command }): readonly string[] {
  const word = typeof run !== 'string' ? run[0] : /^\s*(?:exec\s+)?([\w./+-]+)(?=\s|$)/.exec(run)?.[1];
  return word === undefined ? [] : [word];
}

/** Folders that a program works in, by what they are to it, or by their own names where they were mounted. */
function recordable(
  { programs: _, ...seen }: SeenSurroundings,
  { variant, environment }: SeePlaceRequest,
  network: string | null,
): Surroundings {
  const { fileSystems: mounts, environment: variables, workdir } = seen;
  const temporary = variables?.TMPDIR ?? '/tmp';
  const folders: [string, string | null][] = [
    ['workdir', workdir],
    ['temporary', temporary],
    ['root', '/'],
    ...mountsOf(variant).map((path): [string, string] => [path, path]),
  ];
  const fileSystems = folders.flatMap(([name, path]): [string, string][] => {
    const type = path === null ? null : fileSystemAt(mounts, path);
    return type === null ? [] : [[name, type]];
  });
  return {
    ...seen,
    network,
    fileSystems: Object.fromEntries(fileSystems),
    environment: variables && {
      ...concealedEnvironment(variables, environment.experimentId),
      // No values are kept, since all places have the same.
      ...Object.fromEntries(Object.keys(environment.passedEnv).map((name) => [name, 'passed'])),
    },
  };
}
