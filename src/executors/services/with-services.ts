import { setTimeout as sleep } from 'node:timers/promises';
import type { Execution, RunTelemetry, ServiceRun } from '../../contracts/execution.ts';
import type { FindAddresses } from '../../contracts/observing.ts';
import type { PlaceFacts } from '../../contracts/variant.ts';
import { messageOf } from '../../errors.ts';
import type { Counted } from '../../findings/resources.ts';
import { decorate } from '../decorate.ts';
import { type Executor, forCleanup, type PreparedRun, type RunContext, type RunHooks } from '../executor.ts';
import { isGood, PlaceLostError } from '../failures.ts';
import type { Service, ServiceMachine, ServiceRunner } from '../service.ts';
import { type ServiceUse, usedBetween } from '../service-use.ts';
import { checkFree, ServiceError } from './failures.ts';
import { RunningService } from './running.ts';

/** Time after a client's failure to hear of the end of a service that may be the reason. */
const HEAR_MS = 1500;
/** Attempts to start services that last again, if their machine goes away again meanwhile. */
const RESTARTS = 3;

export interface ServicesSetup {
  /** Services in the order of their start. */
  readonly services: readonly Service[];
  /** Place where the variant runs. */
  readonly place: Executor;
  /** Place where the client runs: the same, or the host. */
  readonly client: Executor;
  /** Whether the facts of the client's place are recorded, too, since it is neither the variant's place nor the host; absent: no. */
  readonly isClientRecorded?: boolean;
  readonly host: ServiceRunner;
  /** Other machines that run some of the services, by the name of the place. */
  readonly machines: ReadonlyMap<string, ServiceMachine>;
  /** Address at which the client finds services until one has an address of its own. */
  readonly serviceHost: string;
  /** Starts services again that last as long as the experiment, and were lost with their machine. */
  restart(signal: AbortSignal): Promise<void>;
  readonly window: 'workload' | 'service';
  /** Ports of the host that a service will take. */
  hostPorts(service: Service): readonly number[];
  /** File for the output of a service of this run. */
  logFor(context: Pick<RunContext, 'logFile'>, service: Service): string;
  /** The services that run as long as the experiment. */
  readonly lasting: { values(): readonly RunningService[] };
  log(line: string): void;
}

/** An executor whose runs have services around their command. */
export function withServices(setup: ServicesSetup): Executor {
  const { place, client } = setup;
  const repeatProblem = client.repeatProblem?.bind(client);
  const recover = async (signal: AbortSignal): Promise<void> => {
    await place.recover?.(signal);
    if (client !== place) await client.recover?.(signal);
    for (let attempt = 1; ; attempt++) {
      for (const machine of setup.machines.values()) await machine.recover(signal);
      try {
        return await setup.restart(signal);
      } catch (thrown) {
        if (attempt === RESTARTS || !(thrown instanceof PlaceLostError)) throw thrown;
      }
    }
  };
  const changes: Partial<Executor> = {
    async setup(signal, recorded) {
      const facts: Record<string, PlaceFacts[string]> = { ...(await place.setup(signal, recorded)) };
      const ofClient = client === place ? {} : await client.setup(signal, recorded);
      if (setup.isClientRecorded) Object.assign(facts, ofClient);
      for (const machine of setup.machines.values()) Object.assign(facts, await machine.setup(signal, recorded));
      return facts;
    },
    ...(repeatProblem && { repeatProblem }),
    recover,
    ...(client.traces && { traces: client.traces }),
    async prepare(context) {
      const run = new RunWithServices(setup, context);
      await run.prepare();
      return run;
    },
  };
  // Services belong to this run; the client decides whether one start holds several executions, and what is traced.
  return decorate(place, changes, ['services', 'repeatProblem', 'traces']);
}

class RunWithServices implements PreparedRun {
  readonly #setup: ServicesSetup;
  readonly #context: RunContext;
  readonly #died = new AbortController();
  #own: RunningService[] = [];
  readonly #records: ServiceRun[] = [];
  #client: PreparedRun | null = null;
  /** What the services used while the client ran; empty: there are no services, or the client did not run. */
  #used: readonly Counted[] = [];
  /** Address at which the client finds the services of the variant's place. */
  #host: string;

  constructor(setup: ServicesSetup, context: RunContext) {
    this.#setup = setup;
    this.#context = context;
    this.#host = setup.serviceHost;
  }

