import { createHash } from 'node:crypto';
import { createReadStream, statSync } from 'node:fs';
import type { PlaceFacts } from '../../contracts/variant.ts';
import { InputError, MeasureError } from '../../errors.ts';
import type { Executor, ExecutorEnvironment, RunContext } from '../executor.ts';
import type { Service } from '../service.ts';
import { serviceSubject } from '../services/failures.ts';
import { listenedPorts } from '../services/ready.ts';
import { imageFiles } from './image.ts';
import { GuestPlace } from './place.ts';
import { checkGuest, checkGuestFiles, checkKvmWorks } from './qemu.ts';
import { GuestRun } from './run.ts';
import { makeGuestService } from './service.ts';
import type { VmVariant } from './variant.ts';

/** Size up to which a file's digest is made; a larger one is known by size and time, since reading it would delay the start. */
const MAX_DIGESTED_BYTES = 2 ** 30;

/** Runs workloads in a guest that is booted for each run with its services, before its rest, and ended after its guard. */
export function makeVmExecutor(variant: VmVariant, environment: ExecutorEnvironment): Executor {
  let ports: readonly number[] = [];
  /** The guest that others can join: that of the services of a run, or of the experiment. */
  let shared: GuestPlace | null = null;
  const boot: Boot = ({ experimentId, runId, signal }) =>
    GuestPlace.boot({ variant, environment, ports, experimentId, runId, signal });
  const join = (network: string | null): GuestPlace | null => (network === null ? null : (shared?.hold() ?? null));
  return {
    services(given) {
      ports = portsOf(variant, given);
      return given;
    },
    setup: (signal, recorded) => setUp(variant, environment, { signal, recorded, boot }),
    async makeService(service, context) {
      if (context.observed !== undefined || (context.added ?? []).length > 0) throw unobserved();
      const joined = join(context.joins);
      const place = joined ?? (await boot(context));
      shared = place;
      return makeGuestService({ variant, place, isFirst: joined === null, service, context });
    },
    async prepare(context) {
      const { observed, tracer, added = [], around = [] } = context;
      if (observed !== undefined || tracer !== undefined || added.length + around.length > 0) throw unobserved();
      const place = join(context.joins ?? null) ?? (await boot(context));
      const run = new GuestRun(variant, context, place);
      try {
        await run.prepare();
        return run;
      } catch (thrown) {
        await run.end();
        context.signal.throwIfAborted();
        throw thrown;
      }
    },
  };
}

const unobserved = () => new MeasureError('Runs in a virtual machine can’t be observed: nothing looks into a guest.');

/** Ports that the services in a guest listen on. Throws InputError for services that could not be used there. */
function portsOf({ name, workload }: VmVariant, services: readonly Service[]): readonly number[] {
  const isReached = workload.place === 'host';
  const inside = services.filter(({ place }) => place === 'variant');
  const ports = [...new Set(inside.flatMap(listenedPorts))];
  const [service, why, advice] = isReached
    ? [
        ports.length === 0 ? inside[0] : undefined,
        'a client on the host reaches a guest by the port that ready names, and it names none',
        'Give it ready: { tcp: PORT }.',
      ]
    : [
        services.find(({ place, lifetime }) => place === 'host' || lifetime === 'experiment'),
        'the client is in the guest, whose network leads nowhere, and which only lasts as long as a run',
        'Give it place: variant and lifetime: run, or the client place: host.',
      ];
  if (service === undefined) return ports;
  const who = `the guest of variant ${JSON.stringify(name)}`;
  throw new InputError(`${serviceSubject(service)} can’t be used with ${who}: ${why}.`, { advice });
}

type Boot = (context: Pick<RunContext, 'experimentId' | 'runId' | 'signal'>) => Promise<GuestPlace>;

interface SetUp {
  readonly signal: AbortSignal;
  readonly recorded: PlaceFacts | undefined;
  readonly boot: Boot;
}

/** Boots a guest once, since nothing else proves that it can be booted. */
async function setUp(
  variant: VmVariant,
  environment: ExecutorEnvironment,
  { signal, recorded, boot }: SetUp,
): Promise<PlaceFacts> {
  const qemu = checkGuest(variant);
  checkGuestFiles(variant);
  // Without this test, a KVM that does not work would only show after the time limit of a guest's boot.
  await checkKvmWorks(variant);
  const { accel, cpuModel, cpus, memoryBytes } = variant;
  const files: Record<string, string> = {};
  for (const key of ['image', 'kernel', 'initrd'] as const) {
    const path = variant[key];
    if (path === null) continue;
    const paths = key === 'image' ? imageFiles(path, variant.name).map((file) => file.path) : [path];
    const digests: string[] = [];
    for (const one of paths) digests.push(await digestOf(one, signal));
    // The digest covers the files that an image is based on, too.
    const digest = digests.join(' on ');
    const before = recorded?.[`vm_${key}`];
    if (before !== undefined && before !== digest) {
      throw new MeasureError(
        `The ${key} of variant ${JSON.stringify(variant.name)}, ${path}, has changed since the experiment began.`,
        { advice: 'Bring back the one of before, or begin a new experiment.' },
      );
    }
    files[`vm_${key}`] = digest;
  }
  const place = await boot({ experimentId: environment.experimentId, runId: 0, signal });
  try {
    const seen = await place.inspect();
    if (accel === 'tcg') {
      environment.log(
        `The processors of variant ${JSON.stringify(variant.name)} are emulated (accel: tcg): its numbers say nothing about virtual machines.`,
      );
    }
    const facts = { vm_accel: accel, vm_cpu_model: cpuModel, vm_cpus: cpus, vm_memory_bytes: memoryBytes };
    return { ...facts, vm_qemu: qemu, ...seen, ...files };
  } finally {
    await place.letGo();
  }
}

async function digestOf(path: string, signal: AbortSignal): Promise<string> {
  const { size, mtime } = statSync(path);
  if (size > MAX_DIGESTED_BYTES) return `${size} bytes of ${mtime.toISOString()}`;
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { signal })) hash.update(chunk as Buffer);
  return `sha256:${hash.digest('hex')}`;
}
