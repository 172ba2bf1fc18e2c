import { bench } from './bench/bench.ts';
import { fleet } from './fleet/fleet.ts';
import type { Part } from './part.ts';

/** The only list of the parts. */
export const PARTS: readonly Part[] = [fleet, bench];
