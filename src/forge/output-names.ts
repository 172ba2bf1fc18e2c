/** The outputs of the action, as action.yml declares them. */
export const OUTPUT_NAMES = [
  'verdict',
  'delta-percent',
  'delta-joules',
  'ci-low',
  'ci-high',
  'p-value',
  'cliffs-delta',
  'hedges-g',
  'noise-floor-percent',
  'threshold-crossed',
  'report-path',
  'database-path',
  'comment-url',
  'artifact-url',
  'report-url',
] as const;

export type OutputName = (typeof OUTPUT_NAMES)[number];
