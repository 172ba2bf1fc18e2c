import { type Check, Noise } from '../../findings/checks.ts';
import type { QuietInspection } from '../../store/records.ts';

/** Shorter waits are not reported: a run's clean-up needs that time. Throttling is: it was in the block before. */
const MIN_WAIT_S = 5;

/** Disturbances found before the blocks, and how long the blocks waited; empty if the machine was not checked. */
export function quietCheck(inspections: readonly QuietInspection[]): Check[] {
  if (inspections.length === 0) return [];
  const waits = inspections.map(({ waitedS }) => waitedS).filter((waitedS) => waitedS >= MIN_WAIT_S);
  const disturbed = inspections.filter(({ waitedS, remaining }) => remaining.length > 0 || waitedS >= MIN_WAIT_S);
  const facts = {
    blocks: inspections.length,
    waited: waits.length,
    waited_s: waits.reduce((sum, waitedS) => sum + waitedS, 0),
    longest_s: Math.max(0, ...waits),
    noisy: inspections.filter(({ remaining }) => remaining.length > 0).length,
    found: Noise.options.flatMap((noise) => {
      const blocks = (noise === 'throttling' ? inspections : disturbed).filter(
        ({ found, remaining }) => found.includes(noise) || remaining.includes(noise),
      ).length;
      return blocks === 0 ? [] : [{ noise, blocks }];
    }),
  };
  const name = 'quiet';
  if (facts.noisy > 0) return [{ name, state: 'warn', reason: 'noisy', facts }];
  return [{ name, state: 'ok', reason: facts.waited > 0 || facts.found.length > 0 ? 'waited' : 'quiet', facts }];
}
