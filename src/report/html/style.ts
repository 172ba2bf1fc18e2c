import { dark, paper } from '../charts/canvas/theme.ts';

const both = (light: string, night: string): string => `light-dark(${light}, ${night})`;
const scale = paper.scale.map((color, i) => `--scale-${i}: ${both(color, dark.scale[i]!)};`).join('\n  ');
const change = paper.change
  .map(
    ({ fill, ink }, i) =>
      `--change-${i}: ${both(fill, dark.change[i]!.fill)}; --change-ink-${i}: ${both(ink, dark.change[i]!.ink)};`,
  )
  .join('\n  ');

const colors = `
:root {
  color-scheme: light dark;
  --ink: ${both(paper.ink, dark.ink)};
  --muted: ${both(paper.muted, dark.muted)};
  --grid: ${both(paper.grid, dark.grid)};
  --warning: ${both(paper.warning, dark.warning)};
  --page: ${both(paper.background!, dark.background!)};
  --panel: light-dark(#f5f6f8, #1d2128);
  --caution: light-dark(#fff1e8, #3a2317);
  --link: light-dark(#0b5cad, #7cb7ff);
  --more: light-dark(#b03a00, #ff9d66);
  --less: light-dark(#00704d, #4fc79b);
  --same: light-dark(#3c5a78, #9db8d4);
  ${scale}
  ${change}
}`;

const text = `
* { box-sizing: border-box; }
[hidden] { display: none !important; }
html { scroll-padding-top: 1rem; }
body { margin: 0 auto; padding: 1.5rem 1.25rem 4rem; max-width: 62rem; background: var(--page); color: var(--ink);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", Verdana, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: clamp(1.3rem, 1.05rem + 1.2vw, 1.7rem); line-height: 1.25; margin: 0.2rem 0 0.6rem; }
h1 code, dt code { font: inherit; }
h2 { font-size: 1.2rem; line-height: 1.3; margin: 0 0 0.6rem; }
h3 { font-size: 1rem; margin: 1.2rem 0 0.4rem; }
p { margin: 0.5rem 0; }
a { color: var(--link); }
section { margin-top: 2.6rem; scroll-margin-top: 1rem; }
header section { margin-top: 1.4rem; }
.eyebrow, .how, .note, footer, figcaption { color: var(--muted); font-size: 0.85rem; }
.eyebrow { margin: 0; }
.hidden { position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; left: -100vw; padding: 0.5rem 0.9rem; background: var(--page); z-index: 1; }
.skip:focus { left: 0.5rem; top: 0.5rem; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: 3px; }
#main:focus-visible { outline: none; }
code { font: 0.95em ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; }
footer { margin-top: 3rem; border-top: 1px solid var(--grid); padding-top: 0.6rem; }`;

const parts = `
.box { background: var(--panel); border-left: 4px solid var(--warning); padding: 0.6rem 0.9rem; margin: 1rem 0; }
.loud { background: var(--caution); font-weight: 600; color: var(--warning); }
.box ul { margin: 0; padding-left: 1.1rem; }
nav { display: flex; flex-wrap: wrap; gap: 0.4rem 2.2rem; margin-top: 1.4rem; border-block: 1px solid var(--grid);
  padding: 0.6rem 0; font-size: 0.85rem; }
nav p { font-weight: 600; color: var(--muted); margin: 0; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav li { break-inside: avoid; }
nav ul:has(li:nth-child(6)) { columns: 2; column-gap: 1.6rem; }
nav a { display: inline-block; padding: 0.25rem 0; text-decoration: none; }
nav a:hover { text-decoration: underline; }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(9.2rem, 1fr)); gap: 0.7rem; margin: 1.2rem 0; }
.cards div { background: var(--panel); border-radius: 6px; border-top: 3px solid var(--grid); padding: 0.55rem 0.8rem 0.65rem; }
.cards dt { font-size: 0.8rem; color: var(--muted); overflow: hidden; text-overflow: ellipsis; }
.cards dd { margin: 0; font-size: 0.8rem; line-height: 1.35; color: var(--muted); }
.cards b { display: block; font-size: 1.3rem; line-height: 1.35; color: var(--ink); font-variant-numeric: tabular-nums; }
.increase { --verdict: var(--more); }
.decrease { --verdict: var(--less); }
.equivalent, .changed-within-margin { --verdict: var(--same); }
.inconclusive, .untrusted, .failed, .unmeasured-increase, .unmeasured-decrease { --verdict: var(--muted); }
.cards div[class] { border-color: var(--verdict); }
.cards div[class] b, .mark { color: var(--verdict); }
.interval { display: block; overflow: visible; }
.interval .margin { fill: var(--grid); opacity: 0.6; }
.interval .zero { stroke: var(--muted); stroke-width: 1; fill: none; }
.interval g path { stroke: var(--verdict); stroke-width: 2.5; fill: none; }
.interval g circle { fill: var(--verdict); }
.interval text { font-size: 11px; fill: var(--muted); font-weight: normal; }
td.plotted { padding-block: 0.3rem; }`;

