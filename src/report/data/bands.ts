import type { Analysis } from '../../analysis/results.ts';
import { type PowerBand, powerBand } from '../charts/power/resample.ts';

/** Bands of power by variant, computed from all readings, for a page that has only some of them. NaN is null. */
export type PackedBands = readonly (readonly [variant: string, band: PackedBand])[];

type Drawn = 'medianW' | 'lowW' | 'highW' | 'use';
type PackedBand = Omit<PowerBand, Drawn> & Readonly<Record<Drawn, readonly (number | null)[]>>;

/** An analysis with precomputed bands. */
export interface WithBands extends Analysis {
  readonly bands?: ReadonlyMap<string, PowerBand>;
}

const DIGITS = 6;

/** Band of a variant: the precomputed one, else one computed from its traces. */
export function resolveBand(analysis: WithBands, variant: string): PowerBand | null {
  if (analysis.bands !== undefined) return analysis.bands.get(variant) ?? null;
  const traces = analysis.traces.filter((t) => t.variant === variant);
  return powerBand(traces, analysis.findings.meter.sampling_period_s);
}

export function packBands(analysis: WithBands, variants: readonly string[]): PackedBands {
  const finite = (w: number): number | null => (Number.isFinite(w) ? Number(w.toPrecision(DIGITS)) : null);
  return variants.flatMap((variant) => {
    const band = resolveBand(analysis, variant);
    if (band === null) return [];
    const { tS, medianW, lowW, highW, use } = band;
    return [
      [
        variant,
        {
          ...band,
          tS: tS.map((t) => Number(t.toPrecision(DIGITS))),
          medianW: medianW.map(finite),
          lowW: lowW.map(finite),
          highW: highW.map(finite),
          use: use.map(finite),
        },
      ] as const,
    ];
  });
}

export function unpackBands(packed: PackedBands): Map<string, PowerBand> {
  const numbers = (values: readonly (number | null)[]): number[] => values.map((w) => w ?? Number.NaN);
  return new Map(
    packed.map(([variant, band]) => {
      const { medianW, lowW, highW, use } = band;
      return [
        variant,
        { ...band, medianW: numbers(medianW), lowW: numbers(lowW), highW: numbers(highW), use: numbers(use) },
      ];
    }),
  );
}
