import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createPrng, type Prng } from '../../src/stats/prng.ts';
import { type Account, accountFor } from './accounts.ts';
import { FAULTS, type Fault, SIGKILL } from './faults.ts';
import type { Running, Session } from './program.ts';
import { Stage } from './stage.ts';
import { resultTable } from './table.ts';
import {
  type Bench,
  layExperiment,
  PLAIN,
  QUICK,
  type SoakExperiment,
  WORKLOADS,
  type WorkloadKind,
} from './workloads.ts';

export interface SoakOptions {
  /** Planned runs of all experiments together, at least. */
  readonly runs: number;
  readonly seed: number;
  say(line: string): void;
  readonly signal: AbortSignal;
}

/** So long a run takes about, with what is around it, milliseconds; and the start of the program. */
const [RUN_MS, START_MS] = [450, 700];
/** Runs that a fault waits for, at most: a longer experiment meets more of them. */
const MAX_UNTIL = 8;
/** The experiment that is killed at any moment. */
const ANY_MOMENT = 'killed at any moment';
const [KILLS, QUICK_BLOCKS, QUICK_UNTIL] = [20, 12, 2];
/** An experiment to which nothing is done any more is complete after so many sessions. */
const MORE_SESSIONS = 4;

/** From so many planned runs on, everything is as long as it has to be; below, as short as it can be. */
const LONG = 300;
/** Samples of what a session held, below which its memory is still growing to its size: so many tenths of a second. */
const MIN_SAMPLES = 200;

/** How often each fault was met, and what became of the sessions. */
export interface Tally {
  struck: number;
  missed: number;
  ends: Map<string, number>;
}

export class Soak {
  readonly #options: SoakOptions;
  readonly #stage: Stage;
  readonly #prng: Prng;
  readonly #faults = new Map<string, Tally>();
  readonly #accounts: { name: string; sessions: number; account: Account }[] = [];
  readonly #wrong: string[] = [];
  #drawn = 0;
  #longest: Session | null = null;
  /** A session was killed, and none has cleared up after it yet. */
  #owed = false;

  static async begin(options: SoakOptions): Promise<Soak> {
    return new Soak(options, await Stage.set());
  }

  private constructor(options: SoakOptions, stage: Stage) {
    this.#options = options;
    this.#stage = stage;
    this.#prng = createPrng(options.seed);
  }

