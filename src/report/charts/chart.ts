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

/** The parts of chart.js that the charts are made of. */
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
