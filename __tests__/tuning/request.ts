import { SETTINGS } from '../../src/findings/conditions.ts';
import type { TuningRequest } from '../../src/tuning/tuning.ts';

/** Every setting, for a workload on the second core of a machine with two. */
export const REQUEST: TuningRequest = { names: SETTINGS, pinned: { workload: [1], all: [1] } };
