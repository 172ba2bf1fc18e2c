import type { ServiceRun } from '../../contracts/execution.ts';
import { nowNs, nsToSeconds } from '../../system/clock.ts';
import type { MadeService, Service, ServiceEnd } from '../service.ts';
import type { ServiceUse } from '../service-use.ts';
import { diedError, notReadyError, serviceSubject } from './failures.ts';
import { waitUntilReady } from './ready.ts';

/** Time limit for the end of a service when the whole program is being stopped. */
const HURRIED_S = 1;

export interface RunningSetup {
  readonly service: Service;
  readonly made: MadeService;
  /** Names of the services that start after it. */
  readonly later: readonly string[];
  log(line: string): void;
}

/** A service from its start to its stop. */
export class RunningService {
  /** Resolves when the service has ended without being asked to. */
  readonly death: Promise<void>;
  readonly #setup: RunningSetup;
  #end: ServiceEnd | null = null;
  #isStarted = false;
  #isStopping = false;
  #readyS: number | null = null;
  #record: ServiceRun | null = null;

  constructor(setup: RunningSetup) {
    this.#setup = setup;
    this.death = new Promise((resolve) => {
      void setup.made.ended.then((end) => {
        this.#end = end;
        if (!this.#isStopping) resolve();
      });
    });
  }

  get service(): Service {
    return this.#setup.service;
  }

  /** Addresses at which it answers if its network is not the host's. */
  addresses(): Promise<readonly string[]> {
    return this.#setup.made.addresses();
  }

  /** Addresses at which it answers; null: it can't be reached from outside of its network. */
  async reach(): Promise<readonly string[] | null> {
    const { made } = this.#setup;
    return made.isApart?.() === true ? null : made.addresses();
  }

  /** Network that others join; null: there is none, or it is lost. */
  get network(): string | null {
    return this.isLost ? null : this.#setup.made.network;
  }

  /** What each of its parts has used up to now; empty: nothing yet, or another service accounts for it. */
  used(): readonly ServiceUse[] {
    return this.#setup.made.used?.() ?? [];
  }

  /** Whether the service was lost with its place, or is stopped. */
  get isLost(): boolean {
    return this.#isStopping || this.#end?.lost !== undefined;
  }

  /** Record of the service; null: it was not started, or has not been stopped yet. */
  get record(): ServiceRun | null {
    return this.#record;
  }

  /** Starts it, and waits until it is ready. Throws ServiceError where it ends or isn't ready in time, what its start throws, or the reason. */
  async start(signal: AbortSignal): Promise<void> {
    const { service, made, later } = this.#setup;
    signal.throwIfAborted();
    const startNs = nowNs();
    this.#isStarted = true;
    await made.start();
    const died = new AbortController();
    void this.death.then(() => died.abort());
    const found = await waitUntilReady(service, made, AbortSignal.any([signal, died.signal])).catch((thrown) => {
      signal.throwIfAborted();
      if (died.signal.aborted) throw this.deathError();
      throw thrown;
    });
    if (!found.isReady) {
      await made.refresh?.();
      throw notReadyError({ service, last: found.last, output: made.output(), later });
    }
    this.#readyS = nsToSeconds(nowNs() - startNs);
  }

  /** The error for its unexpected end. */
  deathError(): unknown {
    const { service, made } = this.#setup;
    const end = this.#end ?? { exitCode: null, signal: null, limit: null };
    if (end.lost !== undefined) return end.lost;
    const one = { ...service, name: end.service ?? service.name };
    return diedError({ service: one, end, wasReady: this.#readyS !== null, output: made.output(), left: made.left() });
  }

  /** Ends it and removes its place, however far it came. Throws MeasureError where something can't be removed. */
  async stop(isHurried: boolean): Promise<void> {
    const { service, made, log } = this.#setup;
    const isDead = this.#end !== null;
    this.#isStopping = true;
    const startNs = nowNs();
    const withinS = isHurried ? Math.min(HURRIED_S, service.stop.withinS) : service.stop.withinS;
    const { killed, left } = await made.stop(withinS);
    if (!this.#isStarted) return;
    this.#record = {
      service: service.name,
      readyS: this.#readyS,
      stopS: isDead ? null : nsToSeconds(nowNs() - startNs),
      ended: isDead ? 'died' : killed ? 'killed' : 'stopped',
    };
    if (isHurried || isDead) return;
    if (killed) {
      log(
        `${serviceSubject(service)} did not end within ${withinS} s of ${service.stop.signal} and was killed: what it had not written is lost. stop.within gives it more time.`,
      );
    } else if (left.length > 0) {
      log(`${serviceSubject(service)} ended and left ${left.slice(0, 5).join(', ')} running, which was ended.`);
    }
  }
}
