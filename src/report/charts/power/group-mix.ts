import type { Plugin } from 'chart.js';
import { isGroup } from '../../../findings/explain.ts';
import type { Findings } from '../../../findings/findings.ts';
import { groupText, timeName } from '../../words/explain.ts';
import { fontOf, shortenToWidth } from '../canvas/font.ts';
import { drawText } from '../canvas/pen.ts';
import { SIZE, type Theme } from '../canvas/theme.ts';
import type { PhaseSpan } from './phase-strip.ts';

/** Groups of functions in a stretch of a variant's runs, on the time axis of its power. */
interface MixSpan {
  readonly fromS: number;
  readonly toS: number;
  /** Share of each named group, followed by that of all others; the sum is 1. */
  readonly shares: readonly number[];
}

export interface GroupMix {
  /** Kind of time that the shares divide. */
  readonly time: ReturnType<typeof timeName>;
  /** Names of groups for the legend. */
  readonly groups: readonly string[];
  readonly rows: readonly { readonly label: string; readonly spans: readonly MixSpan[] }[];
}

export interface MixVariant {
  readonly name: string;
  readonly label: string;
  readonly phases: readonly PhaseSpan[];
  readonly durationS: number;
}

/** Maximum groups with their own color; the others share one. */
const MAX_GROUPS = 5;
const NAME = 17;
const ROW = 40;
const LINE = 18;
const SWATCH = 12;

/**
 * Shares of function groups in each phase of observed runs, by time. Groups that differ clearly between variants are named first, since equal ones
 * explain nothing; then the largest. Null: nothing was sampled.
 */
export function groupMix({ explanation }: Findings, variants: readonly MixVariant[]): GroupMix | null {
  const mix = explanation?.mix ?? [];
  const total = new Map<string, number>();
  for (const { groups } of mix)
    for (const { name, seconds } of groups) total.set(name, (total.get(name) ?? 0) + seconds);
  const differ = new Map<string, number>();
  for (const { kind, name, difference } of explanation?.lines ?? []) {
    if (kind === 'group') differ.set(name, Math.max(differ.get(name) ?? 0, Math.abs(difference)));
  }
  const most = [...total].flatMap(([name, seconds]) => (isGroup(name) ? [{ name, seconds }] : []));
  const named = most
    .toSorted((a, b) => (differ.get(b.name) ?? 0) - (differ.get(a.name) ?? 0) || b.seconds - a.seconds)
    .slice(0, MAX_GROUPS)
    .toSorted((a, b) => b.seconds - a.seconds)
    .map(({ name }) => name);
  const rows = variants.flatMap(({ name, label, phases, durationS }) => {
    const isOfWhole = mix.some((one) => one.of === name && one.of_whole_run);
    const reported = phases.length > 0 && !isOfWhole ? phases : [{ phase: null, fromS: 0, toS: durationS }];
    const spans = reported.flatMap(({ phase, fromS, toS }): MixSpan[] => {
      const found = mix.find((one) => one.of === name && one.phase === phase);
      const whole = found?.groups.reduce((sum, { seconds }) => sum + seconds, 0) ?? 0;
      if (found === undefined || whole === 0) return [];
      const shares = named.map((group) => (found.groups.find((one) => one.name === group)?.seconds ?? 0) / whole);
      const rest = Math.max(0, 1 - shares.reduce((sum, share) => sum + share, 0));
      return [{ fromS, toS, shares: [...shares, rest] }];
    });
    return spans.length === 0 ? [] : [{ label, spans }];
  });
  if (explanation === undefined || rows.length === 0) return null;
  return { time: timeName(explanation), groups: [...named.map(groupText), 'all other groups'], rows };
}

/** Caption for the rows; empty if there are none. */
export function mixCaption({ explanation }: Findings): string {
  if (explanation === undefined || explanation.mix.length === 0) return '';
  const time = timeName(explanation);
  if (explanation.mix.some(({ of_whole_run: isWhole }) => isWhole)) {
    return `Below: what the ${time} of observed runs went to, as shares from the bottom up; of whole runs, since nobody told when. `;
  }
  return `Below: what the ${time} of each phase went to, in observed runs, as shares from the bottom up; the phases as they lie in the measured runs. `;
}

/** Positions of the legend's entries, in lines of at most `width` pixels. */
function legendPlaces(groups: readonly string[], width: number): { readonly x: number; readonly line: number }[] {
  let [x, line] = [0, 0];
  return groups.map((group) => {
    const wide = SWATCH + 6 + fontOf('regular').width(group, SIZE.small) + 16;
    if (x > 0 && x + wide > width) [x, line] = [0, line + 1];
    const place = { x, line };
    x += wide;
    return place;
  });
}

/** Height of the rows and the legend below the time axis, pixels, in a picture of this width. */
export function mixRoom({ rows, groups }: GroupMix, width: number): number {
  const lines = 1 + Math.max(...legendPlaces(groups, width - 40).map(({ line }) => line));
  return 10 + rows.length * (NAME + ROW + 4) + lines * LINE + 4;
}

/** One row per variant below the time axis: in each phase, groups stacked from the bottom by their shares. */
export function mixRows({ time, rows, groups }: GroupMix, theme: Theme): Plugin {
  return {
    id: 'group-mix',
    afterDatasetsDraw: ({ ctx, width, chartArea: { left, right }, scales }) => {
      const x = scales.x!;
      const at = (seconds: number): number => Math.min(Math.max(x.getPixelForValue(seconds), left), right);
      // From the color least similar to the background to the most similar.
      const tone = (i: number): string => theme.scale.at(-1 - i) ?? theme.grid;
      let top = x.bottom + 10;
      for (const { label, spans } of rows) {
        const title = shortenToWidth(`${label}: ${time} by group`, right - left, SIZE.small, 'bold');
        drawText(ctx, title, [left, top + NAME / 2], { look: 'bold', color: theme.ink });
        const bottom = top + NAME + ROW;
        for (const { fromS, toS, shares } of spans) {
          const [from, to] = [at(fromS), at(toS)];
          let y = bottom;
          for (const [i, share] of shares.entries()) {
            const high = share * ROW;
            ctx.fillStyle = tone(i);
            ctx.fillRect(from, y - high, Math.max(to - from - 1, 0.5), Math.max(high - 0.5, 0));
            y -= high;
          }
        }
        top = bottom + 4;
      }
      for (const [i, { x: right, line }] of legendPlaces(groups, width - 40).entries()) {
        const [px, py] = [12 + right, top + 6 + line * LINE];
        ctx.fillStyle = tone(i);
        ctx.fillRect(px, py - SWATCH / 2 + 3, SWATCH, SWATCH);
        drawText(ctx, groups[i] ?? '', [px + SWATCH + 6, py + 3], { color: theme.ink });
      }
    },
  };
}

/** Text alternative for the picture: `debian: memory copy 63 %, own code 11 %`. */
export function mixText({ time, rows, groups }: GroupMix): string {
  const reported = rows.map(({ label, spans }) => {
    const whole = spans.reduce((sum, { fromS, toS }) => sum + toS - fromS, 0);
    const shares = groups.map((group, i) => ({
      group,
      share: spans.reduce((sum, { fromS, toS, shares: of }) => sum + ((toS - fromS) / whole) * (of[i] ?? 0), 0),
    }));
    const most = shares.toSorted((a, b) => b.share - a.share).slice(0, 3);
    return `${label}: ${most.map(({ group, share }) => `${group} ${Math.round(100 * share)} %`).join(', ')}`;
  });
  return `Of the ${time} by group, weighted by the length of the phases: ${reported.join('; ')}`;
}
