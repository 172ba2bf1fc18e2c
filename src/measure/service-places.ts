import type { Workload } from '../contracts/variant.ts';
import { messageOf } from '../errors.ts';
import { serviceHostName } from '../executors/environment.ts';
import type { Executor } from '../executors/executor.ts';
import { hostPorts, type Variant } from '../executors/registry.ts';
import { asRemoteClient } from '../executors/remote/client.ts';
import { asServiceMachine, foundAt } from '../executors/remote/service-machine.ts';
import type { Service, ServiceHost, ServiceMachine, ServiceRunner } from '../executors/service.ts';
import { checkFree, serviceSubject } from '../executors/services/failures.ts';
import { listenedPorts } from '../executors/services/ready.ts';
import { RunningService } from '../executors/services/running.ts';
import { withServices } from '../executors/services/with-services.ts';
import type { Experiment } from '../experiment/experiment.ts';
import { isMachine, machineOf } from '../hosts/address.ts';
import type { RemoteHost } from '../hosts/host.ts';
import { logPath, serviceLog } from '../system/result-files.ts';

export interface ServicePlacesSetup {
  readonly experiment: Experiment;
  readonly experimentId: string;
  /** Folder of the logs. */
  readonly folder: string;
  readonly signal: AbortSignal;
  /** Makes an executor. `host`: the machine it is made for; absent: where the variants are. */
  make(variant: Variant, directory: string, host?: RemoteHost): Promise<Executor>;
  /** Makes a runner of services. `host`: the machine that they run on; absent: where the variants are. */
  makeRunner(at: ServiceHost, host?: RemoteHost): Promise<ServiceRunner>;
  /** The machine of the clients, where that is another one; absent: it is this one. */
  readonly clientHost?: RemoteHost | undefined;
  /** Machines of services, by address, in the order in which their services start. */
  readonly serviceHosts: ReadonlyMap<string, RemoteHost>;
  log(line: string): void;
}

/** A place with services that last as long as the experiment; `running`: those that were started, by name. */
interface Lasting {
  readonly name: string;
  readonly runner: Pick<ServiceMachine, 'makeService'>;
  readonly services: readonly Service[];
  ports(service: Service): readonly number[];
  readonly running: Map<string, RunningService>;
}

/** The services of an experiment: puts them around the runs of a variant, and keeps those that outlast a run. */
export class ServicePlaces {
  readonly #setup: ServicePlacesSetup;
  readonly #lasting: Lasting[] = [];
  #host: ServiceRunner | null = null;
  #onHost: Lasting | null = null;
  #machines: ReadonlyMap<string, ServiceMachine> | null = null;
  readonly #onMachines: Lasting[] = [];

  constructor(setup: ServicePlacesSetup) {
    this.#setup = setup;
  }

