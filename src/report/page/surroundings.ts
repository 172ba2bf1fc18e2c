import { dark, paper, type Theme } from '../charts/canvas/theme.ts';

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
