/** Colours of the charts. `paper` is for files; `page` follows the report's light and dark style through CSS variables. */
export interface Theme {
  readonly background: string | null;
  readonly ink: string;
  readonly muted: string;
  readonly grid: string;
  readonly warning: string;
}

export const paper: Theme = {
  background: '#ffffff',
  ink: '#1b1b1b',
  muted: '#5c5c5c',
  grid: '#e3e3e3',
  warning: '#b03a00',
};

export const page: Theme = {
  background: null,
  ink: 'var(--ink)',
  muted: 'var(--muted)',
  grid: 'var(--grid)',
  warning: 'var(--warning)',
};

/**
 * Okabe and Ito, "Color Universal Design" (2008), without its yellow, which white paper swallows; in an order in which
 * neighbours differ in lightness too, so that they survive grey print. Lines differ in their dashes besides.
 */
const OKABE_ITO = ['#0072b2', '#e69f00', '#009e73', '#d55e00', '#56b4e9', '#cc79a7'] as const;
const DASHES: readonly (readonly number[])[] = [[], [7, 3], [2, 2], [9, 3, 2, 3]];

export interface SeriesStyle {
  readonly colour: string;
  readonly dash: readonly number[];
}

/** The style of the variant at this place; 24 differ. */
export function seriesStyle(index: number): SeriesStyle {
  return {
    colour: OKABE_ITO[index % OKABE_ITO.length]!,
    dash: DASHES[(index + Math.floor(index / OKABE_ITO.length)) % DASHES.length]!,
  };
}

export const FAMILY = 'DejaVu Sans';
/** Sizes in CSS pixels. */
export const SIZE = { title: 15, text: 12, small: 11 } as const;

export function fontCss(sizePx: number, weight: 'regular' | 'bold' = 'regular'): string {
  return `${weight === 'bold' ? 'bold ' : ''}${sizePx}px "${FAMILY}", Verdana, sans-serif`;
}
