import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { analyzeStore } from '../../../analysis/analyze.ts';
import { InputError, JoulediffError, messageOf } from '../../../errors.ts';
import type { Variant } from '../../../executors/registry.ts';
import type { Experiment } from '../../../experiment/experiment.ts';
import type { Findings } from '../../../findings/findings.ts';
import type { Progress } from '../../../measure/progress.ts';
import { CHANGES_NONE } from '../../../measure/resume.ts';
import { handOverLeft } from '../../../measure/vault.ts';
import { failedChecks, primaryComparisons } from '../../../report/verdict.ts';
import { runExperiment } from '../../../run/run.ts';
import { withStore } from '../../../store/reader.ts';
import { digestKey, keyedDigest } from '../../../system/digest-key.ts';
import { resultPath } from '../../../system/result-files.ts';
import { durationText, fixed } from '../../../text/numbers.ts';
import { plural } from '../../../text/plain.ts';
import { atCommits, variantOf } from './at-commits.ts';
import { type CommitRange, commitRange, short } from './commits.ts';
import { credibleSet, MAX_STEPS, nextStep, type Search, type Suspects, suspects, type Taken } from './next-step.ts';
import { type Notes, readNotes, type Step, writeNotes } from './notes.ts';
import { type Observation, type Posterior, posterior } from './posterior.ts';

export interface BisectRequest {
  readonly good: string;
  readonly bad: string;
  readonly firstParent: boolean;
  /** Settings for measuring; its variants and number of blocks are replaced. */
  readonly experiment: Experiment;
  /** The variant that is run at each commit; null: the baseline. */
  readonly variant: string | null;
  readonly outDir: string;
  /** Whether to continue the bisection in `outDir`; if false, an existing one is an error. */
  readonly resume: boolean;
  /** Time after which no further step begins; null: no limit. */
  readonly withinS: number | null;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/** Result of a bisection so far. */
export interface Bisection {
  /** `open`: time or steps ran out before the commit was certain. */
  readonly outcome: 'found' | 'no-step' | 'open';
  readonly range: CommitRange;
  readonly steps: readonly Step[];
  /** Null: no step was found between the ends. */
  readonly believed: {
    readonly posterior: Posterior;
    readonly suspects: Suspects;
    readonly credible: readonly number[];
  } | null;
  /** Positions that could not be built or run. */
  readonly skipped: ReadonlyMap<number, string>;
  readonly observations: readonly Observation[];
  /** Findings of the comparison that shows the step: of the neighboring commits, else of the ends. */
  readonly findings: Findings;
  /** Folder of that comparison. */
  readonly evidence: string;
  /** Steps with a failed check. */
  readonly untrusted: readonly string[];
}

/**
 * Finds the commit at which the energy changed, by experiments of a few blocks in subfolders of `outDir`. Throws InputError, MeasureError
 * or the signal's reason; finished measurements are kept, and `resume` continues.
 */
export async function bisect(request: BisectRequest): Promise<Bisection> {
  const { experiment, outDir, progress, signal, withinS } = request;
  const variant = variantOf(experiment, request.variant);
  const range = await commitRange({ ...request, directory: experiment.directory });
  // Runs of a killed process must be in their folder before that is looked at.
  for (const line of handOverLeft()) progress.note(line);
  const session = new Session(request, range, variant, begin(request, range, variant));
  const began = performance.now();
  const last = range.commits.length - 1;
  progress.note(`${plural(last, 'commit')} from ${short(session.shaOf(0))} to ${short(session.shaOf(last))}.`);
  await writeNotes(outDir, session.notes);
  await session.finish();
  if (session.notes.steps.length === 0) await session.run('ends', [0, last], null);
  const findings = session.pairFindings([0, last]);
  if (!isChange(findings)) return session.ended('no-step');
  for (;;) {
    signal.throwIfAborted();
    const believed = session.believed();
    const next = nextStep(believed, range, session);
    if (next.kind === 'found') return session.ended('found');
    const isLate = withinS !== null && performance.now() - began > 1000 * withinS;
    if (isLate || next.kind === 'open') {
      progress.warn(isLate ? `The time of ${durationText(withinS)} is over.` : `${MAX_STEPS} steps did not settle it.`);
      return session.ended('open');
    }
    const credible = credibleSet(believed).length;
    progress.note(
      next.kind === 'neighbors'
        ? `It is probably ${short(session.shaOf(next.pair[1]))}, which is now compared with the commit before it.`
        : `${plural(credible, 'commit')} may have done it${session.likeliest(believed)}.`,
    );
    if (next.kind === 'neighbors') await session.run('neighbors', next.pair, null);
    else await session.run('search', [0, ...next.commits], next.blocks);
  }
}

/** Throws InputError if the folder has another bisection, or one that should not be continued. */
function begin(
  { outDir, resume, firstParent, experiment }: BisectRequest,
  { commits }: CommitRange,
  variant: Variant,
): Notes {
  const ends = [commits[0]?.sha as string, commits.at(-1)?.sha as string] as const;
  const notes: Notes = {
    schema: 'joulediff/bisect/1',
    good: ends[0],
    bad: ends[1],
    first_parent: firstParent,
    command: keyedDigest(digestKey(), runsOf(atCommits(experiment, variant, named(ends)))),
    steps: [],
  };
  const before = readNotes(outDir);
  const isMeasured = ({ folder }: Step): boolean => existsSync(resultPath(join(outDir, folder), 'database'));
  // One that never got its turn on a busy machine holds nothing.
  if (before === null || !before.steps.some(isMeasured)) return notes;
  const { steps, ...rest } = before;
  const isSame = JSON.stringify({ ...rest, steps: [] }) === JSON.stringify(notes);
  if (resume && isSame) return { ...notes, steps };
  throw new InputError(
    `${outDir} holds a bisection ${resume ? 'of other commits, or was measured in another way' : 'already'}.`,
    {
      advice: resume ? 'Give another folder with --out.' : '--resume goes on with it; --out names another folder.',
    },
  );
}

/** The part of an experiment that decides how commits are measured. How long it waits for the machine, for example, is left out. */
const runsOf = (experiment: Experiment): string =>
  JSON.stringify(Object.entries(experiment).filter(([key]) => !CHANGES_NONE.has(key)));

/** Variants by short hash. */
const named = (commits: readonly string[]): Map<string, string> => new Map(commits.map((sha) => [short(sha), sha]));

/** Steps of a bisection with their results. */
class Session implements Taken {
  readonly #request: BisectRequest;
  readonly #range: CommitRange;
  readonly #variant: Variant;
  readonly #results = new Map<string, { readonly findings: Findings; readonly observations: readonly Observation[] }>();
  /** Steps of earlier sessions. */
  readonly #before: number;
  notes: Notes;

