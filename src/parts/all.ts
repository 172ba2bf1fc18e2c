import { bench } from './bench/bench.ts';
import { explain } from './explain/explain.ts';
import { fleet } from './fleet/fleet.ts';
import type { Part } from './part.ts';

/** The only list of the parts. What they add to report.html is listed in page.ts. */
export const PARTS: readonly Part[] = [fleet, bench, explain];
