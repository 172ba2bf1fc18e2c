import { resolve } from 'node:path';
import type { Conflict } from '../../input/conflict.ts';
import type { PlaceKind } from '../kind.ts';
import { recordedKeys, type VmKeys, type VmVariant, vmKeys, WITHIN_S } from './variant.ts';

/** A virtual machine of QEMU, booted anew for every run. */
export const vmKind: PlaceKind<VmVariant, VmKeys> = {
  name: 'vm',
  plural: 'virtual machines',
  where: 'in a virtual machine',
  hasOwnClock: true,
  refuses: ['phases', 'explain', 'output'],
  keys: vmKeys,
  selectedBy: ['vm'],
  advice: 'give vm',
  conflicts({ file: { vm }, pathOf }) {
    const found: Conflict[] = [];
    const refuse = (key: string, detail: string): void => {
      found.push({
        path: pathOf('vm', ...(key === '' ? [] : [key])),
        part: 'key',
        detail,
        follows: [pathOf(), pathOf('vm')],
      });
    };
    if (vm === undefined) return found;
    if (vm.image === undefined && (vm.kernel === undefined || vm.initrd === undefined)) {
      refuse('', 'a guest boots from an image, or from a kernel with an initrd; give one of them');
      return found;
    }
    if (vm.kernel === undefined) {
      for (const key of ['initrd', 'append'] as const) {
        if (vm[key] !== undefined) {
          refuse(key, `${key} is for a kernel that is booted directly; give kernel, or leave it out`);
        }
      }
    }
    return found;
  },
  resolve(common, { vm }, directory) {
    const path = (given: string | undefined): string | null => (given === undefined ? null : resolve(directory, given));
    const accel = vm?.accel ?? 'kvm';
    const variant: VmVariant = {
      kind: 'vm',
      ...common,
      image: path(vm?.image),
      kernel: path(vm?.kernel),
      initrd: path(vm?.initrd),
      append: vm?.append ?? '',
      cpus: vm?.cpus ?? 1,
      memoryBytes: vm?.memory ?? 0,
      cpuModel: vm?.['cpu-model'] ?? (accel === 'kvm' ? 'host' : 'max'),
      accel,
      withinS: vm?.within ?? WITHIN_S,
    };
    return withWorkdir(variant, (given) => resolve(directory, given));
  },
  relocate(variant, moved) {
    const path = (given: string | null): string | null => (given === null ? null : moved(given));
    const { image, kernel, initrd } = variant;
    return withWorkdir({ ...variant, image: path(image), kernel: path(kernel), initrd: path(initrd) }, moved);
  },
  recorded: recordedKeys,
  conceal: (variant) => variant,
  usesFiles: () => true,
  // A guest gets a copy of the files, and nothing comes back from it.
  exposes: () => [],
  // Each leads to the same port of the guest.
  hostPorts: (_variant, listened) => listened,
  async foresee(variant) {
    const { foreseeGuest } = await import('./qemu.ts');
    return foreseeGuest(variant);
  },
  async makeExecutor(variant, environment) {
    const { makeVmExecutor } = await import('./executor.ts');
    return makeVmExecutor(variant, environment);
  },
  // Its process has the mark and the group of processes on the host, and its folder is a temporary one of joulediff's.
  removeLeft: async () => [],
};

function withWorkdir(variant: VmVariant, moved: (path: string) => string): VmVariant {
  const { workdir } = variant.workload;
  return { ...variant, workload: { ...variant.workload, workdir: workdir === null ? null : moved(workdir) } };
}
