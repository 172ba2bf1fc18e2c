/** findings.json, schema `joulediff/findings/1`. SI units; what is undefined is null; differences are variant minus baseline. */

export type * from './beside.ts';
export type * from './comparison.ts';
export type * from './costs.ts';
export type * from './experiment.ts';
export type * from './factorial.ts';
export type * from './numbers.ts';
export type * from './thresholds.ts';
export type * from './variant.ts';
