import { createHash } from 'node:crypto';
import { createReadStream, statSync } from 'node:fs';
import type { PlaceFacts } from '../../contracts/variant.ts';
import { InputError, MeasureError } from '../../errors.ts';
import type { Executor, ExecutorEnvironment } from '../executor.ts';
import { imageFiles } from './image.ts';
import { checkGuest, checkGuestFiles, checkKvmWorks } from './qemu.ts';
import { GuestRun } from './run.ts';
import type { VmVariant } from './variant.ts';

/** Size up to which a file's digest is made; a larger one is known by size and time, since reading it would delay the start. */
const MAX_DIGESTED_BYTES = 2 ** 30;

/** Runs workloads in a guest that is booted for each run, before its rest, and ended after its guard. */
export function makeVmExecutor(variant: VmVariant, environment: ExecutorEnvironment): Executor {
  return {
    setup: (signal, recorded) => setUp(variant, environment, { signal, recorded }),
    async makeService() {
      throw new InputError('Services and hooks can’t be run in a virtual machine.');
    },
    async prepare(context) {
      const { observed, tracer, added = [], around = [] } = context;
      if (observed !== undefined || tracer !== undefined || added.length + around.length > 0) {
        throw new MeasureError('Runs in a virtual machine can’t be observed: nothing looks into a guest.');
      }
      const run = await GuestRun.boot(variant, environment, context);
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

/** Boots a guest once, since nothing else proves that it can be booted. */
async function setUp(
  variant: VmVariant,
  environment: ExecutorEnvironment,
  { signal, recorded }: { readonly signal: AbortSignal; readonly recorded: PlaceFacts | undefined },
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
  const context = { experimentId: environment.experimentId, runId: 0, logFile: '/dev/null', signal };
  const run = await GuestRun.boot(variant, environment, context);
  try {
    const seen = await run.inspect();
    if (accel === 'tcg') {
      environment.log(
        `The processors of variant ${JSON.stringify(variant.name)} are emulated (accel: tcg): its numbers say nothing about virtual machines.`,
      );
    }
    const facts = { vm_accel: accel, vm_cpu_model: cpuModel, vm_cpus: cpus, vm_memory_bytes: memoryBytes };
    return { ...facts, vm_qemu: qemu, ...seen, ...files };
  } finally {
    await run.end();
  }
}

async function digestOf(path: string, signal: AbortSignal): Promise<string> {
  const { size, mtime } = statSync(path);
  if (size > MAX_DIGESTED_BYTES) return `${size} bytes of ${mtime.toISOString()}`;
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { signal })) hash.update(chunk as Buffer);
  return `sha256:${hash.digest('hex')}`;
}
