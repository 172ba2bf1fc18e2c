import type { Findings } from './findings.ts';

/** Names of the variants whose processors were emulated: their energy is that of the emulation, whatever meter measured it. */
export const emulatedVariants = ({ quality }: Pick<Findings, 'quality'>): readonly string[] =>
  quality.checks.find((check) => check.name === 'emulation')?.facts.variants ?? [];

/** Name of the column or label that marks variants on emulated processors. */
export const EMULATED = 'emulated_processors';

/** Returns a function that says whether any of the given variants ran on emulated processors. */
export function emulationTest(findings: Pick<Findings, 'quality'>): (...variants: readonly string[]) => boolean {
  const emulated = emulatedVariants(findings);
  return (...variants) => variants.some((name) => emulated.includes(name));
}

/** Where the numbers of a channel come from, which may differ from the primary channel's; null: the primary one's. */
export function channelSource(
  meter: Findings['meter'],
  channel: string | null | undefined,
): Findings['meter']['source'] {
  const others = meter.channel_sources ?? {};
  return typeof channel === 'string' && Object.hasOwn(others, channel) ? others[channel]! : meter.source;
}
