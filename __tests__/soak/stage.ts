import { randomInt, randomUUID } from 'node:crypto';
import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { readStat } from '../../src/processes/owner.ts';
import { withStore } from '../../src/store/reader.ts';
import { busyboxContext, docker, temporaryFolder } from '../e2e/program.ts';
import { type StartedPowercap, startPowercap } from '../emulators/powercap-truth.ts';
import type { Surroundings } from './faults.ts';
import { whatIsLeft } from './left.ts';
import { type Running, startProgram } from './program.ts';
import type { Bench } from './workloads.ts';

/** What a soak plays on: folders, an image, a meter and an environment of its own, so that whatever it leaves is known as its own. */
export class Stage {
  readonly meter: StartedPowercap;
  readonly #folder = temporaryFolder();
  readonly #marker = String(randomInt(10_000_000, 99_999_999));
  readonly #mark = ['SOAK_MARK', randomUUID()] as const;
  readonly #image = `joulediff-soak-${this.#marker}:now`;
  /** Under this name it stays when its tag is taken away. */
  readonly #keptImage = `joulediff-soak-${this.#marker}:kept`;
  readonly #temporary = join(this.#folder.path, 'tmp');
  readonly #state = join(this.#folder.path, 'state');
  readonly #env: NodeJS.ProcessEnv;
  readonly #programs = new Set<string>();
  readonly #experiments = new Set<string>();

  static async set(): Promise<Stage> {
    const meter = await startPowercap();
    try {
      return new Stage(meter);
    } catch (error) {
      await meter.stop();
      throw error;
    }
  }

  private constructor(meter: StartedPowercap) {
    this.meter = meter;
    const context = busyboxContext(join(this.#folder.path, 'image'));
    appendFileSync(join(context, 'Dockerfile'), 'VOLUME /scratch\n');
    docker('build', '-q', '--network', 'none', '-t', this.#image, '-t', this.#keptImage, context);
    for (const path of [this.#temporary, this.#state]) mkdirSync(path);
    this.#env = {
      ...process.env,
      NODE_OPTIONS: '',
      NO_COLOR: '1',
      [this.#mark[0]]: this.#mark[1],
      TMPDIR: this.#temporary,
      XDG_STATE_HOME: this.#state,
      JOULEDIFF_LOCK: `joulediff.soak.${this.#marker}`,
    };
    // A person at a terminal, wherever this runs.
    for (const name of ['RUNNER_TEMP', 'GITHUB_ACTIONS', 'GITEA_ACTIONS', 'CI']) delete this.#env[name];
  }

  get surroundings(): Surroundings {
    return { image: this.#image, imageId: docker('inspect', '-f', '{{.Id}}', this.#keptImage), meter: this.meter };
  }

  /** For an experiment in a folder of its own. */
  bench(name: string, flood: number): Bench {
    const folder = join(this.#folder.path, name);
    return {
      folder: join(folder, 'work'),
      shared: join(folder, 'shared'),
      image: this.#image,
      meter: this.meter.name,
      control: this.meter.control,
      controlFolder: this.meter.folder,
      marker: this.#marker,
      flood,
    };
  }

  start(words: readonly string[]): Running {
    const running = startProgram(words, this.#env);
    this.#programs.add(`${running.pid}-${readStat(running.pid)?.startTicks}`);
    return running;
  }

  /** Whatever carries the id of this experiment is known from here on, where its database tells it yet. */
  remember(database: string): void {
    try {
      this.#experiments.add(withStore(database, (reader) => reader.experiment().id));
    } catch {
      // Killed before it was there, or handed over.
    }
  }

  left(): string[] {
    return whatIsLeft({
      mark: this.#mark,
      marker: this.#marker,
      image: this.#image,
      temporary: this.#temporary,
      state: this.#state,
      known: new Set([this.meter.process.pid ?? 0]),
      programs: this.#programs,
      experiments: this.#experiments,
    });
  }

  /** Ends the meter and removes everything that the soak itself made. */
  async end(): Promise<void> {
    await this.meter.stop();
    const ids = docker('ps', '-aq', '--filter', `ancestor=${this.#keptImage}`).split('\n').filter(Boolean);
    if (ids.length > 0) docker('rm', '-fv', ...ids);
    for (const name of [this.#image, this.#keptImage]) {
      try {
        docker('rmi', '-f', name);
      } catch {
        // Its tag had been taken away.
      }
    }
    this.#folder.remove();
  }
}
