import { ASSUMED_MACHINE, smallestVisible } from '../analysis/smallest-visible.ts';
import type { MeterSheet, MeterType } from '../meters/meter.ts';
import { short } from '../text/numbers.ts';
import { accuracyWords, smallestVisibleCell } from './words/smallest-visible.ts';

/** Assumptions for meters that are not connected: default number of blocks, and rest in seconds. */
export const USUAL = { ...ASSUMED_MACHINE, blocks: 30, restS: 20 };
export const USUAL_LENGTHS_S = [10, 30, 120] as const;

/** Table cells of a meter: the smallest visible change at each usual run length. */
export function usualCells({ accuracy, channel, minimumGuardS, modelled }: MeterSheet): string[] {
  if (modelled) return USUAL_LENGTHS_S.map(() => '–');
  return USUAL_LENGTHS_S.map((lengthS) => {
    const guardS = Math.max(3, minimumGuardS);
    const restS = Math.max(USUAL.restS, guardS);
    return smallestVisibleCell(
      smallestVisible({ ...channel, meter: { accuracy } }, { ...USUAL, lengthS, restS, guardS }),
    );
  });
}

/** The tables of docs/reference/meters.md, from the meter types' own data. */
export function meterTables(types: readonly MeterType[]): string {
  const lengths = USUAL_LENGTHS_S.map((lengthS) => `${lengthS} s`);
  return [
    ...table(
      ['meter', 'price', 'accuracy', 'step', 'from', 'readings', ...lengths],
      types.map(({ type, sheet }) => [
        `\`${type}\``,
        sheet.price,
        accuracyWords(sheet.accuracy),
        sheet.channel.resolutionW === undefined ? '–' : `${short(sheet.channel.resolutionW, 2)} W`,
        sheet.smallestLoadW === undefined ? '–' : `${short(sheet.smallestLoadW, 2)} W`,
        rateWords(sheet.channel),
        ...usualCells(sheet),
      ]),
    ),
    '',
    ...table(
      ['meter', 'for example', 'wiring', 'can’t see', 'beware'],
      types.map(({ type, sheet }) => [`\`${type}\``, sheet.product, sheet.wiring, sheet.blind, sheet.risks]),
    ),
  ].join('\n');
}

function rateWords({ integration, samplingPeriodS }: MeterSheet['channel']): string {
  if (integration === 'counter') return 'a counter';
  return samplingPeriodS > 1 ? `every ${short(samplingPeriodS, 2)} s` : `${short(1 / samplingPeriodS, 2)} a second`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
}
