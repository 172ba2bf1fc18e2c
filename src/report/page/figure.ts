import type { Theme } from '../charts/canvas/theme.ts';
import type { ChartSpec } from '../charts/chart.ts';
import { drawPlot, type PlotHost } from './plot.ts';
import { onColours, themeNow } from './surroundings.ts';

const WIDEST = 1000;
const NARROWEST = 280;
/** Pixels ahead of the reader that a chart is drawn. */
const AHEAD = '800px';

export interface LiveFigure {
  /** Draws it anew: what it is made from has changed. */
  redraw(): void;
}

/** Keeps a chart drawn in `place` as wide as there is room and in the colours of the hour, from when the reader comes near. */
export function liveFigure(place: HTMLElement, make: (theme: Theme) => ChartSpec | null, host: PlotHost): LiveFigure {
  let remove: (() => void) | null = null;
  let near = false;
  let width = 0;

  const redraw = (): void => {
    if (!near) return;
    width = place.clientWidth;
    if (width === 0) return;
    const spec = make(themeNow(Math.min(Math.max(width, NARROWEST), WIDEST)));
    remove?.();
    remove = spec === null ? null : drawPlot(place, spec, themeNow(spec.width), host);
    place.classList.toggle('live', spec !== null);
  };
  const draw = (): void => {
    near = true;
    redraw();
  };
  new ResizeObserver(() => {
    if (remove !== null && place.clientWidth !== width) requestAnimationFrame(redraw);
  }).observe(place);
  new IntersectionObserver(
    (entries, observer) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      observer.disconnect();
      draw();
    },
    { rootMargin: AHEAD },
  ).observe(place);
  onColours(redraw);
  // A page is printed whole, and a chart without a drawing of its own would be missing.
  addEventListener('beforeprint', () => {
    if (remove === null) draw();
  });
  return { redraw };
}
