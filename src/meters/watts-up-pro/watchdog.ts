/** How late a timer may fire before the silence is put down to a busy host, which may have bytes waiting unread. */
const busyHostMs = 100;
const graceMs = 250;

export interface Alarm {
  readonly afterMs: number;
  /** Called once in every silence of at least `afterMs`. */
  bark(): void;
}

/**
 * Calls its alarms, in the order of their times, when it hasn't been fed for so long. After a blockage of the event loop timers fire before waiting
 * bytes are read, so an alarm that comes late waits a moment for them: a busy host is no silent meter.
 */
export class Watchdog {
  readonly #alarms: readonly Alarm[];
  #timer: NodeJS.Timeout | undefined;

  constructor(alarms: readonly Alarm[]) {
    this.#alarms = alarms;
    this.feed();
  }

  feed(): void {
    this.#arm(performance.now(), 0);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #arm(fedMs: number, index: number): void {
    clearTimeout(this.#timer);
    const alarm = this.#alarms[index];
    if (!alarm) return;
    const bark = () => {
      this.#arm(fedMs, index + 1);
      alarm.bark();
    };
    const dueMs = fedMs + alarm.afterMs;
    this.#timer = setTimeout(() => {
      if (performance.now() - dueMs > busyHostMs) this.#timer = setTimeout(bark, graceMs);
      else bark();
    }, dueMs - performance.now());
  }
}
