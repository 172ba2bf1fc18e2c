import * as z from 'zod';
import { count, type Immutable } from './numbers.ts';

/** Settings of the machine, in the order of making them: `smt` is last, because it removes files of other settings with the processors. */
export const SETTINGS = ['timers', 'governor', 'turbo', 'aslr', 'irq', 'smt'] as const;
export type SettingName = (typeof SETTINGS)[number];

const MadeSetting = z.strictObject({ setting: z.enum(SETTINGS), value: z.string(), before: z.string() });
export type MadeSetting = Immutable<z.output<typeof MadeSetting>>;

export const Conditions = z
  .strictObject({
    hostname: z.string(),
    machine: z.string().nullable(),
    cpu: z.string().nullable(),
    cpu_count: count,
    memory_bytes: count,
    kernel: z.string(),
    os: z.string().nullable(),
    governor: z.string().nullable(),
    turbo: z.boolean().nullable(),
    virtualization: z.string().nullable(),
    node: z.string(),
    measured_from: z
      .string()
      .describe('name of the machine that the meter and joulediff were on; absent: the machine that was measured')
      .exactOptional(),
    docker: z
      .strictObject({
        version: z.string().nullable(),
        storage_driver: z.string().nullable(),
        network_driver: z.string().nullable(),
        cgroup: z.string().nullable(),
      })
      .nullable(),
    set: z
      .array(MadeSetting)
      .describe('settings that were changed for the experiment and restored after it; absent: none')
      .exactOptional(),
  })
  .describe('the machine as it was measured');
export type Conditions = Immutable<z.output<typeof Conditions>>;
