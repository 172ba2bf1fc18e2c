import { dark, paper, type Theme } from '../charts/canvas/theme.ts';
import type { ChartSpec } from '../charts/chart.ts';
import { element } from './element.ts';
import { drawPlot, type PlotHost } from './plot.ts';

const WIDEST = 1000;
const NARROWEST = 280;
/** Distance from the viewport at which a chart is drawn. */
const AHEAD = '800px';

export interface LiveFigure {
  /** Draws the chart again, because its data have changed. */
  redraw(): void;
  /** Draws the chart, however far from the viewport it is. */
  approach(): void;
}

/**
 * Draws a chart in `place` when the reader scrolls near, with the available width and the current color scheme. Its height is reserved once the
 * browser is idle, so that nothing moves when it is drawn. `empty`: text if nothing is left to draw; absent: the static drawing stays.
 */
export function liveFigure(
  place: HTMLElement,
  make: (theme: Theme) => ChartSpec | null,
  host: PlotHost,
  empty?: string,
): LiveFigure {
  let remove: (() => void) | null = null;
  let near = false;
  let begun = false;
  let width = 0;
  const nothing = element('p', { class: 'note' }, empty ?? '');
  nothing.hidden = true;
  place.append(nothing);

  const draw = (spec: ChartSpec): void => {
    const focused = place.contains(document.activeElement);
    // The new chart takes the focus before the old one is removed.
    const old = remove;
    remove = drawPlot(place, spec, themeNow(spec.width), host);
    if (focused) [...place.querySelectorAll('canvas')].at(-1)?.focus({ preventScroll: true });
    old?.();
  };
  const redraw = (): void => {
    begun = true;
    width = place.clientWidth;
    if (width === 0) return;
    const spec = make(themeNow(Math.min(Math.max(width, NARROWEST), WIDEST)));
    const isEmpty = spec === null && empty !== undefined;
    nothing.hidden = !isEmpty;
    if (spec !== null) {
      place.style.height = `${spec.height}px`;
      place.classList.add('reserved');
      if (near) draw(spec);
    } else {
      if (!isEmpty) place.style.height = '';
      remove?.();
      remove = null;
    }
    place.classList.toggle('live', isEmpty || remove !== null);
  };
  const approach = (): void => {
    near = true;
    redraw();
  };
  whenIdle(() => {
    if (!begun) redraw();
  });
  new ResizeObserver(() => {
    if (begun && place.clientWidth !== width) requestAnimationFrame(redraw);
  }).observe(place);
  new IntersectionObserver(
    (entries, observer) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      observer.disconnect();
      approach();
    },
    { rootMargin: AHEAD },
  ).observe(place);
  onColors(redraw);
  // All charts are drawn before printing, since some have no static drawing.
  addEventListener('beforeprint', () => {
    if (remove === null) approach();
  });
  return { redraw, approach };
}

/** Calls `act` when the browser is idle, or soon if it does not report idle times. */
export const whenIdle = (act: () => void): unknown =>
  'requestIdleCallback' in globalThis ? requestIdleCallback(act) : setTimeout(act, 200);

const darkness = matchMedia('(prefers-color-scheme: dark)');
const printing = matchMedia('print');

/** Theme for a chart of this width in the current color scheme; print is always light. */
export function themeNow(widthPx: number): Theme {
  const theme = darkness.matches && !printing.matches ? dark : paper;
  return { ...theme, bare: true, width: Math.round(widthPx) };
}

/** Calls back when the color scheme changes, and before and after printing. */
export function onColors(redraw: () => void): void {
  darkness.addEventListener('change', redraw);
  printing.addEventListener('change', redraw);
}

/** Opens folded parts for printing. */
export function unfoldForPrint(): void {
  let folded: HTMLDetailsElement[] = [];
  printing.addEventListener('change', ({ matches }) => {
    if (matches) folded = [...document.querySelectorAll<HTMLDetailsElement>('details:not([open])')];
    for (const part of folded) part.open = matches;
  });
}