  get leftByPrepare(): PreparedRun['leftByPrepare'] {
    return this.#client?.leftByPrepare ?? null;
  }

  get services(): readonly ServiceRun[] {
    return this.#records;
  }

  async prepare(): Promise<void> {
    try {
      await this.#make();
      if (this.#setup.window === 'workload') await this.#start();
      const signal = AbortSignal.any([this.#context.signal, this.#died.signal]);
      const joins = this.#setup.client === this.#setup.place ? (this.#network() ?? undefined) : undefined;
      const serviceHost = () => this.#host;
      this.#client = await this.#setup.client.prepare({
        stop: this.#context.signal,
        ...this.#context,
        signal,
        joins,
        serviceHost,
      });
    } catch (thrown) {
      const found = await this.#whatDied(thrown);
      // The first error is the reason, unless a service may still be there.
      await this.#stop().catch((atStop: unknown) => {
        if (this.#context.signal.aborted || found instanceof PlaceLostError) throw found;
        if (atStop instanceof PlaceLostError) throw new PlaceLostError(atStop.message, { cause: found });
        if (found instanceof Error) found.message += ` ${messageOf(atStop)}`;
      });
      throw found;
    }
  }

  async execute(hooks: RunHooks): Promise<Execution> {
    const { window } = this.#setup;
    try {
      return window === 'workload' ? await this.#load(hooks) : await this.#wholeLife(hooks);
    } catch (thrown) {
      throw await this.#whatDied(thrown);
    }
  }