  constructor(request: BisectRequest, range: CommitRange, variant: Variant, notes: Notes) {
    this.#request = request;
    this.#range = range;
    this.#variant = variant;
    this.notes = notes;
    this.#before = notes.steps.length;
  }

  shaOf(position: number): string {
    return this.#range.commits[position]?.sha as string;
  }

  get skipped(): Map<number, string> {
    return new Map(
      this.notes.steps.flatMap(({ failed }) => (failed ? [[this.#positionOf(failed.commit), failed.reason]] : [])),
    );
  }

  get testable(): number[] {
    const { skipped } = this;
    return Array.from(this.#range.commits.keys())
      .slice(1, -1)
      .filter((of) => !skipped.has(of));
  }

  get shown(): number[][] {
    const pairs = this.notes.steps.filter(isComparison);
    return pairs.map(({ commits }) => commits.map((commit) => this.#positionOf(commit)));
  }

  get left(): Search | null {
    const { commits = [], blocks = null, failed = null } = this.notes.steps.at(-1) ?? {};
    const left = commits.slice(1).filter((commit) => commit !== failed?.commit);
    if (failed === null || blocks === null || left.length === 0) return null;
    return { commits: left.map((commit) => this.#positionOf(commit)), blocks };
  }

  get measured(): number {
    return this.notes.steps.slice(this.#before).filter(({ failed }) => failed === null).length;
  }

  /** Reads the results of earlier sessions, and finishes an interrupted step. */
  async finish(): Promise<void> {
    const open = this.notes.steps.find(({ done }) => !done);
    for (const step of this.notes.steps) if (step.done) this.#read(step);
    if (open !== undefined) await this.#measure(open);
  }

  async run(kind: Step['kind'], positions: readonly number[], blocks: number | null): Promise<void> {
    const number = this.notes.steps.length + 1;
    const commits = positions.map((of) => this.shaOf(of));
    const step = { kind, folder: `${number}-${kind}`, commits, blocks, done: false, failed: null };
    this.notes = { ...this.notes, steps: [...this.notes.steps, step] };
    await writeNotes(this.#request.outDir, this.notes);
    await this.#measure(step);
  }

  believed(): Posterior {
    return posterior(this.#observations, this.#range.has);
  }

  /** `; the likeliest is a0da121 (60 %)`; empty: several are alike. */
  likeliest({ probability }: Posterior): string {
    const most = Math.max(...probability);
    if (probability.filter((one) => one > 0.99 * most).length > 1) return '';
    return `; the likeliest is ${short(this.shaOf(probability.indexOf(most)))} (${fixed(100 * most, 0)} %)`;
  }

  pairFindings(pair: readonly number[]): Findings {
    return this.#results.get(this.#folderOf(pair))?.findings as Findings;
  }

  ended(outcome: Bisection['outcome']): Bisection {
    const { skipped, testable } = this;
    const ends = [0, this.#range.commits.length - 1];
    const found = outcome === 'no-step' ? null : this.believed();
    const likeliest = found && suspects(found, this.#range, testable);
    const pair = outcome === 'found' && likeliest ? likeliest.neighbors : ends;
    return {
      outcome,
      range: this.#range,
      steps: this.notes.steps,
      believed: found && likeliest && { posterior: found, suspects: likeliest, credible: credibleSet(found) },
      skipped,
      observations: this.#observations,
      findings: this.pairFindings(pair),
      evidence: this.#folderOf(pair),
      untrusted: [...this.#results].flatMap(([folder, { findings }]) =>
        failedChecks(findings).length > 0 ? [folder] : [],
      ),
    };
  }

  get #observations(): Observation[] {
    return [...this.#results.values()].flatMap(({ observations }) => observations);
  }

  #positionOf(sha: string): number {
    return this.#range.commits.findIndex((commit) => commit.sha === sha);
  }

  #folderOf(pair: readonly number[]): string {
    const [before, after] = pair.map((of) => this.shaOf(of));
    const step = this.notes.steps.find(
      (one) => isComparison(one) && one.commits[0] === before && one.commits[1] === after,
    );
    return step?.folder as string;
  }

  async #measure(step: Step): Promise<void> {
    const { outDir, progress, signal } = this.#request;
    const folder = join(outDir, step.folder);
    const [first, ...others] = step.commits.map(short);
    progress.note(`Step ${this.notes.steps.length}: ${others.join(', ')} against ${first}.`);
    const resume = existsSync(resultPath(folder, 'database'));
    const { error } = await runExperiment({
      experiment: this.#experimentOf(step),
      outDir: folder,
      progress,
      signal,
      resume,
    });
    signal.throwIfAborted();
    const failed = error === null ? null : this.#failedCommit(step, error);
    await this.#note({ ...step, done: true, failed });
    if (existsSync(resultPath(folder, 'database'))) this.#read(step);
    if (failed !== null) progress.warn(`Commit ${short(failed.commit)} is skipped: ${failed.reason}`);
  }

  async #note(step: Step): Promise<void> {
    this.notes = { ...this.notes, steps: this.notes.steps.map((one) => (one.folder === step.folder ? step : one)) };
    await writeNotes(this.#request.outDir, this.notes);
  }

  /** The commit that failed to build or run. Throws the error again if it has another cause. */
  #failedCommit({ commits }: Step, error: unknown): Step['failed'] {
    const name = error instanceof JoulediffError ? error.variant : null;
    const commit = commits.find((sha) => short(sha) === name);
    if (commit === undefined || [this.notes.good, this.notes.bad].includes(commit)) throw error;
    return { commit, reason: messageOf(error) };
  }

  #experimentOf({ kind, commits, blocks }: Step): Experiment {
    const { experiment } = this.#request;
    const { repetitions: _, auto: _a, looks: _l, ...common } = atCommits(experiment, this.#variant, named(commits));
    const plan =
      blocks === null ? { repetitions: MOST_BLOCKS, auto: { least: LEAST_BLOCKS } } : { repetitions: blocks };
    return { ...common, name: `${experiment.name}, ${kind}`, ...plan };
  }

  #read({ folder }: Step): void {
    const path = resultPath(join(this.#request.outDir, folder), 'database');
    if (!existsSync(path)) return;
    const { findings, runs } = withStore(path, (reader) => analyzeStore(reader));
    const [channel] = findings.meter.channels;
    const observations = runs.flatMap((run): Observation[] => {
      if (run.status !== 'ok' || run.channel !== channel || run.energyJ === null || run.block === null) return [];
      if (run.energyJ <= 0) {
        const so = 'has no energy above zero, so its logarithm is not known';
        this.#request.progress.note(`Run ${run.run} in ${folder} is left out: it ${so}.`);
        return [];
      }
      const commit = this.#positionOf(run.revision ?? '');
      if (commit < 0) return [];
      return [{ block: `${folder} ${run.block}`, commit, logEnergy: Math.log(run.energyJ / (run.executions ?? 1)) }];
    });
    this.#results.set(folder, { findings, observations });
  }
}

/** Whether the step is a finished comparison, which was measured until a verdict. */
const isComparison = ({ kind, done, failed }: Step): boolean => kind !== 'search' && done && failed === null;

/** Minimum blocks, as for `repetitions: auto`. */
const LEAST_BLOCKS = 10;
const MOST_BLOCKS = 60;

/** Whether a comparison shows a difference of any size. */
export const isChange = (findings: Findings): boolean =>
  primaryComparisons(findings).some(({ verdict }) =>
    ['increase', 'decrease', 'changed-within-margin'].includes(verdict),
  );
