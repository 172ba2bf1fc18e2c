/** findings.json, schema `joulediff/findings/1`. SI units; what is undefined is null; differences are variant minus baseline. */

export type * from './findings/beside.ts';
export type * from './findings/comparison.ts';
export type * from './findings/costs.ts';
export type * from './findings/experiment.ts';
export type * from './findings/factorial.ts';
export type * from './findings/numbers.ts';
export type * from './findings/runs.ts';
export type * from './findings/thresholds.ts';
export type * from './findings/variant.ts';
