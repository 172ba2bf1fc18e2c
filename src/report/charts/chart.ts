import {
  BarController,
  BarElement,
  CategoryScale,
  Chart,
  type ChartConfiguration,
  Filler,
  LinearScale,
  LineController,
  LineElement,
  PointElement,
  ScatterController,
} from 'chart.js';

/** A chart: its chart.js configuration, and a text for people who can't see it. Sizes in CSS pixels. */
export interface ChartSpec {
  /** Base name of its files, and prefix of the ids inside its SVG. */
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly width: number;
  readonly height: number;
  readonly config: ChartConfiguration;
}

/** Registers the parts of chart.js that the charts use. */
export function registerParts(): void {
  Chart.register(
    BarController,
    BarElement,
    CategoryScale,
    Filler,
    LinearScale,
    LineController,
    LineElement,
    PointElement,
    ScatterController,
  );
}
