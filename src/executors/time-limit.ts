/** Time until the next look, seconds, where no execution was running, as between two of them. */
const AGAIN_S = 1;

export interface TimeLimitSetup {
  /** Time limit of one execution, seconds. */
  readonly timeoutS: number;
  /** Number of executions in the one start that is watched. */
  readonly executions: number;
  /** Running time of the present execution, seconds; null: there is none, or it is unknown. Called only where there are several. */
  sinceS(): Promise<number | null>;
  onLate(): void;
}

/**
 * Calls `onLate` when an execution takes longer than its timeout. Where one start holds several, their beginnings are unknown: the running time is
 * read when the first one would be late, and then each time when the present one would be. Gives a function that ends the watch.
 */
export function limitTime({ timeoutS, executions, sinceS, onLate }: TimeLimitSetup): () => void {
  let timer: NodeJS.Timeout | undefined;
  let ended = false;
  const end = (): void => {
    ended = true;
    clearTimeout(timer);
  };
  const latest = performance.now() + 1000 * timeoutS * executions;
  const wait = (seconds: number): void => {
    timer = setTimeout(poll, Math.min(1000 * seconds, Math.max(0, latest - performance.now())));
  };
  const poll = async (): Promise<void> => {
    const isLast = executions === 1 || performance.now() >= latest;
    const since = isLast ? timeoutS : await sinceS().catch(() => null);
    if (ended) return;
    if (since === null) return wait(Math.min(AGAIN_S, timeoutS));
    if (since < timeoutS) return wait(timeoutS - since);
    end();
    onLate();
  };
  wait(timeoutS);
  return end;
}
