import { hostname } from 'node:os';
import { NO_PIN, pinSelf } from '../executors/pins.ts';
import type { Experiment } from '../experiment/experiment.ts';
import type { MadeSetting } from '../findings/conditions.ts';
import { HostTaken } from '../hosts/connection.ts';
import { type HostOptions, RemoteHost } from '../hosts/host.ts';
import { raisePriority, restorePriority } from '../system/priority.ts';
import type { Targets } from '../tuning/targets.ts';
import { tune } from '../tuning/tuning.ts';
import { type Machines, openMachines, otherMachines, serviceMachines } from './machines.ts';
import { pinnedProcessors } from './pins.ts';
import { type Places, setUpPlaces } from './places.ts';
import type { Progress } from './progress.ts';
import type { Unfinished } from './resume.ts';
import { nameForOthers, whenFree } from './wait-for-machine.ts';

export interface PrepareRequest {
  readonly id: string;
  readonly experiment: Experiment;
  readonly unfinished: Unfinished | null;
  /** Private folder of this session. */
  readonly folder: string;
  readonly progress: Progress;
  readonly signal: AbortSignal;
  /** Machine settings that `quiet` changes; absent: this machine's own. */
  readonly targets?: Targets | undefined;
  /** Called as soon as containers may carry the id of the experiment. */
  readonly onExperimentId?: ((id: string) => void) | undefined;
}

/** What a session holds of this machine and of others. Disposing releases it in reverse order, however far it came. */
export class Prepared implements AsyncDisposable {
  readonly #stack = new AsyncDisposableStack();
  readonly #request: PrepareRequest;
  /** Settings of the machine that were changed for the experiment. */
  made: readonly MadeSetting[] = [];
  /** The machine that is measured; null: this one. */
  host: RemoteHost | null = null;
  /** The experiment, with the benchmarks of its suite once they are listed. */
  experiment: Experiment;

  constructor(request: PrepareRequest) {
    this.#request = request;
    this.experiment = request.experiment;
  }

  /** Releases `held` with everything else. */
  use<T extends AsyncDisposable>(held: T): T {
    return this.#stack.use(held);
  }

  /**
   * Changes the machine's settings and this process's own priority and processors; from here on containers may carry the experiment's id. Throws
   * InputError where something can't be set.
   */
  settle(): void {
    const { experiment, id, targets, progress, onExperimentId } = this.#request;
    if (experiment.quiet !== undefined) {
      const request = { names: experiment.quiet, pinned: pinnedProcessors(experiment), targets };
      this.made = this.#stack.use(tune(request, id, progress)).made;
    }
    const pin = experiment.pins?.joulediff;
    this.#stack.defer(restorePriority);
    raisePriority(pin?.nice ?? undefined);
    this.#stack.use(pinSelf(pin ?? NO_PIN));
    onExperimentId?.(id);
  }

  /** Opens the other machines, and sets up where the variants run. `options`: of the measured one. Throws InputError, MeasureError or the reason. */
  async places(options: HostOptions = {}): Promise<Places> {
    const { experiment } = this;
    const { id, progress, signal, folder, unfinished } = this.#request;
    this.host = experiment.host === undefined ? null : this.use(await this.#openHost(experiment.host, options));
    const { all } = this.use(
      await openMachines(otherMachines(experiment), (address) => this.#openHost(address)),
    ) satisfies Machines;
    const { client, services } = experiment;
    const places = await setUpPlaces(id, {
      experiment,
      progress,
      signal,
      folder,
      recorded: unfinished?.facts ?? null,
      host: this.host ?? undefined,
      clientHost: client && all.get(client.address),
      serviceHosts: new Map(serviceMachines(services).map((address) => [address, all.get(address) as RemoteHost])),
    });
    return this.use(places);
  }

  /** Opens and reserves another machine. If it is taken, from there or from elsewhere, this waits as for this machine. */
  #openHost(address: string, options: HostOptions = {}): Promise<RemoteHost> {
    const { experiment, progress, signal } = this.#request;
    const what = `${nameForOthers(experiment)}, measured from ${hostname()}`;
    return whenFree({
      waitS: experiment.waitForMachineS ?? 0,
      progress,
      signal,
      machine: address,
      // Each attempt opens a connection, which disturbs what is being measured on that machine.
      everyS: 60,
      take: () => RemoteHost.open(address, signal, (line) => progress.note(line), { ...options, what }),
      holderOf: (thrown) => (thrown instanceof HostTaken ? thrown.holder : null),
      takenError: (_, thrown) => thrown,
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stack.disposeAsync();
  }
}
