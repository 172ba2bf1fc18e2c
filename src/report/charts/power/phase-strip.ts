import type { Plugin } from 'chart.js';
import type { RunResult } from '../../../analysis/results.ts';
import { median } from '../../../stats/quantiles.ts';
import { plain } from '../../../text/plain.ts';
import { fontOf, shortenToWidth } from '../canvas/font.ts';
import { drawLines, drawText } from '../canvas/pen.ts';
import { SIZE, type Theme } from '../canvas/theme.ts';

/** A phase of a variant's runs: medians of its beginnings and ends, seconds since the start of the run. */
export interface PhaseSpan {
  readonly phase: string;
  readonly fromS: number;
  readonly toS: number;
}

/** Height of the strip above the plot, pixels. */
export const STRIP_ROOM = 22;
const STRIP = 16;
/** Maximum phases in the strip; more would be unreadable. */
const MAX = 40;

/** Phases that at least half of these runs have, each occurrence by itself, in order of beginning. */
export function phaseSpans(runs: readonly RunResult[]): PhaseSpan[] {
  const timesByPhase = new Map<string, { phase: string; from: number[]; to: number[] }>();
  for (const { phases = [] } of runs) {
    const times = new Map<string, number>();
    for (const { phase, startS, endS } of phases) {
      const time = times.get(phase) ?? 0;
      times.set(phase, time + 1);
      const key = `${time} ${phase}`;
      const span = timesByPhase.get(key) ?? { phase, from: [], to: [] };
      timesByPhase.set(key, span);
      span.from.push(startS);
      span.to.push(endS);
    }
  }
  const spans = [...timesByPhase.values()]
    .filter(({ from }) => 2 * from.length >= runs.length)
    .map(({ phase, from, to }) => ({ phase, fromS: median(from), toS: median(to) }))
    .sort((a, b) => a.fromS - b.fromS || a.toS - b.toS);
  return spans.length > MAX ? [] : spans;
}

/** Strip of phases above the plot, with names if they fit, and dotted lines through the plot at the beginnings. */
export function phaseStrip(spans: readonly PhaseSpan[], theme: Theme): Plugin {
  return {
    id: 'phase-strip',
    beforeDatasetsDraw: ({ ctx, chartArea: { top, bottom, left, right }, scales }) => {
      const at = (seconds: number): number => Math.min(Math.max(scales.x!.getPixelForValue(seconds), left), right);
      ctx.save();
      ctx.fillStyle = theme.muted;
      for (const [i, { phase, fromS, toS }] of spans.entries()) {
        const [from, to] = [at(fromS), at(toS)];
        if (to - from < 1) continue;
        ctx.globalAlpha = i % 2 === 0 ? 0.22 : 0.12;
        ctx.fillRect(from, top - STRIP - 2, to - from, STRIP);
        ctx.globalAlpha = 1;
        const begin = [[from, top - STRIP - 2] as const, [from, bottom] as const];
        drawLines(ctx, [begin], { color: theme.muted, width: 0.9, dash: [1.5, 3] });
        const text = shortenToWidth(plain(phase, 60), to - from - 6, SIZE.small, 'regular');
        if (fontOf('regular').width(text, SIZE.small) > to - from - 4 || text === '…') continue;
        drawText(ctx, text, [(from + to) / 2, top - STRIP / 2 - 2], { color: theme.ink, align: 'center' });
      }
      ctx.restore();
    },
  };
}
