import type { Findings } from './findings.ts';

/** Names of the variants whose processors were emulated: whatever read the meter, their energy is that of the emulation. */
export const emulatedVariants = ({ quality }: Pick<Findings, 'quality'>): readonly string[] =>
  quality.checks.find((check) => check.name === 'emulation')?.facts.variants ?? [];

/** The column or label of what is told of variants, where their processors were emulated. */
export const EMULATED = 'emulated_processors';

/** Tells of any number of variants whether one of them is such a one. */
export function emulationOf(findings: Pick<Findings, 'quality'>): (...variants: readonly string[]) => boolean {
  const emulated = emulatedVariants(findings);
  return (...variants) => variants.some((name) => emulated.includes(name));
}
