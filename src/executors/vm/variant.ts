import * as z from 'zod';
import type { VariantBase } from '../../contracts/variant.ts';
import { duration, hostPath, map, size, text, wholeNumber } from '../../input/leaves.ts';

export const WITHIN_S = 120;
const HOUR_S = 3600;
const MIN_BYTES = 16 * 2 ** 20;

/** Keys of guests only; a variant with `vm` is one. */
export const vmKeys = {
  vm: map({
    image: hostPath('the path of a disk image').optional().meta({
      description:
        'Disk image (raw or qcow2), relative to this file. It is never written to: changes that a guest makes are gone when it ends.',
    }),
    kernel: hostPath('the path of a kernel')
      .optional()
      .meta({ description: 'Kernel that is booted directly; default: what the boot loader of the image boots.' }),
    initrd: hostPath('the path of an initial RAM disk')
      .optional()
      .meta({ description: 'Initial RAM disk of that kernel.' }),
    append: text('one line of kernel parameters, shorter than 2,000 characters', /^[^\0\n\r]*$/, 1999)
      .optional()
      .meta({ description: 'Parameters of that kernel, such as `root=/dev/vda1`.' }),
    cpus: wholeNumber(1, 1024).meta({ description: 'Processors of the guest.' }),
    memory: size(MIN_BYTES, 'a size of at least 16m, such as 512m, 2g or a number of bytes').meta({
      description: 'Memory of the guest.',
    }),
    'cpu-model': text('a processor model of QEMU, such as host or EPYC-v4', /^[A-Za-z0-9][A-Za-z0-9_.,=+-]*$/)
      .optional()
      .meta({ description: 'Processor model, as QEMU names it; default: `host`, and `max` with `accel: tcg`.' }),
    accel: z.enum(['kvm', 'tcg'], { error: '"kvm" or "tcg"' }).optional().meta({
      description:
        '`kvm` (default), or `tcg` to try an experiment without KVM. With `tcg`, processors are emulated, so the numbers say nothing about virtual machines.',
    }),
    within: duration('a time above 0 and up to 1h', (s) => s > 0 && s <= HOUR_S)
      .optional()
      .meta({ description: 'Longest time until the guest answers; default: 2m.' }),
  })
    .optional()
    .meta({
      description: 'Virtual machine that is booted by QEMU for every run. With it the variant runs in a guest.',
    }),
};

export type VmKeys = typeof vmKeys;

export type Accel = 'kvm' | 'tcg';

export interface VmVariant extends VariantBase {
  readonly kind: 'vm';
  /** Disk image; absolute after resolution, as the next two; null: the whole guest is in its initial RAM disk. */
  readonly image: string | null;
  /** Kernel; null: that of the image. */
  readonly kernel: string | null;
  readonly initrd: string | null;
  readonly append: string;
  readonly cpus: number;
  readonly memoryBytes: number;
  readonly cpuModel: string;
  readonly accel: Accel;
  readonly withinS: number;
}

/** Schema of the variant's own part of a record. */
export const recordedKeys = {
  image: z.string().nullable(),
  kernel: z.string().nullable(),
  initrd: z.string().nullable(),
  append: z.string(),
  cpus: z.int().min(1),
  memoryBytes: z.number().min(MIN_BYTES),
  cpuModel: z.string(),
  accel: z.enum(['kvm', 'tcg']),
  withinS: z.number(),
};
