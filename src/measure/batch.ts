import type { Experiment } from '../experiment/experiment.ts';
import { batchFor } from '../schedule/batch.ts';
import type { RunRecord } from '../store/records.ts';
import { nsToSeconds } from '../system/clock.ts';

type SeenRun = Pick<RunRecord, 'variant' | 'status' | 'startNs' | 'endNs'>;

/** How often a run's command is executed inside its window: the same for every compared run of an experiment. Warm-up runs execute it once. */
export class Batch {
  readonly #asked: Experiment['batch'];
  readonly #targetS: number;
  readonly #warmupsS = new Map<string, number[]>();
  #decided: number | null;

  /**
   * `targetS`: how long a window should be for the meter; `recorded`: what an unfinished experiment has run already. Its number stays,
   * whatever its runs took.
   */
  constructor(asked: Experiment['batch'], targetS: number, recorded: readonly RunRecord[]) {
    this.#asked = asked;
    this.#targetS = targetS;
    for (const run of recorded) this.took(run);
    this.#decided = recorded.find((run) => run.block > 0)?.executions ?? null;
  }

  /** Takes note of a run that has ended. */
  took({ variant, status, startNs, endNs }: SeenRun): void {
    if (status !== 'warmup') return;
    const durations = this.#warmupsS.get(variant);
    const durationS = nsToSeconds(endNs - startNs);
    if (durations) durations.push(durationS);
    else this.#warmupsS.set(variant, [durationS]);
  }

  get targetS(): number {
    return this.#targetS;
  }

  /** Executions of a compared run; decided when it is first asked for, after the warm-up. */
  get executions(): number {
    this.#decided ??= this.#asked === 'auto' ? batchFor(this.#warmupsS, this.#targetS) : this.#asked;
    return this.#decided;
  }

  /** How much longer than a warm-up run a compared one will be, seconds: the mean of what was seen, again and again. */
  get addedS(): number {
    const seen = [...this.#warmupsS.values()].flat();
    if (seen.length === 0) return 0;
    return ((this.executions - 1) * seen.reduce((sum, s) => sum + s, 0)) / seen.length;
  }
}
