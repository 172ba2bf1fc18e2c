import { MeasureError } from '../../errors.ts';
import { limitText } from '../../processes/limits.ts';
import { quoteTail } from '../output-tail.ts';
import type { Service, ServiceCommand, ServiceEnd } from '../service.ts';
import { takenPorts, takenText } from './listeners.ts';

export type ServiceProblem = 'service-died' | 'service-not-ready' | 'port-taken';

/** A service is not there when it is needed; `problem` says why. */
export class ServiceError extends MeasureError {
  readonly problem: ServiceProblem;

  constructor(problem: ServiceProblem, message: string, advice?: string) {
    super(message, { advice });
    this.problem = problem;
  }
}

const TAIL_CHARACTERS = 4000;

/** Subject of sentences about a service. */
export const serviceSubject = ({ name, subject }: Pick<ServiceCommand, 'name' | 'subject'>): string =>
  subject ?? `The service ${JSON.stringify(name)}`;

const lastOutput = (output: string): string => quoteTail(output.slice(-TAIL_CHARACTERS));

export interface Death {
  readonly service: Service;
  readonly end: ServiceEnd;
  /** Whether the service had been ready before. */
  readonly wasReady: boolean;
  readonly output: string;
  /** Names of processes that the service left running. */
  readonly left: readonly string[];
}

export function diedError({ service, end, wasReady, output, left }: Death): ServiceError {
  const how = end.signal === null ? `with exit code ${end.exitCode ?? 'unknown'}` : `by signal ${end.signal}`;
  const why = end.limit === null ? '' : `: ${limitText(end.limit)}`;
  const when = wasReady ? 'while it was needed' : 'before it was ready';
  if (end.exitCode === 0 && left.length > 0) {
    return new ServiceError(
      'service-died',
      `${serviceSubject(service)} put itself into the background: it ended with exit code 0 and left ${left.slice(0, 5).join(', ')} running, which was ended.${lastOutput(output)}`,
      "Start it in the foreground (redis-server --daemonize no, nginx -g 'daemon off;'): only then can it be watched and stopped.",
    );
  }
  const advice =
    end.exitCode === 0 && !wasReady
      ? 'A service stays in the foreground until it is stopped; one that puts itself into the background has an option that keeps it in the foreground.'
      : undefined;
  return new ServiceError(
    'service-died',
    `${serviceSubject(service)} ended ${how} ${when}${why}.${lastOutput(output)}`,
    advice,
  );
}

export interface NotReady {
  readonly service: Service;
  /** Result of the last test for readiness, a sentence without its end; null: unknown. */
  readonly last: string | null;
  readonly output: string;
  /** Names of the services that would start after it. */
  readonly later: readonly string[];
}

export function notReadyError({ service, last, output, later }: NotReady): ServiceError {
  const { readyWithinS } = service;
  const why = last === null ? '' : `: ${last}`;
  const order =
    later.length === 0
      ? ''
      : ` It starts before ${later.map((name) => JSON.stringify(name)).join(' and ')}; if it waits for one of them, write that one first. If two services wait for each other, give the first of them a ready that succeeds before the second has started.`;
  return new ServiceError(
    'service-not-ready',
    `${serviceSubject(service)} was not ready within ${readyWithinS} s${why}.${lastOutput(output)}`,
    `ready.within gives it more time.${order}`,
  );
}

/** Throws ServiceError where somebody else listens on one of the ports of this machine that a service needs. */
export function checkFree(service: Pick<Service, 'name'>, ports: readonly number[]): void {
  const [taken] = takenPorts(ports);
  if (taken === undefined) return;
  throw new ServiceError(
    'port-taken',
    `${serviceSubject(service)} was not started: ${takenText(taken)}.`,
    'Stop that, or give the service another port.',
  );
}
