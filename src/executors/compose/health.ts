import type Docker from 'dockerode';
import type { Limit } from '../../contracts/execution.ts';
import { answerTo } from '../container/docker.ts';
import type { Service } from '../service.ts';
import { notReadyError, type ServiceError } from '../services/failures.ts';

export interface ProjectContainer {
  readonly service: string;
  readonly container: Docker.Container;
}

export type State =
  | { readonly kind: 'ready' }
  /** Not started, or not healthy yet. `last`: last output of its health check. */
  | { readonly kind: 'starting'; readonly isChecked: boolean; readonly last: string | null }
  | { readonly kind: 'unhealthy'; readonly last: string | null }
  | { readonly kind: 'ended'; readonly exitCode: number; readonly limit: Limit | null };

/** States of a project's containers. */
export function readStates(containers: readonly ProjectContainer[]): Promise<State[]> {
  return Promise.all(
    containers.map(async ({ container }) => stateOf((await answerTo((options) => container.inspect(options))).State)),
  );
}

function stateOf(state: Docker.ContainerInspectInfo['State']): State {
  const { Status, ExitCode, Health, OOMKilled } = state;
  if (Status === 'exited' || Status === 'dead') {
    return { kind: 'ended', exitCode: ExitCode, limit: OOMKilled ? 'memory' : null };
  }
  const last = Health?.Log?.at(-1)?.Output?.trim() || null;
  if (Status !== 'running') return { kind: 'starting', isChecked: false, last: null };
  switch (Health?.Status) {
    case 'starting':
      return { kind: 'starting', isChecked: true, last };
    case 'unhealthy':
      return { kind: 'unhealthy', last };
    default:
      return { kind: 'ready' };
  }
}

interface Stuck {
  readonly service: string;
  readonly output: string;
}

/** The error of a project that did not become ready: it names the service that it waited for. */
export function stuckError(project: Service, one: Stuck, state: State, withinS: number): ServiceError {
  const said = 'last' in state && state.last !== null ? `, which says ${JSON.stringify(state.last.slice(0, 500))}` : '';
  const last =
    state.kind === 'unhealthy' ? `its health check fails${said}` : `its health check has not succeeded yet${said}`;
  return notReadyError({
    service: { ...project, name: one.service, readyWithinS: withinS },
    output: one.output,
    later: [],
    last: state.kind === 'starting' && !state.isChecked ? null : last,
  });
}