const tables = `
.scroll { overflow-x: auto; position: relative; margin: 0.6rem 0; }
.scroll:focus-visible, .plot:focus-visible { outline-offset: -3px; }
/* What goes on beyond an edge fades there. */
.more-left { --left: 2.5rem; }
.more-right { --right: 3.5rem; }
.more-left:not(:focus-visible), .more-right:not(:focus-visible) { mask-image: linear-gradient(to right, transparent,
  black var(--left, 0px), black calc(100% - var(--right, 0px)), transparent); }
table { border-collapse: collapse; font-size: 0.85rem; min-width: 100%; }
th, td { text-align: left; padding: 0.35rem 0.6rem; border-bottom: 1px solid var(--grid); vertical-align: top;
  overflow-wrap: normal; }
td, .whole { white-space: nowrap; }
.stacked td { white-space: normal; text-wrap: balance; }
#conditions code { font: inherit; }
.long { white-space: normal; min-width: 12rem; max-width: 40rem; overflow-wrap: anywhere; }
th { font-weight: 600; color: var(--muted); vertical-align: bottom; }
tbody tr:hover { background: var(--panel); }
.sort { border: 0; padding: 0; margin: 0; min-height: 0; background: none; color: inherit; font: inherit; text-align: inherit; cursor: pointer; }
th[aria-sort="ascending"] .sort::after { content: " ↑"; }
th[aria-sort="descending"] .sort::after { content: " ↓"; }
.attention td:nth-child(2) { color: var(--warning); font-weight: 600; }
.number { text-align: right; font-variant-numeric: tabular-nums; }
details { margin: 0.8rem 0; }
summary { cursor: pointer; padding: 0.3rem 0; }
button, select, input { font: inherit; font-size: 0.9rem; color: inherit; background: var(--panel); border: 1px solid var(--muted);
  border-radius: 5px; padding: 0.4rem 0.7rem; min-height: 2.4rem; max-width: 100%; }
button { cursor: pointer; }
button:hover:enabled, select:hover { border-color: var(--ink); }
input { cursor: text; min-width: 0; }
button:disabled { opacity: 0.5; cursor: default; }
.controls { display: flex; flex-wrap: wrap; align-items: center; gap: 0.5rem 0.6rem; font-size: 0.9rem; margin: 0.6rem 0; }
.facts { display: flex; flex-wrap: wrap; gap: 0.2rem 1.6rem; margin: 0.8rem 0; font-size: 0.85rem; }
.facts dt { color: var(--muted); }
.facts dd { margin: 0; font-weight: 600; font-variant-numeric: tabular-nums; }
.files { list-style: none; margin: 0.8rem 0; padding: 0; }
.files li { display: flex; flex-wrap: wrap; align-items: center; gap: 0.3rem 0.8rem; margin: 0.4rem 0; }
.files span { color: var(--muted); font-size: 0.85rem; flex: 1 1 18rem; }
.files button { min-width: 11.5rem; text-align: left; }`;

// An interactive drawing hides the static one, which is used for printing.
const drawings = `
figure { margin: 0.6rem 0 0; }
figcaption { margin-top: 0.3rem; }
figcaption strong { color: var(--warning); }
.drawing { overflow-x: auto; position: relative; }
.drawing > svg { display: block; width: 100%; min-width: 34rem; height: auto; }
/* As high as the chart will be that takes its place. */
.drawing.reserved { overflow: hidden; }
.drawing.reserved > svg { height: 100%; min-width: 0; }
.drawing.live > svg, .drawing.live > .static { display: none; }
.drawing.live { overflow: visible; }
.plot { overflow-x: auto; }
.plot.flame { max-height: min(60rem, 80vh); overflow-y: auto; }
canvas { display: block; }
canvas:focus-visible { outline-offset: -3px; }`;

const occasions = `
@media (max-width: 72rem) { .stacked .plotted { display: none; } }
@media (max-width: 40rem) {
  body { padding-inline: 0.9rem; }
  .cards { grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 0.5rem; }
  .cards b { font-size: 1.15rem; }
  th, td { padding-inline: 0.4rem; }
  .long { min-width: 9.5rem; }
  .pairs td { white-space: normal; overflow-wrap: anywhere; }
  .pairs td:first-child { overflow-wrap: break-word; max-width: 45vw; }
  nav { display: block; }
  nav p { margin-top: 0.5rem; }
  nav ul, nav ul:has(li:nth-child(6)) { display: flex; flex-wrap: wrap; gap: 0 1.1rem; columns: auto; }
  .stacked, .stacked tbody, .stacked tr { display: block; }
  .stacked thead { display: none; }
  .stacked tr { padding: 0.5rem 0; border-bottom: 1px solid var(--grid); }
  .stacked td { display: flow-root; border: 0; padding: 0.1rem 0 0.1rem 8.6rem; white-space: normal; text-align: left;
    overflow-wrap: anywhere; max-width: none; }
  .stacked td:empty { display: none; }
  .stacked td::before { content: attr(data-head); float: left; margin-left: -8.6rem; width: 8rem; color: var(--muted); font-weight: normal; }
}
@media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } }
@media print {
  :root { color-scheme: light; }
  body { max-width: none; padding: 0; font-size: 11pt; }
  nav, .skip, .screen, .controls, .files, .flame-words { display: none; }
  .drawing, .drawing.reserved > svg { height: auto !important; }
  .drawing.live > svg { display: block; min-width: 0; }
  .more-left, .more-right { mask-image: none; }
  .drawing.live > svg ~ .plot { display: none; }
  details::details-content { content-visibility: visible; block-size: auto; }
  summary { list-style: none; }
  .scroll, .drawing { overflow: visible; }
  figure, .cards div, tr, h2, .box p, .box li { break-inside: avoid; }
  section > :not(figure):has(~ figure) { break-inside: avoid; break-after: avoid; }
  h2, h3, summary { break-after: avoid; }
  table { font-size: 7.5pt; }
  th, td { padding: 0.2rem 0.4rem; white-space: normal; }
  .long { min-width: 0; }
}
@page { margin: 14mm; }
`;

/** The report's only style. `light-dark()` follows the reader's system; print is always light. */
export const STYLE = [colors, text, parts, tables, drawings, occasions].join('\n');
