import type { Findings } from './findings.ts';

/** Names of the variants whose processors were emulated: whatever read the meter, their energy is that of the emulation. */
export const emulatedVariants = ({ quality }: Pick<Findings, 'quality'>): readonly string[] =>
  quality.checks.find((check) => check.name === 'emulation')?.facts.variants ?? [];
