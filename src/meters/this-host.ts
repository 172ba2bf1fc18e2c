import { SYSTEM_CLOCK } from '../system/clock.ts';
import type { MeterHost } from './meter.ts';
import { SerialLine } from './serial/line.ts';

export const THIS_HOST: MeterHost = { clock: SYSTEM_CLOCK, openLine: SerialLine.open };
