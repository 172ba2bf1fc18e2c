import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, isAbsolute, join, sep } from 'node:path';
import { getErrorCode, InputError, MeasureError, messageOf, systemMessage, withoutFullStop } from '../errors.ts';
import { maskFile, secretsIn } from '../executors/discreet.ts';
import { judge, type ReapRequest } from '../executors/leftovers/reaper.ts';
import { cutLeftLog } from '../executors/output-limit.ts';
import { exposedBy, findSecrets } from '../executors/registry.ts';
import type { Experiment } from '../experiment/experiment.ts';
import { type LeftFolder, leftFolders, makeMarkedFolder, removeFolder } from '../processes/left-folders.ts';
import { experimentIn, isBlank, isDamage, mergeLog } from '../store/found-experiment.ts';
import { withStore } from '../store/reader.ts';
import { isGiteaJob } from '../system/gitea.ts';
import { makeFolder } from '../system/make-folder.ts';
import { checkOutputFolder, moveAside } from '../system/output-folder.ts';
import { DATABASE_SIDES, RESULT_FILES, resultPath } from '../system/result-files.ts';
import { freeName, ResultFolder } from '../system/result-folder.ts';
import { stateFolder } from '../system/state.ts';
import { goesOn, goOnWords } from '../text/way-in.ts';
import { alone } from './lock.ts';

const PREFIX = 'joulediff-measuring-';
/** Days for which a result is kept whose place is gone. */
const KEPT_DAYS = 30;
const DAY_MS = 86_400_000;
/** File beside such a result that says that a job's log has reported it. */
const REPORTED_FILE = 'told';
/** Lock file that is held while its folder is handed over, and removed with it. */
const LOCK_FILE = 'handing-over.lock';
const DATABASE = [RESULT_FILES.database, ...DATABASE_SIDES];

export interface VaultRequest {
  readonly experimentId: string;
  readonly experiment: Experiment;
  /** Folder where the result goes in the end. */
  readonly outDir: string;
}

/**
 * The private folder of an experiment that is measured: its database and logs are out of reach of what is measured, of containers that the
 * workspace is mounted in and of other users, until they are handed over at the end. If the process is killed, the next start hands them over.
 */
export class Vault {
  readonly path: string;
  readonly #outDir: string;
  readonly #experimentId: string;

  private constructor(path: string, { outDir, experimentId }: VaultRequest) {
    this.path = path;
    this.#outDir = outDir;
    this.#experimentId = experimentId;
  }

  /** Throws InputError when every place for it is mounted into a container, MeasureError when none can be written. */
  static make(request: VaultRequest): Vault {
    const { experimentId, outDir } = request;
    const problems: string[] = [];
    for (const base of vaultPlaces(request)) {
      try {
        makeFolder(base, { mode: 0o700 });
        const path = makeMarkedFolder(base, PREFIX, experimentId, { out: outDir });
        mkdirSync(resultPath(path, 'logs'));
        return new Vault(path, request);
      } catch (cause) {
        problems.push(messageOf(cause));
      }
    }
    throw new MeasureError(`No private folder for the database could be made: ${problems.join('; ')}.`, {
      advice: 'Set XDG_STATE_HOME to another folder.',
    });
  }

  get database(): string {
    return resultPath(this.path, 'database');
  }

  /** Whether it holds no experiment: its database was not made, or there was no room for one. */
  get isEmpty(): boolean {
    try {
      return !existsSync(this.database) || isBlank(this.database);
    } catch {
      return false;
    }
  }

