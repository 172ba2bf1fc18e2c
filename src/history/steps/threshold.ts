/** A shorter line has no steps: nothing could be told from its scatter. */
export const LEAST_POINTS = 8;

/**
 * Standard errors that a difference of levels must exceed in a line of n experiments. Found by simulation, so that a line without any step shows one
 * in at most 1 of 100 cases, also where neighbours correlate by 0.5 or up to six experiments in a row share half of their variance, and with the heavy
 * tails of Student's t with 3 degrees of freedom. Independent experiments would allow 4 to 5; short lines know too little of their own
 * correlation. `node __tests__/simulate/steps.ts` prints the rates.
 */
export function threshold(n: number): number {
  if (n < 16) return 11;
  if (n < 48) return 7.5;
  return 6 + 1.25 * Math.log10(n / 48);
}
