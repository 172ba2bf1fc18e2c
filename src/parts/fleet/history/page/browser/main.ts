import type { Theme } from '../../../../../report/charts/canvas/theme.ts';
import type { ChartSpec } from '../../../../../report/charts/chart.ts';
import { unpack } from '../../../../../report/data/pack.ts';
import type { Link } from '../../../../../report/document/text.ts';
import { element, keepFocus } from '../../../../../report/page/element.ts';
import { type LiveFigure, liveFigure, unfoldForPrint } from '../../../../../report/page/figure.ts';
import { watchTables } from '../../../../../report/page/overflow.ts';
import { sortTable } from '../../../../../report/page/sort-table.ts';
import type { TrendSeries } from '../../trend.ts';
import { axisNote, trendChart } from '../chart.ts';
import { type Card, ORDERS } from '../overview.ts';
import { type ExperimentRow, rowReader } from '../tables.ts';
import { unitFor, type View } from '../view.ts';
import { addressOf, foundVariants, type Wanted, wantedOf } from './address.ts';
import { historyControls } from './controls.ts';

const ROWS = 100;
const NOTHING = 'Nothing to draw: choose or find another variant.';

/** Leads through all experiments of a place, the latest first, a hundred at a time. */
function experimentTable(details: HTMLDetailsElement, series: TrendSeries): void {
  const body = details.querySelector('tbody');
  const count = series.startedAt.length;
  if (body === null) return;
  details.querySelector('.static')?.remove();
  // The table may become long.
  details.querySelector('table')?.classList.remove('stacked');
  let read: ((at: number) => ExperimentRow) | null = null;
  let first = 0;
  const position = element('span', { 'aria-live': 'polite' });
  const button = (text: string, by: number): HTMLButtonElement => {
    const made = element('button', { type: 'button' }, text);
    made.addEventListener('click', () => show(first + by));
    return made;
  };
  const [later, earlier] = [button('Later', -ROWS), button('Earlier', ROWS)];
  const show = (from: number): void => {
    first = from;
    read ??= rowReader(series);
    const last = Math.min(count, first + ROWS);
    body.replaceChildren(...Array.from({ length: last - first }, (_, i) => rowOf(read!(count - 1 - first - i))));
    later.disabled = first === 0;
    earlier.disabled = last === count;
    keepFocus(later, earlier);
    keepFocus(earlier, later);
    position.textContent = `${first + 1} to ${last} of ${count}`;
  };
  if (count > ROWS) details.append(element('div', { class: 'controls' }, later, earlier, position));
  details.addEventListener('toggle', () => {
    if (details.open && read === null) show(0);
  });
}

function rowOf({ date, commit, values, notes, report }: ExperimentRow): HTMLTableRowElement {
  return element(
    'tr',
    {},
    element('td', {}, date),
    element('td', {}, linkOf(commit)),
    ...values.map((text) => element('td', { class: 'number' }, text)),
    element('td', { class: 'long' }, notes.join('; ')),
    element('td', {}, linkOf(report)),
  );
}

function linkOf(text: Link | string): Node | string {
  return typeof text === 'string' ? text : element('a', { href: text.href, rel: 'noreferrer' }, text.link);
}

/** The program of history.html: what to show, in the address; charts that answer, and every experiment in a table. */
const cards = JSON.parse(document.getElementById('data-history')?.textContent ?? '[]') as Card[];
const figures: LiveFigure[] = [];
let wanted = wantedOf(location.hash);

function viewOf(series: TrendSeries): View {
  const place = [series.experiment, series.machine.hostname, series.meter.type];
  const variants = series.lines.map(({ variant }) => variant);
  const found = foundVariants(wanted.find, place, variants).filter((variant) => !wanted.hidden.has(variant));
  return { variants: new Set(found), latest: wanted.latest, unit: wanted.unit ?? unitFor(series) };
}

/** Makes a series interactive, and only now reads its data. */
function enliven(section: HTMLElement, id: string): void {
  const series = unpack(JSON.parse(document.getElementById(`data-${id}`)?.textContent ?? '""')) as TrendSeries;
  for (const figure of section.querySelectorAll<HTMLElement>('figure')) {
    const drawing = figure.querySelector<HTMLElement>('.drawing');
    const note = figure.querySelector('figcaption span');
    const measure = figure.dataset.measure === 'differences' ? 'differences' : 'energies';
    if (drawing === null) continue;
    const make = (theme: Theme): ChartSpec | null => {
      const view = viewOf(series);
      const { variants, latest, unit } = view;
      // The static drawing ignores the filters. Once it is removed, the filtered chart is printed instead.
      if (variants?.size !== series.lines.length || latest !== null || unit !== unitFor(series)) {
        drawing.querySelector('svg')?.remove();
      }
      const spec = trendChart(`${id}-${measure}`, series, measure, view, theme);
      if (note && spec !== null) note.textContent = axisNote(spec, measure, view);
      return spec;
    };
    figures.push(liveFigure(drawing, make, { runs: new Map(), onRun: () => undefined }, NOTHING));
    drawing.classList.remove('waiting');
  }
  for (const table of section.querySelectorAll<HTMLTableElement>('.lines details table')) sortTable(table);
  const details = section.querySelector<HTMLDetailsElement>('.experiments');
  if (details !== null) experimentTable(details, series);
}

