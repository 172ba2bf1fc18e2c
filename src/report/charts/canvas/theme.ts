import { STACK } from '#font-source';

/** Colors of the charts. `paper` is for files; `page` follows the report's light and dark style through CSS variables. */
export interface Theme {
  readonly background: string | null;
  readonly ink: string;
  readonly muted: string;
  readonly grid: string;
  readonly warning: string;
  /** Colors for counts, from few to many: from the one most similar to the background to the least similar, in even steps of lightness. */
  readonly scale: readonly string[];
  /** Fill colors from a large decrease to a large increase, in steps of lightness, each with a text color that is readable on it. */
  readonly change: readonly { readonly fill: string; readonly ink: string }[];
  /** True: title, provenance and caption are outside of the picture. */
  readonly bare?: boolean;
  /** Maximum width of the picture, pixels, replacing its own. */
  readonly width?: number;
}

/**
 * Cividis (Nuñez, Anderton and Renslow, PLOS ONE 2018): even steps of lightness, equally readable with and without color
 * vision. The end that is too similar to the background is left out.
 */
const CIVIDIS_DOWN = ['#dcc85f', '#b5a971', '#8f8b78', '#6b6d71', '#434e6c', '#00336f'] as const;
const CIVIDIS_UP = ['#31446b', '#575c6d', '#7d7c78', '#a39b76', '#ccbb68', '#f3da4f'] as const;

const CHANGE_ON_WHITE = ['#d4eafc', '#cfe0ee', '#cbd5de', '#c8c8c8', '#d9b48f', '#d7944f', '#c9701e'].map((fill) => ({
  fill,
  ink: '#1b1b1b',
}));
const CHANGE_ON_BLACK = ['#1d3c57', '#2b4459', '#3a4a58', '#4a4d52', '#7a5c40', '#c08050', '#ff9d66'].map(
  (fill, i) => ({
    fill,
    ink: i < 5 ? '#f0f0f0' : '#14171c',
  }),
);

export const paper: Theme = {
  background: '#ffffff',
  ink: '#1b1b1b',
  muted: '#5c5c5c',
  grid: '#e3e3e3',
  warning: '#b03a00',
  scale: CIVIDIS_DOWN,
  change: CHANGE_ON_WHITE,
};

/** Colors of the page in dark mode, where CSS variables can't be used. */
export const dark: Theme = {
  background: '#14171c',
  ink: '#e6e6e6',
  muted: '#a3a3a3',
  grid: '#3a3f47',
  warning: '#ff9d66',
  scale: CIVIDIS_UP,
  change: CHANGE_ON_BLACK,
};

export const page: Theme = {
  background: null,
  ink: 'var(--ink)',
  muted: 'var(--muted)',
  grid: 'var(--grid)',
  warning: 'var(--warning)',
  scale: CIVIDIS_DOWN.map((_, i) => `var(--scale-${i})`),
  change: CHANGE_ON_WHITE.map((_, i) => ({ fill: `var(--change-${i})`, ink: `var(--change-ink-${i})` })),
};

/**
 * Okabe and Ito, "Color Universal Design" (2008), without yellow, which is invisible on white; in an order in which
 * neighbors also differ in lightness, for gray print. Lines also differ in dashes, points in shapes.
 */
const OKABE_ITO = ['#0072b2', '#e69f00', '#009e73', '#d55e00', '#56b4e9', '#cc79a7'] as const;
const DASHES: readonly (readonly number[])[] = [[], [7, 3], [2, 2], [9, 3, 2, 3]];
const MARKERS = ['circle', 'triangle', 'rect', 'rectRot'] as const;

export interface SeriesStyle {
  readonly color: string;
  readonly dash: readonly number[];
  /** A point style of chart.js. */
  readonly marker: (typeof MARKERS)[number];
}

/** Style of the variant at this index; the first 24 are distinct. */
export function seriesStyle(index: number): SeriesStyle {
  return {
    color: OKABE_ITO[index % OKABE_ITO.length]!,
    dash: DASHES[(index + Math.floor(index / OKABE_ITO.length)) % DASHES.length]!,
    marker: MARKERS[(index + Math.floor(index / OKABE_ITO.length)) % MARKERS.length]!,
  };
}

/** Font family of pictures in files. */
export const FAMILY = 'DejaVu Sans';
/** Sizes in CSS pixels. */
export const SIZE = { title: 15, text: 12, small: 11 } as const;

export function fontCss(sizePx: number, weight: 'regular' | 'bold' = 'regular'): string {
  return `${weight === 'bold' ? 'bold ' : ''}${sizePx}px ${STACK}`;
}
