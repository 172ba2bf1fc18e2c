import { basename } from 'node:path';
import type Docker from 'dockerode';
import { MeasureError } from '../../errors.ts';
import { listed } from '../../text/plain.ts';
import { answerTo } from '../container/docker.ts';
import { accepts, networkOf, succeedsIn } from '../container/service.ts';
import type { RunIdentity } from '../environment.ts';
import type { MadeService, Service } from '../service.ts';
import { listensIn } from '../services/listeners.ts';
import type { Stack } from './model.ts';
import { projectContainers } from './project.ts';
import type { ComposeVariant } from './variant.ts';

export interface ViewSetup {
  readonly docker: Docker;
  readonly isRootless: boolean;
  readonly stack: Stack;
  readonly identity: RunIdentity;
  readonly service: Service;
  readonly variant: ComposeVariant;
  /** Output of the service so far. */
  output(): string;
}

/**
 * A service of the experiment file in a Compose project: the project's service of the same name, which the project has already started. Only its
 * `ready` is waited for here; the project starts and stops it.
 */
export async function viewOf(setup: ViewSetup): Promise<MadeService> {
  const { docker, isRootless, stack, identity, service, variant } = setup;
  const names = stack.steps.flat();
  if (!names.includes(service.name)) {
    throw new MeasureError(
      `The service ${JSON.stringify(service.name)} is not among those that ${basename(variant.file)} starts in variant ${JSON.stringify(variant.name)}: ${listed(names) || 'it starts none'}.`,
      {
        advice:
          'A service with place: variant is, in a Compose project, the service of that name: give both the same name, or place: host.',
      },
    );
  }
  let container: Docker.Container | null = null;
  let pid: number | null = null;
  let ips: readonly string[] = [];
  return {
    // The project watches for the end of all its services.
    ended: new Promise(() => {}),
    network: null,
    async start() {
      const [made] = await projectContainers(docker, identity, service.name);
      container = made?.container ?? null;
      if (container === null) return;
      const one = container;
      const found = await answerTo((options) => one.inspect(options));
      pid = found.State.Pid || null;
      ({ ips } = networkOf(found, { isPodman: false, isRootless }));
    },
    output: setup.output,
    async listens(port) {
      if (container !== null && listensIn(container.id, pid, port)) return true;
      for (const ip of ips) if (await accepts(ip, port)) return true;
      return false;
    },
    // A client on the host uses the published port, as it is written.
    addresses: async () => (stack.workload === null ? [] : ips),
    succeeds: async (command, signal) => container !== null && (await succeedsIn(container, command, signal)),
    left: () => [],
    stop: async () => ({ killed: false, left: [] }),
  };
}