  /**
   * The executor of a variant's runs, set up together with its place. `workload`: the given one, where the variant is at a revision. Throws what
   * making the place of a client on the host throws.
   */
  async around(variant: Variant, workload: Workload, place: Executor): Promise<Executor> {
    const { experiment, make, log, clientHost } = this.#setup;
    const { services: given = [], window = 'workload' } = experiment;
    const services = (place.services?.(given) ?? given).filter(
      (service) => service.lifetime !== 'run' || (workload.services?.includes(service.name) ?? true),
    );
    const { name } = variant;
    if (services.length === 0 && workload.place !== 'host') return place;
    const host = await this.#hostPlace();
    const ports = (service: Service) => portsOf(service, variant);
    const isClientRecorded = clientHost !== undefined;
    // The client is the same for all variants: at no revision, and with nothing of a variant's place.
    const elsewhere: Variant = { kind: 'native', name, workload: this.#asClient(workload) };
    const client = isClientRecorded
      ? asRemoteClient(await make(elsewhere, experiment.directory, clientHost), {
          host: clientHost,
          serviceHost: experiment.client?.serviceHost ?? null,
          served: services.filter(isHere).map((service) => ({
            service,
            ports: listenedPorts(service).length === 0 ? [] : ports(service),
            startsInWindow: window === 'service' && service.lifetime === 'run',
          })),
        })
      : workload.place === 'host'
        ? await make(elsewhere, experiment.directory)
        : place;
    const machines = await this.#serviceMachines();
    const inPlace = this.#keep(name, place, services.filter(lastsHere('variant')), ports);
    this.#onHost ??= this.#keep('host', host, services.filter(lastsHere('host')), listenedPorts);
    const lasting = { values: () => [...this.#runningForAll(), ...inPlace.running.values()] };
    const logFor = ({ logFile }: { readonly logFile: string }, service: Service) => serviceLog(logFile, service.name);
    const around = { services, place, client, isClientRecorded, host, machines, logFor, lasting };
    const serviceHost = this.#onlyHost(services) ?? '127.0.0.1';
    const restart = (signal: AbortSignal) => this.#restart(signal);
    return withServices({ ...around, serviceHost, restart, window, hostPorts: ports, log });
  }

  /** Starts the services that last as long as the experiment. Throws as the services of a run do. */
  async begin(): Promise<void> {
    const order = this.#order();
    const all = this.#lasting.flatMap((at) => at.services.map((service) => ({ at, service })));
    for (const { at, service } of all.toSorted(
      (a, b) => order.indexOf(a.service.name) - order.indexOf(b.service.name),
    )) {
      await this.#start(at, service);
    }
  }

  /** Ends these services in reverse order. Gives a sentence for each that can't be ended. */
  async end(): Promise<string[]> {
    const lines: string[] = [];
    const all = this.#lasting.flatMap(({ running }) => [...running.values()]);
    for (const { running } of this.#lasting) running.clear();
    for (const running of all.toReversed()) {
      await running.stop(this.#setup.signal.aborted).catch((thrown) => void lines.push(messageOf(thrown)));
    }
    return lines;
  }

  /** Network that others in a variant's place join; null: no service lasts there, or all share the host's network. */
  networkOf(variant: string): string | null {
    const at = this.#lasting.find(
      ({ name, services }) => name === variant && services.some(({ place }) => place === 'variant'),
    );
    return at === undefined ? null : networkOf(at);
  }

  /** Variables for the commands of all places: where each service of another machine is found. Throws InputError where that is unknown. */
  serviceHosts(): Record<string, string> {
    const { experiment, serviceHosts } = this.#setup;
    const found = (experiment.services ?? []).flatMap((service) => {
      const host = serviceHosts.get(service.place);
      return host === undefined ? [] : [[serviceHostName(service.name), foundAt(service, host)]];
    });
    return Object.fromEntries(found);
  }

  #order(): readonly string[] {
    return (this.#setup.experiment.services ?? []).map(({ name }) => name);
  }

  async #start(at: Lasting, service: Service): Promise<void> {
    const { experimentId, folder, signal, log } = this.#setup;
    const joins = networkOf(at);
    checkFree(service, joins === null ? at.ports(service) : []);
    const logFile = serviceLog(logPath(folder, 0, at.name), service.name);
    const context = { experimentId, runId: 0, logFile, joins, signal };
    const made = await at.runner.makeService(service, context);
    const later = this.#order().slice(this.#order().indexOf(service.name) + 1);
    const running = new RunningService({ service, made, later, log });
    at.running.set(service.name, running);
    await running.start(signal);
  }

  /** Restarts services whose machine or container engine was lost. Their data is gone. */
  async #restart(signal: AbortSignal): Promise<void> {
    for (const at of this.#lasting) {
      const isLost = ({ name }: Service): boolean => at.running.get(name)?.isLost === true;
      // Those that share a network are lost together.
      const isShared = at.services.some(isLost) && networkOf(at) !== null;
      const lost = isShared ? at.services : at.services.filter(isLost);
      // One whose start fails is stopped, and is still to be started.
      // The first one may hold the network of the others.
      for (const { name } of lost.toReversed()) await at.running.get(name)?.stop(true);
      for (const service of lost) {
        signal.throwIfAborted();
        try {
          await this.#start(at, service);
        } catch (thrown) {
          await at.running
            .get(service.name)
            ?.stop(true)
            .catch(() => {});
          throw thrown;
        }
        const how = isHere(service) ? 'its place' : `the connection to ${service.place}`;
        this.#setup.log(`${serviceSubject(service)} was lost with ${how}, and was started anew.`);
      }
    }
  }

  /** Address of the one other machine that all services are on; null: they are not all on one. */
  #onlyHost(services: readonly Service[]): string | null {
    const [first, ...others] = new Set(services.map(({ place }) => place));
    const host = first === undefined || others.length > 0 ? undefined : this.#setup.serviceHosts.get(first);
    const [service] = services;
    return host === undefined || service === undefined ? null : foundAt(service, host);
  }

  async #serviceMachines(): Promise<ReadonlyMap<string, ServiceMachine>> {
    if (this.#machines !== null) return this.#machines;
    const { experiment, makeRunner, serviceHosts } = this.#setup;
    const machines = new Map<string, ServiceMachine>();
    for (const [address, host] of serviceHosts) {
      const runner = await makeRunner({ name: machineOf(address), env: this.serviceHosts() }, host);
      const machine = asServiceMachine(runner, host, machines.size + 1);
      machines.set(address, machine);
      const services = (experiment.services ?? []).filter(lastsHere(address));
      this.#onMachines.push(this.#keep(machineOf(address), machine, services, () => []));
    }
    this.#machines = machines;
    return machines;
  }

  #keep(name: string, runner: Lasting['runner'], services: readonly Service[], ports: Lasting['ports']): Lasting {
    const kept = { name, runner, services, ports, running: new Map<string, RunningService>() };
    this.#lasting.push(kept);
    return kept;
  }

