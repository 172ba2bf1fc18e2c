import { basename } from 'node:path';
import { listed } from '../../text/plain.ts';
import { connectDocker } from '../container/docker.ts';
import { findPresent } from '../container/image.ts';
import { workloadEnvironment } from '../environment.ts';
import type { Foreseen } from '../kind.ts';
import { checkFree } from '../services/failures.ts';
import { composeEnvironment, composeVersion } from './command.ts';
import { wantedImage } from './images.ts';
import type { Stack } from './model.ts';
import { readStack } from './read.ts';
import { publishedPorts } from './run-file.ts';
import type { ComposeVariant } from './variant.ts';

/** What a project would start, in which order, and whether its images are present. Starts and builds nothing. Throws InputError, MeasureError. */
export async function foreseeProject(variant: ComposeVariant, passEnv: readonly string[]): Promise<Foreseen> {
  const { signal } = new AbortController();
  const env = composeEnvironment(workloadEnvironment(process.env, passEnv).inherited);
  await composeVersion(env, signal);
  if (variant.revision !== undefined) {
    await connectDocker();
    const text = `${basename(variant.file)} is read when revision ${variant.revision.name} is checked out`;
    return { state: 'ok', text };
  }
  const stack = await readStack(variant, { env, signal });
  for (const { service, host } of publishedPorts(stack)) checkFree({ name: service }, [host]);
  const { missing, built } = await inspectImages(variant, stack);
  const images = [
    ...(missing.length === 0 ? [] : [`the images ${listed(missing)} aren't on this machine and will be pulled`]),
    ...(built.length === 0 ? [] : [`the images of ${listed(built)} will be built`]),
  ];
  return { state: missing.length > 0 ? 'warn' : 'ok', text: [orderText(variant, stack), ...images].join('; ') };
}

/** `compose.yml starts cache and db, then web (localhost:8080); then the command runs in a container of client`. */
function orderText(variant: ComposeVariant, stack: Stack): string {
  const ports = publishedPorts(stack);
  const named = (service: string): string => {
    const own = ports.filter((port) => port.service === service).map(({ host }) => `localhost:${host}`);
    return own.length === 0 ? service : `${service} (${own.join(', ')})`;
  };
  const steps = stack.steps.map((step) => listed(step.map(named)));
  const starts = steps.length === 0 ? 'starts nothing' : `starts ${steps.join(', then ')}`;
  const client = stack.workload === null ? 'on the host' : `in a container of ${stack.workload}`;
  const measured = stack.ownCommand
    ? `${named(stack.workload ?? '')} runs its own command`
    : `the command runs ${client}`;
  return `${basename(variant.file)} ${starts} for every run; ${measured}`;
}

async function inspectImages(
  variant: ComposeVariant,
  { model }: Stack,
): Promise<{ missing: string[]; built: string[] }> {
  const docker = await connectDocker();
  const missing: string[] = [];
  const built: string[] = [];
  for (const [service, one] of Object.entries(model.services)) {
    const reference = one.image ?? '';
    if (one.build !== undefined) {
      built.push(service);
      continue;
    }
    if ((await findPresent(docker, wantedImage(variant, service, one))) === null) missing.push(reference);
  }
  return { missing: [...new Set(missing)], built };
}