const asleep = new Map<HTMLElement, string>();
function wake(section: HTMLElement): void {
  const id = asleep.get(section);
  if (id === undefined || section.hidden) return;
  asleep.delete(section);
  watcher.unobserve(section);
  enliven(section, id);
}
/** Activates series before they are scrolled into view. */
const watcher = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries) if (isIntersecting) wake(target as HTMLElement);
  },
  { rootMargin: '1500px' },
);
for (const { id } of cards) {
  const section = document.getElementById(id);
  if (section === null) continue;
  asleep.set(section, id);
  // A visible static drawing changes its size when it becomes interactive, so this is done before anybody reads.
  if (section.querySelector('.waiting') === null) wake(section);
  else watcher.observe(section);
}
addEventListener('beforeprint', () => {
  for (const section of asleep.keys()) wake(section);
  // Figures that are made during this event do not receive it.
  for (const { approach } of figures) approach();
});

const pageAt = (view: Wanted): string => addressOf(view) || location.pathname + location.search;

/** Whether the last history entry was made by typing in the search. */
let isTyped = false;

const controlsPlace = document.getElementById('controls');
const controls =
  controlsPlace === null
    ? null
    : historyControls(controlsPlace, cards, (part, how) => {
        const next = { ...wanted, place: null, ...part };
        // Typed letters replace the history entry, except the first one.
        if (how === 'typed' && isTyped) history.replaceState(null, '', pageAt(next));
        else if (addressOf(next) !== addressOf(wanted)) history.pushState(null, '', pageAt(next));
        isTyped = how === 'typed';
        wanted = next;
        show();
      });

const items = new Map(
  [...document.querySelectorAll<HTMLElement>('[data-card]')].map((item) => [item.dataset.card, item]),
);

/** Shows what is wanted. */
function show(): void {
  const shown = cards.filter((card) => isWanted(card));
  for (const card of cards) {
    const isShown = shown.includes(card);
    for (const part of [document.getElementById(card.id), items.get(card.id)]) if (part) part.hidden = !isShown;
  }
  const list = document.querySelector('.places');
  if (list !== null) list.append(...cards.toSorted(ORDERS[wanted.order]).flatMap(({ id }) => items.get(id) ?? []));
  const none = document.getElementById('none');
  if (none !== null) none.hidden = shown.length > 0;
  controls?.show(wanted);
  for (const { redraw } of figures) redraw();
}

function isWanted({ experiment, machine, meter, variants }: Card): boolean {
  return (
    (wanted.experiment === null || wanted.experiment === experiment) &&
    (wanted.machine === null || wanted.machine === machine) &&
    // If there is only one series, its chart shows that nothing is found.
    (cards.length === 1 || foundVariants(wanted.find, [experiment, machine, meter], variants).length > 0)
  );
}

/** Leads to the place that the address names. */
function goTo(id: string): void {
  const section = document.getElementById(id);
  if (section === null || section.hidden) return;
  wake(section);
  section.scrollIntoView({ behavior: 'instant' });
  const heading = section.querySelector('h2');
  heading?.setAttribute('tabindex', '-1');
  heading?.focus({ preventScroll: true });
}

for (const [id, item] of items) {
  item.querySelector('a')?.addEventListener('click', (event) => {
    if (id === undefined || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const next = { ...wanted, place: id };
    isTyped = false;
    if (addressOf(next) !== addressOf(wanted)) history.pushState(null, '', addressOf(next));
    wanted = next;
    goTo(id);
  });
}

// The way back, and an address that was typed.
addEventListener('popstate', () => {
  isTyped = false;
  const next = wantedOf(location.hash);
  // A link to another element, such as the main part, leaves the view and its address as they are.
  if (next.place === null && document.getElementById(location.hash.slice(1)) !== null) {
    history.replaceState(null, '', pageAt(wanted));
    return;
  }
  wanted = next;
  show();
  if (wanted.place !== null) goTo(wanted.place);
});

unfoldForPrint();
show();
if (wanted.place !== null) goTo(wanted.place);
watchTables();
document.documentElement.dataset.ready = 'yes';
