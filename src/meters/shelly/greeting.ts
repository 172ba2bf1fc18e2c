import * as z from 'zod';
import type { ChannelInfo, MeterInfo } from '../../contracts/reading.ts';
import type { PolledReading } from '../polled-meter.ts';

/** `GET /shelly`, which never needs a password. The first generation doesn't tell its number. */
export const Greeting = z.object({
  gen: z.number().optional(),
  id: z.string().optional(),
  type: z.string().optional(),
  mac: z.string().optional(),
  model: z.string().optional(),
  ver: z.string().optional(),
  fw: z.string().optional(),
  auth_en: z.boolean().optional(),
  auth: z.boolean().optional(),
  emulated: z.boolean().optional(),
});
export type Greeting = z.output<typeof Greeting>;

/** One outlet, whatever the device's generation. */
export interface Outlet {
  readonly identity: MeterInfo['identity'];
  readonly resolutionW: number;
  readonly quantities?: ChannelInfo['quantities'];
  readonly remarks: readonly string[];
  /** Throws HttpFault. */
  read(): Promise<PolledReading>;
}

export const UNLOCKED =
  'Anybody on the network can switch this outlet off, and the machine with it: give the Shelly a password.';
