import type { ChartConfiguration } from 'chart.js';

/** One picture: what chart.js draws, and what a person who can't see it is told. Sizes in CSS pixels. */
export interface ChartSpec {
  /** Name of its files, and prefix of the ids inside its SVG. */
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly width: number;
  readonly height: number;
  readonly config: ChartConfiguration;
}
