import { dark, paper } from '../charts/theme.ts';

const scale = paper.scale.map((colour, i) => `--scale-${i}: light-dark(${colour}, ${dark.scale[i]});`).join('\n  ');

/** The report's only style. `light-dark()` follows the reader's system; print is always light. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --ink: light-dark(#1b1b1b, #e6e6e6);
  --muted: light-dark(#5c5c5c, #a3a3a3);
  --grid: light-dark(#e3e3e3, #3a3f47);
  --warning: light-dark(#b03a00, #ff9d66);
  --page: light-dark(#ffffff, #14171c);
  --panel: light-dark(#f6f7f9, #1d2128);
  --caution: light-dark(#fff1e8, #3a2317);
  ${scale}
}
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.5rem 1rem 4rem; max-width: 62rem; background: var(--page); color: var(--ink);
  font: 16px/1.5 "DejaVu Sans", Verdana, system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; line-height: 1.3; margin: 0.3rem 0 0.6rem; }
h2 { font-size: 1.1rem; margin: 2.2rem 0 0.6rem; }
p { margin: 0.5rem 0; max-width: 46rem; }
.eyebrow, .how, footer { color: var(--muted); font-size: 0.85rem; }
.sentence { font-weight: bold; }
.box { background: var(--panel); border-left: 4px solid var(--warning); padding: 0.6rem 0.9rem; margin: 1rem 0; }
.loud { background: var(--caution); font-weight: bold; color: var(--warning); }
.box ul { margin: 0; padding-left: 1.1rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: 0.85rem; min-width: 100%; }
th, td { text-align: left; padding: 0.35rem 0.7rem; border-bottom: 1px solid var(--grid); vertical-align: top;
  overflow-wrap: break-word; max-width: 26rem; }
th { font-weight: bold; color: var(--muted); }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
code { font: 0.95em "DejaVu Sans Mono", Menlo, Consolas, monospace; }
figure { margin: 1rem 0; overflow-x: auto; }
figure svg { display: block; width: 100%; min-width: 34rem; max-width: 47.5rem; height: auto; }
details { margin: 0.8rem 0; }
summary { cursor: pointer; font-weight: bold; padding: 0.3rem 0; }
@media print {
  :root { color-scheme: light; }
  body { max-width: none; }
  figure { break-inside: avoid; }
}
`;
