import { bench } from './bench/bench.ts';
import { explain } from './explain/explain.ts';
import { fleet } from './fleet/fleet.ts';
import type { Part } from './part.ts';

/** All optional parts. Their additions to report.html are listed in page.ts. */
export const PARTS: readonly Part[] = [fleet, bench, explain];