  telemetry = async (): Promise<RunTelemetry> => {
    const reported = (await this.#client?.telemetry?.()) ?? { marks: [], phaseProblem: null, usage: null };
    if (reported.usage === null || this.#used.length === 0) return reported;
    const { counters = [] } = reported.usage;
    return { ...reported, usage: { ...reported.usage, counters: [...counters, ...this.#used] } };
  };

  async dispose(): Promise<void> {
    let failure: unknown = null;
    try {
      await this.#client?.dispose();
      this.#throwIfDied();
    } catch (thrown) {
      failure = await this.#whatDied(thrown);
    }
    try {
      await this.#stop();
    } catch (thrown) {
      failure ??= thrown;
    }
    if (failure !== null && !forCleanup(this.#context).signal.aborted) throw failure;
  }

  settle = async (execution: Execution): Promise<Execution> => {
    const settled = (await this.#client?.settle?.(execution)) ?? execution;
    const { startNs, endNs } = execution;
    if (this.#setup.window === 'workload') return settled;
    // The window is that of the services, on this machine's clock, whichever clock measured the client.
    const { clock: _, ...others } = settled;
    return { ...others, startNs, endNs };
  };

  /** Runs the client, while its services are there from beginning to end. */
  async #load(hooks: RunHooks): Promise<Execution> {
    this.#throwIfDied();
    const [lasting, own] = [this.#lasting(), this.#own];
    const before = [...usesOfLasting(lasting), ...collectUses(own)];
    const execution = await this.#runClient(hooks);
    this.#used = usedBetween(before, [...usesOfLasting(lasting), ...collectUses(own)], this.#isClients());
    await this.#throwIfServiceDied(execution);
    return execution;
  }

  async #wholeLife(hooks: RunHooks): Promise<Execution> {
    const lasting = this.#lasting();
    // Services of this run have used nothing yet.
    const before = usesOfLasting(lasting);
    hooks.onEdge('start');
    const startNs = process.hrtime.bigint();
    await this.#start();
    this.#throwIfDied();
    const execution = await this.#runClient({ onEdge() {} });
    // This is read inside the window, because the services are gone afterwards.
    const own = collectUses(this.#own);
    const isClients = this.#isClients();
    await this.#throwIfServiceDied(execution);
    await this.#stop();
    const endNs = process.hrtime.bigint();
    hooks.onEdge('end');
    this.#used = usedBetween(before, [...usesOfLasting(lasting), ...own], isClients);
    return { ...execution, startNs, endNs };
  }

  /** Runs the client. Observers ask the services before and after it. */
  async #runClient(hooks: RunHooks): Promise<Execution> {
    const { around = [] } = this.#context;
    const findAddresses: FindAddresses = async (service) =>
      (await this.#all()
        .find((running) => running.service.name === service)
        ?.reach()) ?? null;
    for (const one of around) await one.begin(findAddresses);
    const execution = await (this.#client as PreparedRun).execute(hooks);
    for (const one of around) await one.end();
    return execution;
  }

  async #throwIfServiceDied(execution: Execution): Promise<void> {
    if (!isGood(execution)) await this.#hear();
    this.#throwIfDied();
  }

  /** Whether the client shares the network of the services. */
  #isClients(): boolean {
    const { client, place } = this.#setup;
    return client === place && this.#network() !== null;
  }

  #lasting(): readonly RunningService[] {
    return [...this.#setup.lasting.values()];
  }

  async #make(): Promise<void> {
    const { services, place, host, machines, hostPorts, logFor } = this.#setup;
    const { experimentId, runId, observed, added, signal } = this.#context;
    const ofRun = services.filter(({ lifetime }) => lifetime === 'run');
    for (const service of ofRun) {
      // One that joins a network takes no port of the host: the holder of that network has them.
      if (service.place !== 'variant' || this.#network() === null) checkFree(service, hostPorts(service));
    }
    for (const service of ofRun) {
      const at = machines.get(service.place) ?? (service.place === 'host' ? host : place);
      const logFile = logFor(this.#context, service);
      const joins = service.place === 'variant' ? this.#network() : null;
      const made = await at.makeService(service, { experimentId, runId, logFile, signal, joins, observed, added });
      const later = ofRun.slice(ofRun.indexOf(service) + 1).map(({ name }) => name);
      this.#own.push(new RunningService({ service, made, later, log: this.#setup.log }));
    }
    for (const running of this.#all()) void this.#watch(running);
  }

  #all(): readonly RunningService[] {
    return [...this.#lasting(), ...this.#own];
  }

  /** Network that later services join. */
  #network(): string | null {
    return (
      this.#all()
        .map(({ network }) => network)
        .find((network) => network !== null) ?? null
    );
  }

  async #start(): Promise<void> {
    for (const running of this.#own) await running.start(AbortSignal.any([this.#context.signal, this.#died.signal]));
    const { client, place } = this.#setup;
    if (client === place) return;
    for (const running of this.#all()) {
      if (running.service.place !== 'variant') continue;
      const [address] = await running.addresses();
      if (address !== undefined) this.#host = address;
    }
  }

  /** Stops the services, once and in reverse order, whatever fails. */
  async #stop(): Promise<void> {
    const own = this.#own;
    this.#own = [];
    let failure: unknown = null;
    const { aborted } = this.#context.signal;
    const stop = async (running: RunningService): Promise<void> => {
      await running.stop(aborted).catch((thrown: unknown) => {
        failure ??= thrown;
      });
    };
    // When the program is being stopped, there is no time to stop them one after the other.
    if (aborted) await Promise.all(own.map(stop));
    else for (const running of own.toReversed()) await stop(running);
    this.#records.push(...own.flatMap(({ record }) => record ?? []));
    if (failure !== null) throw failure;
  }

  /** Watches for the end of a service, so that a client does not wait for it until its own timeout. */
  async #watch(running: RunningService): Promise<void> {
    await running.death;
    this.#died.abort(running.deathError());
  }

  async #hear(): Promise<void> {
    await sleep(HEAR_MS, undefined, { signal: this.#died.signal }).catch(() => {});
  }

  #throwIfDied(): void {
    this.#context.signal.throwIfAborted();
    this.#died.signal.throwIfAborted();
  }

  /** The reason of a client's failure: a service that has ended, if there is one. */
  async #whatDied(thrown: unknown): Promise<unknown> {
    const isReported = thrown instanceof ServiceError || thrown instanceof PlaceLostError;
    if (this.#context.signal.aborted || isReported) return thrown;
    await this.#hear();
    return this.#died.signal.aborted ? this.#died.signal.reason : thrown;
  }
}

const collectUses = (services: readonly RunningService[]): readonly ServiceUse[] =>
  services.flatMap((service) => service.used());

/** Use of services that outlive a run; their peak may be from an earlier run, so it is left out. */
const usesOfLasting = (services: readonly RunningService[]): readonly ServiceUse[] =>
  collectUses(services).map((use) => ({ ...use, peakMemoryBytes: 'outlives-run' }));