  /** Copies the unfinished database from the output folder, to go on with it. Throws MeasureError. */
  adopt(): void {
    try {
      // The copy gets its name when it is complete: half of it must not be handed over in place of the original.
      const found = DATABASE.filter((name) => existsSync(join(this.#outDir, name)));
      for (const name of found) copyFileSync(join(this.#outDir, name), join(this.path, `${name}.part`));
      for (const name of found.toReversed()) renameSync(join(this.path, `${name}.part`), join(this.path, name));
    } catch (cause) {
      throw new MeasureError(
        `The unfinished experiment in ${this.#outDir} can't be continued: ${systemMessage(cause)}.`,
        { cause },
      );
    }
  }

  /**
   * Moves the output folder aside where another experiment's database came into it meanwhile, since the two would be mixed up. Gives where it is now;
   * null: there was none. Throws InputError where that can't be done.
   */
  clear(): string | null {
    const database = resultPath(this.#outDir, 'database');
    if (!lstatSync(database, { throwIfNoEntry: false })?.isFile()) return null;
    return isFor(this.#outDir, this.#experimentId) ? null : moveAside(this.#outDir);
  }

  /** Moves all of it to the output folder and removes itself. Throws MeasureError when that can't be written; then nothing is lost. */
  handOver(): void {
    try {
      moveResult(this.path, this.#outDir);
    } catch (cause) {
      throw new MeasureError(`The result can't be put into ${this.#outDir}: ${systemMessage(cause)}.`, {
        advice: `It is kept in ${this.path}. Make sure that both disks have room, and that the output folder is writable and not a link; joulediff puts the result there the next time it starts.`,
        cause,
      });
    }
  }

  /** Removes it, where nothing was measured. */
  remove(): void {
    removeFolder(this.path);
  }
}

/**
 * Hands over what killed processes of this user measured: to its output folder, or to one beside it where something else is there now.
 * Gives a line for the log for each.
 */
export function handOverLeft(request: ReapRequest = {}): string[] {
  const ofJobs: string[] = [];
  const lines = leftFolders(PREFIX, judge(request)).flatMap((left) => {
    try {
      // A lock makes sure that of two processes started at once, the second finds nothing to do.
      return alone(join(left.path, LOCK_FILE), () => (existsSync(left.path) ? handOverOne(left, ofJobs) : []));
    } catch (cause) {
      return notHandedOver(left, cause);
    }
  });
  if (ofJobs.length === 0) return lines;
  const untilMs = Math.min(...ofJobs.map(keptUntilMs));
  return [
    ...lines,
    `What was measured before ${ofJobs.length === 1 ? 'a job was' : `${ofJobs.length} jobs were`} ended is kept on this machine, in ${ofJobs.join(', ')} until ${formatDay(untilMs)}: the runner removes a job's own folder. \`joulediff report\` shows its ${RESULT_FILES.database}.`,
  ];
}

/** The private folder in which a living process measures what goes to `outDir`; null: none does. */
export function measuredNow(outDir: string): string | null {
  const isAbandoned = judge();
  const living = leftFolders(PREFIX, (mark) => !isAbandoned(mark));
  return living.find(({ mark }) => mark.out === outDir)?.path ?? null;
}

/** Sentences on why a killed process's result is still where it was; none, where another joulediff has handed it over meanwhile. */
function notHandedOver({ path }: LeftFolder, cause: unknown): string[] {
  try {
    const untilMs = keptUntilMs(path);
    if (isBusy(cause)) {
      return [
        `What an interrupted joulediff measured is in ${path}, and another program has it open: another joulediff that puts it where it belongs, perhaps.`,
      ];
    }
    const why = withoutFullStop(messageOf(cause));
    if (cause instanceof InputError || isDamage(cause)) return keptUnreadable(path, untilMs, why);
    return [
      `What an interrupted joulediff measured is kept in ${path}: ${why}. \`joulediff report\` shows its ${RESULT_FILES.database}; when you don't need it, remove that folder.`,
    ];
  } catch (thrown) {
    // Another process has taken its database away a moment ago.
    if (getErrorCode(thrown) === 'ENOENT') return [];
    throw thrown;
  }
}

/** Whether somebody else has the database open, as SQLite or the error that was made of it says. */
const isBusy = (cause: unknown): boolean =>
  [cause, cause instanceof Error ? cause.cause : null].some((one) => getErrorCode(one).startsWith('SQLITE_BUSY'));

/** Hands over one folder. `ofJobs` collects folders whose place the runner removed with its job, if no job's log has reported them. */
function handOverOne({ path, mark }: LeftFolder, ofJobs: string[]): string[] {
  const { out, experiment } = mark;
  const database = resultPath(path, 'database');
  if (!existsSync(database) || isBlank(database)) {
    // The process was killed before it had a database, or after handing that over and before the logs.
    const isHandedOver = typeof out === 'string' && !existsSync(database) && hasRunLogs(path);
    if (isHandedOver && existsSync(resultPath(out, 'database')) && isFor(out, experiment)) moveLeft(path, out);
    else if (isHandedOver && !existsSync(out) && !isRemovedWithJob(out) && Date.now() <= keptUntilMs(path)) {
      const until = formatDay(keptUntilMs(path));
      return [
        `The logs of an interrupted joulediff are kept in ${path} until ${until}: its ${RESULT_FILES.database} was moved to ${out}, which isn't there now (perhaps its disk isn't mounted). When you don't need the logs, remove that folder.`,
      ];
    } else removeFolder(path);
    return [];
  }
  if (typeof out !== 'string' || !existsSync(dirname(out)) || isRemovedWithJob(out)) {
    return keptWithoutPlace(path, String(out), ofJobs);
  }
  const outDir = isFor(out, experiment) && isFurther(path, out) ? out : freeName(out);
  const note = moveLeft(path, outDir);
  return [
    `What an interrupted joulediff measured is in ${outDir} now${goesOn() === 'job' ? '' : `; ${goOnWords()}`}.${note}`,
  ];
}

/** Moves what a killed process left, without output that holds secrets which only that process could mask. Gives a sentence on it, or nothing. */
function moveLeft(path: string, outDir: string): string {
  const own = resultPath(path, 'database');
  const isMasked = withStore(existsSync(own) ? own : resultPath(outDir, 'database'), (reader) => {
    const { passEnv, variants, services = [] } = reader.definition();
    const secrets = [...variants.flatMap(findSecrets), ...services.flatMap(({ env }) => secretsIn(env))];
    if (passEnv === undefined && secrets.length === 0) return () => true;
    const runs = new Set(reader.runs().map(({ run }) => run));
    // A run is recorded after its logs are masked. Other logs may be of hooks and services that were running.
    return (name: string) => runs.has(Number.parseInt(name, 10));
  });
  const unmasked = logsIn(path).filter((name) => !isMasked(name));
  for (const name of unmasked) rmSync(join(resultPath(path, 'logs'), name), { recursive: true });
  moveResult(path, outDir);
  return unmasked.length === 0 ? '' : ' Output that was cut short is left out, since it may hold secret values.';
}

const removeOld = (path: string, why: string): string[] => [
  removeFolder(path) ??
    `Removed ${path}: an interrupted joulediff measured it more than ${KEPT_DAYS} days ago, and ${why}.`,
];

/** Keeps a database that is damaged or of another version for some time, since somebody may want to look at it. */
function keptUnreadable(path: string, untilMs: number, why: string): string[] {
  if (Date.now() > untilMs) return removeOld(path, why);
  return [
    `What an interrupted joulediff measured is kept in ${path} until ${formatDay(untilMs)}: ${why}. When you don't need it, remove that folder.`,
  ];
}

/** Whether it has logs of runs, which begin with a number: a process that was killed before it had a database has none. */
const hasRunLogs = (path: string): boolean => logsIn(path).some((name) => /^\d/.test(name));

function logsIn(path: string): string[] {
  const folder = resultPath(path, 'logs');
  return existsSync(folder) ? readdirSync(folder) : [];
}

const keptUntilMs = (path: string): number => {
  const database = resultPath(path, 'database');
  return statSync(existsSync(database) ? database : path).mtimeMs + KEPT_DAYS * DAY_MS;
};
const formatDay = (timeMs: number): string => new Date(timeMs).toISOString().slice(0, 10);

/** Whether a folder is in the workspace of a job, and will be removed with it. */
function isRemovedWithJob(out: string): boolean {
  const workspace = process.env.GITHUB_WORKSPACE;
  return isGiteaJob(process.env) && Boolean(workspace) && isInside(out, String(workspace));
}

/** Keeps a result with at least one run for some time: its folder is gone, perhaps with its checkout, or the disk isn't mounted. */
function keptWithoutPlace(path: string, out: string, ofJobs: string[]): string[] {
  const gone = dirname(out);
  const database = resultPath(path, 'database');
  const untilMs = keptUntilMs(path);
  if (Date.now() > untilMs) return removeOld(path, `the folder ${gone} never came back`);
  if (withStore(database, (reader) => reader.runs().length) === 0) {
    removeFolder(path);
    return [];
  }
  if (isGiteaJob(process.env)) {
    // Each cancelled job leaves one for a month: a line for each in every later log would hide what that log is for.
    const reportedFile = join(path, REPORTED_FILE);
    if (!existsSync(reportedFile)) ofJobs.push(path);
    writeFileSync(reportedFile, '');
    return [];
  }
  return [
    `What an interrupted joulediff measured is kept in ${path} until ${formatDay(untilMs)}: there is no folder ${gone} any more. Make that folder again, and joulediff puts the result there the next time it starts; \`joulediff report\` shows its ${RESULT_FILES.database}.`,
  ];
}

/** Whether everything in the folder is of this experiment. */
function isFor(outDir: string, experiment: unknown): boolean {
  try {
    return !checkOutputFolder(outDir) || experimentIn(outDir) === experiment;
  } catch {
    return false;
  }
}

/** Whether a database has at least as many runs as the one it would replace, with which somebody may have gone on. */
function isFurther(path: string, outDir: string): boolean {
  const [runs = 0, there = 0] = [path, outDir].map((folder) => {
    const database = resultPath(folder, 'database');
    return existsSync(database) ? withStore(database, (reader) => reader.runs().length) : 0;
  });
  return runs >= there;
}

/** Moves the database first: it marks the folder as a result of ours, if the rest can't follow yet. */
function moveResult(path: string, outDir: string): void {
  const database = resultPath(path, 'database');
  if (existsSync(database)) mergeLog(database);
  using folder = ResultFolder.open(outDir);
  if (existsSync(database)) {
    for (const name of DATABASE_SIDES) folder.remove(name);
    folder.take(database, RESULT_FILES.database);
  }
  using logs = folder.folder(RESULT_FILES.logs);
  const logFolder = resultPath(path, 'logs');
  for (const name of logsIn(path)) {
    // A workload may have put a pipe in place of a log; reading it would never end.
    if (!lstatSync(join(logFolder, name)).isFile()) continue;
    cutLeftLog(join(logFolder, name));
    // The log of a run that was killed with its process is not masked yet.
    maskFile(join(logFolder, name));
    logs.take(join(logFolder, name), name);
  }
  removeFolder(path);
}

/** Folders that a vault may be made in, the best first. Throws InputError when all of them are mounted into a container. */
export function vaultPlaces({ experiment, outDir }: Pick<VaultRequest, 'experiment' | 'outDir'>): string[] {
  const exposed = experiment.variants.flatMap(exposedBy);
  const bases = places([experiment.directory, outDir, process.cwd()]);
  const hidden = bases.filter((base) => !exposed.some((folder) => isInside(base, folder)));
  if (hidden.length > 0) return hidden;
  const mounted = exposed.find((folder) => bases.some((base) => isInside(base, folder)));
  throw new InputError(
    `The volume ${mounted} would put the experiment’s own database within reach of a container: it is kept in ${bases.join(' or ')} while it is measured.`,
    { advice: 'Mount only the folder that the workload needs.' },
  );
}

/** Folders for a vault: the runner's for passing files, if it outlives the job, and the user's own; outside of the workspace, if possible. */
function places(workspace: readonly string[]): string[] {
  const own = [process.env.RUNNER_TEMP, stateFolder()];
  const given = [...(isGiteaJob(process.env) ? own.toReversed() : own), '/var/tmp', tmpdir()];
  const bases = given.filter((path) => path !== undefined && isAbsolute(path)) as string[];
  const isOutside = (base: string): boolean => !workspace.some((folder) => isInside(base, folder));
  return [...new Set([...bases.filter(isOutside), ...bases])];
}

function isInside(path: string, folder: string): boolean {
  const [inner, outer] = [real(path), real(folder)];
  return inner === outer || inner.startsWith(outer === sep ? sep : outer + sep);
}

/** Path without symbolic links, as far as it exists. */
function real(path: string): string {
  if (existsSync(path)) return realpathSync(path);
  const parent = dirname(path);
  return parent === path ? path : join(real(parent), path.slice(parent.length));
}
