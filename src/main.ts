import { run as action } from './action/run.ts';
import { PARTS } from './parts/all.ts';

export const run = (): Promise<void> => action(PARTS);