  #runningForAll(): RunningService[] {
    const places = [...(this.#onHost === null ? [] : [this.#onHost]), ...this.#onMachines];
    return places.flatMap(({ running }) => [...running.values()]);
  }

  #asClient({ pin: _, ...workload }: Workload): Workload {
    const pin = this.#setup.experiment.pins?.client;
    return { ...workload, workdir: workload.hostWorkdir ?? null, ...(pin && { pin }) };
  }

  async #hostPlace(): Promise<ServiceRunner> {
    const { experiment, makeRunner, signal } = this.#setup;
    if (this.#host === null) {
      const pin = experiment.pins?.client;
      this.#host = await makeRunner({ name: 'host', env: this.serviceHosts(), ...(pin && { pin }) });
      await this.#host.setup(signal);
    }
    return this.#host;
  }
}

type Serving = Pick<Experiment, 'services' | 'variants'>;

/** Ports of this machine that the services will listen on, as far as they are known. */
export function neededPorts({ services = [], variants }: Serving): number[] {
  const ports = services.flatMap((service) => variants.flatMap((variant) => portsOf(service, variant)));
  return [...new Set(ports)].toSorted((a, b) => a - b);
}

/** Throws ServiceError where somebody else listens on one of them. Starts nothing. */
export function checkPorts({ services = [], variants }: Serving): void {
  for (const service of services) {
    const ports = variants.flatMap((variant) => portsOf(service, variant));
    checkFree(service, ports);
  }
}

const isHere = ({ place }: Service): boolean => !isMachine(place);

const portsOf = (service: Service, variant: Variant): readonly number[] =>
  !isHere(service)
    ? []
    : service.place === 'host'
      ? listenedPorts(service)
      : hostPorts(variant, listenedPorts(service));

const networkOf = ({ running }: Lasting): string | null =>
  [...running.values()].map(({ network }) => network).find((joins) => joins !== null) ?? null;

const lastsHere =
  (place: string) =>
  (service: Service): boolean =>
    service.lifetime === 'experiment' && service.place === place;
