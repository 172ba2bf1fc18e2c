import type { RunAccount } from '../executors/executor.ts';
import type { Progress } from './progress.ts';

/** Tells what could not be known of runs beside their energy: each sentence once, since every run has the same. */
export class AccountNotes {
  readonly #progress: Pick<Progress, 'warn' | 'note'>;
  readonly #told = new Set<string>();

  constructor(progress: Pick<Progress, 'warn' | 'note'>) {
    this.#progress = progress;
  }

  tell(variant: string, account: RunAccount | null): void {
    if (account === null) return;
    const { phaseProblem, usage } = account;
    if (phaseProblem !== null && this.#first(`phases ${variant}`)) {
      this.#progress.warn(`The phases of a run of ${variant} are not known: ${phaseProblem}.`);
    }
    for (const sentence of usage?.unread ?? []) if (this.#first(sentence)) this.#progress.note(sentence);
  }

  #first(what: string): boolean {
    const first = !this.#told.has(what);
    this.#told.add(what);
    return first;
  }
}