  /** Everything that is not as it should be, told as it goes and in a table at the end. */
  async run(): Promise<readonly string[]> {
    const { runs, seed, say, signal } = this.#options;
    const from = performance.now();
    say(`seed ${seed}: ${runs} planned runs`);
    // First one that nothing happens to, longer than the others: what the program holds must not grow.
    const long = await this.#undisturbed(Math.max(3, Math.round(runs / 16)));
    await this.#killed();
    const blocks = Math.max(2, Math.round(runs / 40));
    const kills = runs >= LONG ? KILLS : 3;
    const kill = (session: number) => (session < kills ? SIGKILL : null);
    let planned = long + (await this.#disturbed(PLAIN, 'killed again and again', blocks, kill));
    for (let i = 0; planned < runs && !signal.aborted; i++) {
      const kind = WORKLOADS[i % WORKLOADS.length] as WorkloadKind;
      const some = 1 + this.#prng.index(3);
      // In turn, and only when its session begins, so that each is met.
      const draw = (session: number) => (session < some ? (FAULTS[this.#drawn++ % FAULTS.length] ?? null) : null);
      const more = (runs >= LONG ? 5 : 2) + this.#prng.index(4);
      planned += await this.#disturbed(kind, `${i + 1} ${kind.name}`, more, draw);
    }
    this.#steady();
    this.#energyAltogether();
    if (runs >= LONG && !signal.aborted) this.#allMet();
    this.#left('at the end');
    const seconds = (performance.now() - from) / 1000;
    say(resultTable({ seed, seconds, faults: this.#faults, accounts: this.#accounts, wrong: this.#wrong }));
    return this.#wrong;
  }

  end(): Promise<void> {
    return this.#stage.end();
  }

  #bench(name: string): Bench {
    return this.#stage.bench(name.replaceAll(' ', '-'), this.#options.runs >= LONG ? 1e9 : 20e6);
  }

  async #undisturbed(blocks: number): Promise<number> {
    const experiment = layExperiment(PLAIN, blocks, this.#bench('long'), this.#prng);
    const plan = await this.#plan(experiment);
    const running = this.#start('measure', experiment, false);
    this.#longest = await running.ended;
    this.#options.say(`long: ${experiment.runs} runs, nothing is done to it: ${endOf(this.#longest)}`);
    if (this.#longest.code !== 0) this.#note('long', this.#longest.stderr);
    this.#left('after long');
    await this.#account('long', experiment, { kills: 0, plan, sessions: 1 }, 1);
    return experiment.runs;
  }

  /** Killed at so many moments in all: while it starts, clears up what the last one left, measures, and stores. */
  async #killed(): Promise<void> {
    const struck = () => this.#faults.get(SIGKILL.name)?.struck ?? 0;
    // Where one is complete before, as on a fast machine, another one is killed on.
    for (let i = 1; struck() < KILLS && !this.#options.signal.aborted; i++) {
      const draw = () => (struck() < KILLS ? SIGKILL : null);
      await this.#disturbed(QUICK, `${ANY_MOMENT} ${i}`, QUICK_BLOCKS, draw, QUICK_UNTIL);
    }
  }

  /** Until it is complete, whatever happens to its first sessions. Gives the planned runs. */
  async #disturbed(
    kind: WorkloadKind,
    name: string,
    blocks: number,
    draw: (session: number) => Fault | null,
    mostUntil = MAX_UNTIL,
  ): Promise<number> {
    const experiment = layExperiment(kind, blocks, this.#bench(name), this.#prng);
    const plan = await this.#plan(experiment);
    let kills = 0;
    let lastStruck = 0;
    let session: Session;
    let sessions = 0;
    do {
      const fault = draw(sessions);
      if (fault !== null) lastStruck = sessions;
      session = await this.#session(name, experiment, fault, sessions > 0, mostUntil);
      sessions++;
      if (session.signal === 'SIGKILL') kills++;
      if (sessions > lastStruck + MORE_SESSIONS) {
        this.#note(name, `it is not complete after ${sessions} sessions: ${session.stderr}`);
        return experiment.runs;
      }
    } while (!this.#isComplete(experiment, session) && !this.#options.signal.aborted);
    if (!this.#options.signal.aborted) await this.#account(name, experiment, { kills, plan, sessions }, sessions);
    return experiment.runs;
  }

  async #session(
    name: string,
    experiment: SoakExperiment,
    fault: Fault | null,
    resume: boolean,
    mostUntil: number,
  ): Promise<Session> {
    const running = this.#start('measure', experiment, resume);
    let struck = false;
    const atMs = fault === null ? 0 : this.#prng.index(START_MS + Math.min(experiment.runs, mostUntil) * RUN_MS);
    if (fault !== null) {
      await running.after(atMs);
      struck = !running.isOver() && (await fault.strike(running, this.#stage.surroundings, this.#prng));
    }
    const session = await running.ended;
    fault?.mend?.(this.#stage.surroundings);
    const what = fault === null ? 'nothing is done to it' : `${fault.name} after ${(atMs / 1000).toFixed(2)} s`;
    this.#options.say(`${name}: ${what}${fault !== null && !struck ? ', too late' : ''}: ${endOf(session)}`);
    const allowed =
      session.code === 0 || (struck && fault?.ends(session) === true) || this.#gaveUp(experiment, session);
    if (!allowed) this.#note(name, `${what}: it ended with ${endOf(session)}: ${session.stderr}`);
    if (/is broken|\n\s+at .*:\d+:\d+\)?$/m.test(session.stderr)) this.#note(name, `${what}: ${session.stderr}`);
    if (fault !== null) this.#tally(fault, struck, session);
    this.#stage.remember(this.#database(experiment));
    if (session.signal === 'SIGKILL') this.#owed = true;
    // A session that is complete has cleared up what those before it left; one that was stopped at once may not have come to it.
    if (session.code === 0) this.#owed = false;
    if (!this.#owed) this.#left(`${name}, ${what}`);
    return session;
  }

  /** A workload that fails by itself and another time by a fault in the same block ends the session, as it should. */
  #gaveUp({ failsOnce }: SoakExperiment, { code, stderr }: Session): boolean {
    return failsOnce && code === 3 && /failed twice/.test(stderr);
  }

  #start(command: string, experiment: SoakExperiment, resume: boolean): Running {
    const words = [command, experiment.file, '--out', join(experiment.folder, 'out')];
    return this.#stage.start(resume ? [...words, '--resume'] : words);
  }

  /** Order of the variants in each block. */
  async #plan(experiment: SoakExperiment): Promise<string[]> {
    const { stdout } = await this.#stage.start(['plan', experiment.file, '--offline', '--order']).ended;
    const blocks = /^(?:warm-up|block \d+)\s+(.*)$/gm;
    return [...stdout.matchAll(blocks)].map(([, order = '']) => order);
  }

  #database({ folder }: SoakExperiment): string {
    return join(folder, 'out', 'experiment.db');
  }

  #isComplete(experiment: SoakExperiment, { code }: Session): boolean {
    return code === 0 && existsSync(this.#database(experiment));
  }

  async #account(name: string, experiment: SoakExperiment, story: Parameters<typeof accountFor>[2], sessions: number) {
    const out = join(experiment.folder, 'out');
    const reported = await this.#stage.start(['report', join(out, 'experiment.db'), '--out', out]).ended;
    if (reported.code !== 0) return this.#note(name, `no report: ${reported.stderr}`);
    const account = accountFor(experiment, out, story, this.#stage.meter.truth());
    for (const line of account.wrong) this.#note(name, line);
    this.#accounts.push({ name, sessions, account });
  }

  #tally({ name }: Fault, struck: boolean, session: Session): void {
    const tally = this.#faults.get(name) ?? { struck: 0, missed: 0, ends: new Map<string, number>() };
    this.#faults.set(name, tally);
    if (!struck) {
      tally.missed++;
      return;
    }
    tally.struck++;
    tally.ends.set(endOf(session), (tally.ends.get(endOf(session)) ?? 0) + 1);
  }

  #left(when: string): void {
    for (const line of this.#stage.left()) this.#note(when, `left: ${line}`);
  }

  /** A fault that was never met shows nothing. */
  #allMet(): void {
    for (const { name } of FAULTS) {
      if ((this.#faults.get(name)?.struck ?? 0) === 0) this.#note('faults', `${name} was never met`);
    }
  }

  /** What the longest session held must not grow from its first third to its last. */
  #steady(): void {
    const held = this.#longest?.held ?? [];
    const third = Math.floor(held.length / 3);
    const median = (list: readonly number[]) => list.toSorted((a, b) => a - b)[list.length >> 1] ?? 0;
    const growth = (of: (one: (typeof held)[number]) => number) =>
      median(held.slice(-third).map(of)) - median(held.slice(third, 2 * third).map(of));
    const [descriptors, bytes] = [growth((one) => one.descriptors), growth((one) => one.memoryBytes)];
    this.#options.say(
      `held by long: ${descriptors} descriptors and ${(bytes / 1e6).toFixed(1)} MB more in its last third`,
    );
    if (descriptors > 1) this.#note('long', `${descriptors} descriptors more in its last third`);
    // A heap takes some seconds to find its size.
    if (bytes > 15e6 && held.length > MIN_SAMPLES) {
      this.#note('long', `${(bytes / 1e6).toFixed(1)} MB of memory more in its last third`);
    }
  }

  /** What the edges of windows add to single runs is no more than chance: together they are right. */
  #energyAltogether(): void {
    // Those of hardly a tenth of a second are mostly edges.
    const long = this.#accounts.filter(({ name }) => !name.startsWith(ANY_MOMENT));
    const sum = (of: (account: Account) => number) => long.reduce((j, { account }) => j + of(account), 0);
    const percent = 100 * (sum((a) => a.energyJ) / sum((a) => a.trueJ) - 1);
    if (!(Math.abs(percent) < 1)) this.#note('energy', `${percent.toFixed(2)} % from the truth altogether`);
  }

  #note(where: string, what: string): void {
    this.#wrong.push(`${where}: ${what}`);
    this.#options.say(`WRONG ${where}: ${what}`);
  }
}

function endOf({ code, signal }: Session): string {
  return signal === null ? `exit ${code}` : signal;
}
