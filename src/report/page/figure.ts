import { dark, paper, type Theme } from '../charts/canvas/theme.ts';
import type { ChartSpec } from '../charts/chart.ts';
import { element } from './element.ts';
import { drawPlot, type PlotHost } from './plot.ts';

const WIDEST = 1000;
const NARROWEST = 280;
/** Pixels ahead of the reader that a chart is drawn. */
const AHEAD = '800px';

export interface LiveFigure {
  /** Draws it anew: what it is made from has changed. */
  redraw(): void;
}

/**
 * Keeps a chart drawn in `place` as wide as there is room and in the colours of the hour, from when the reader comes near. Its height is kept free as soon
 * as the browser has nothing else to do, so that nothing below it moves when it is drawn. `empty`: what is said where nothing is left to draw; without, the drawing stays that needs no program.
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
    // The new one takes the focus before the old one goes.
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
  onColours(redraw);
  // A page is printed whole, and a chart without a drawing of its own would be missing.
  addEventListener('beforeprint', () => {
    if (remove === null) approach();
  });
  return { redraw };
}

/** Not every browser says when it is idle. */
export const whenIdle = (act: () => void): unknown =>
  'requestIdleCallback' in globalThis ? requestIdleCallback(act) : setTimeout(act, 200);

const darkness = matchMedia('(prefers-color-scheme: dark)');
const printing = matchMedia('print');

/** Colours for a chart as wide as this, in the reader's light; print is always light. */
export function themeNow(widthPx: number): Theme {
  const theme = darkness.matches && !printing.matches ? dark : paper;
  return { ...theme, bare: true, width: Math.round(widthPx) };
}

/** Calls back when the colours have to change: at dusk, and before and after printing. */
export function onColours(redraw: () => void): void {
  darkness.addEventListener('change', redraw);
  printing.addEventListener('change', redraw);
}

/** Folded parts are no use on paper. */
export function unfoldForPrint(): void {
  let folded: HTMLDetailsElement[] = [];
  printing.addEventListener('change', ({ matches }) => {
    if (matches) folded = [...document.querySelectorAll<HTMLDetailsElement>('details:not([open])')];
    for (const part of folded) part.open = matches;
  });
}
