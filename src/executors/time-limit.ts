/** Between two executions there is none to ask for. */
const AGAIN_S = 1;

export interface TimeLimitSetup {
  /** Limit of one execution. */
  readonly timeoutS: number;
  /** Executions of the one start that is watched. */
  readonly executions: number;
  /** How long the execution that runs has been running, seconds; null: none runs, or it can't be told. Asked only where there are several. */
  sinceS(): Promise<number | null>;
  onLate(): void;
}

/**
 * Calls `onLate` when an execution takes longer than its timeout. Where one start holds several, nobody sees their beginnings: what runs is
 * looked at when the first of them would be late, and then as long before it could be. Gives what ends the watch.
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
