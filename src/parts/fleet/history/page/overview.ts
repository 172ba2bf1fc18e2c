import { htmlText } from '../../../../report/escape.ts';
import { percentWithInterval } from '../../../../text/numbers.ts';
import { plain } from '../../../../text/plain.ts';
import type { TrendLine, TrendSeries } from '../trend.ts';
import {
  currentLines,
  drawnPoints,
  groupSize,
  intervalAt,
  isLookedThrough,
  isUntrusted,
  lineName,
  risePercent,
  valueText,
} from './view.ts';

/** A place as the overview has it: what its card tells, and what it is found and ordered by. */
export interface Card {
  /** The id of the section that this line links to. */
  readonly id: string;
  readonly experiment: string;
  readonly machine: string;
  readonly meter: string;
  readonly experiments: number;
  readonly variants: readonly string[];
  /** Level now against the first one, percent: 0 where there is no step. Of the line where it is the largest. */
  readonly risen: number;
  /** The same of the energy that rose most. */
  readonly energyRisen: number;
  /** Level of that line's difference now, percent; null: it has only energies. */
  readonly difference: number | null;
}

/** Worst first: where the difference rose most, then the energies, then what costs most. */
export function worstFirst(a: Card, b: Card): number {
  return (
    b.risen - a.risen ||
    b.energyRisen - a.energyRisen ||
    (b.difference ?? -Infinity) - (a.difference ?? -Infinity) ||
    byName(a, b)
  );
}

export const byDifference = (a: Card, b: Card): number =>
  (b.difference ?? -Infinity) - (a.difference ?? -Infinity) || byName(a, b);

export function byName(a: Card, b: Card): number {
  const key = ({ experiment, machine, id }: Card): string => `${experiment}\n${machine}\n${id}`;
  return key(a) < key(b) ? -1 : 1;
}

export function cardOf(series: TrendSeries): Card {
  const line = worstLine(series);
  return {
    id: `place-${series.id}`,
    experiment: series.experiment,
    machine: series.machine.hostname,
    meter: series.meter.type,
    experiments: series.startedAt.length,
    variants: series.lines.map(({ variant }) => variant),
    risen: risePercent(line),
    energyRisen: Math.max(...currentLines(series.lines).map(risePercent)),
    difference: line.baseline === null ? null : (line.levels.at(-1)?.value ?? 0),
  };
}

/** The difference that rose most, of those the one that is largest; else the energy that rose most. */
function worstLine(series: TrendSeries): TrendLine {
  const level = (line: TrendLine): number => (line.baseline === null ? 0 : (line.levels.at(-1)?.value ?? 0));
  return comparedLines(series).toSorted((a, b) => risePercent(b) - risePercent(a) || level(b) - level(a))[0]!;
}

/** Its current differences; the energies, where there are none. */
function comparedLines({ differences, lines }: TrendSeries): readonly TrendLine[] {
  const current = currentLines([...differences, ...lines]);
  const compared = current.filter(({ baseline }) => baseline !== null);
  return compared.length > 0 ? compared : current;
}

export const ORDERS = { worst: worstFirst, difference: byDifference, name: byName } as const;
export type Order = keyof typeof ORDERS;

const MAX_NAMED = 3;

/** What came out of all places, in a line: what rose, what fell, or that nothing did. */
export function verdictOf(places: readonly TrendSeries[]): string {
  if (places.length === 0) return 'Nothing has been kept yet';
  if (!places.some((place) => comparedLines(place).some(isLookedThrough)))
    return 'Too few experiments to look for steps';
  const [up, down] = [moved(places, 1), moved(places, -1)];
  const parts = [...(up === '' ? [] : [`Risen: ${up}`]), ...(down === '' ? [] : [`Fallen: ${down}`])];
  if (parts.length > 0) return parts.join('. ');
  const haveEnergies = places.some(({ lines }) =>
    currentLines(lines).some((line) => isLookedThrough(line) && risePercent(line) !== 0),
  );
  return haveEnergies ? 'Energies changed, but no difference between variants did' : 'No lasting change';
}

/** The places where a line rose (`sign` 1) or fell (−1), each with the line that did so most, the most first; empty: none. */
function moved(places: readonly TrendSeries[], sign: 1 | -1): string {
  const names = places
    .flatMap((place) => {
      const own = comparedLines(place).filter(isLookedThrough);
      return own
        .toSorted((a, b) => sign * (risePercent(b) - risePercent(a)))
        .slice(0, 1)
        .map((line) => ({ place, line }));
    })
    .filter(({ line }) => sign * risePercent(line) > 0)
    .toSorted((a, b) => sign * (risePercent(b.line) - risePercent(a.line)))
    .map(({ place, line }) => {
      const which = comparedLines(place).length > 1 ? `, ${lineName(line)}` : '';
      return `${plain(place.experiment, 60)}${which} (${percentWithInterval(risePercent(line), null)}${tagOf(place)})`;
    });
  const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : '';
  return `${names.slice(0, MAX_NAMED).join(', ')}${more}`;
}

const tagOf = ({ meter: { source } }: TrendSeries): string =>
  source === 'measured' ? '' : source === 'modelled' ? ', estimated' : ', emulated';

/** A small picture of every place, worst first, each a link to it. */
export function overviewHtml(places: readonly TrendSeries[]): string {
  const cards = places.map((series) => ({ series, card: cardOf(series) })).sort((a, b) => worstFirst(a.card, b.card));
  return `<section id="overview" aria-labelledby="overview-heading">
<h2 id="overview-heading">Overview</h2>
<p class="note">First comes where the difference has risen most from its first level to the level now, then where the energy has, then what costs most. Each picture has a scale of its own; its long lines are the levels between steps.</p>
<ul class="places">
${cards.map(({ series, card }) => cardHtml(series, card)).join('\n')}
</ul>
<p id="none" class="note" hidden>Nothing matches these filters.</p>
</section>`;
}

function cardHtml(series: TrendSeries, card: Card): string {
  const line = worstLine(series);
  const i = line.at.length - 1;
  const { source } = series.meter;
  const remarks = [
    ...(source === 'measured' ? [] : [source === 'modelled' ? 'a model, not measured' : 'an emulated meter']),
    ...(isUntrusted(series, line.at[i]!) ? ['can’t be trusted'] : []),
  ];
  const direction = card.risen > 0 ? 'up' : card.risen < 0 ? 'down' : '';
  return [
    `<li data-card="${card.id}"><a href="#${card.id}" class="${direction}">`,
    `<b><bdi>${htmlText(plain(series.experiment, 60))}</bdi></b>`,
    `<span>${htmlText(plain(card.machine, 40))}, ${htmlText(plain(card.meter, 30))}</span>`,
    sparkline(series, line),
    `<span>${htmlText(lineName(line))}: ${htmlText(valueText(line, line.values[i]!, intervalAt(line, i)))}</span>`,
    `<strong>${htmlText(changeText(line, card.risen))}</strong>`,
    ...energyText(series, line).map((text) => `<span>${htmlText(text)}</span>`),
    ...remarks.map((remark) => `<em>${remark}</em>`),
    '</a></li>',
  ].join('');
}

function changeText(line: TrendLine, risen: number): string {
  if (!isLookedThrough(line)) return 'too few experiments without failed checks to look for steps';
  return risen === 0 && line.steps.length === 0
    ? `no step${line.baseline === null ? '' : ' in the difference'}`
    : `${percentWithInterval(risen, null)} since the first level`;
}

/** Note on energies: if both sides of a difference rose alike, it has no step although the energy increased. */
function energyText({ lines }: TrendSeries, shown: TrendLine): string[] {
  if (shown.baseline === null) return [];
  const size = (line: TrendLine): number => Math.abs(risePercent(line));
  const stepped = currentLines(lines)
    .filter(({ steps }) => steps.length > 0)
    .toSorted((a, b) => size(b) - size(a));
  const left = stepped.length - MAX_NAMED;
  return [
    ...stepped
      .slice(0, MAX_NAMED)
      .map((line) => `energy of ${lineName(line)}: ${percentWithInterval(risePercent(line), null)}`),
    ...(left > 0 ? [`and ${left} more energies with a step`] : []),
  ];
}

const WIDTH = 160;
const HEIGHT = 44;
const MAX_POINTS = 60;

/** Hidden from screen readers, since the text beside it has its content. */
function sparkline(series: TrendSeries, line: TrendLine): string {
  const size = groupSize(series.startedAt.length, MAX_POINTS);
  const points = drawnPoints(series, line, 0, size, 'joules');
  const values = points.map(({ y }) => y);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const last = Math.max(1, series.startedAt.length - 1);
  const x = (at: number): string => ((at / last) * (WIDTH - 6) + 3).toFixed(1);
  const y = (value: number): string => (HEIGHT - 4 - ((value - low) / (high - low || 1)) * (HEIGHT - 8)).toFixed(1);
  const path = points.map((point, i) => `${i === 0 ? 'M' : 'L'}${x(point.x)} ${y(point.y)}`).join('');
  const levels = isLookedThrough(line)
    ? line.levels.map((level) => `M${x(level.from)} ${y(clamp(level.value, low, high))}H${x(level.to)}`).join('')
    : '';
  const end = points.at(-1)!;
  return `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" aria-hidden="true"><path class="line" d="${path}"/><path class="level" d="${levels}"/><circle cx="${x(end.x)}" cy="${y(end.y)}" r="2.5"/></svg>`;
}

const clamp = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value));

export const OVERVIEW_STYLE = `
.places { list-style: none; margin: 1rem 0; padding: 0; display: grid; grid-template-columns: repeat(auto-fill, minmax(14.5rem, 1fr)); gap: 0.7rem; }
.places a { display: flex; flex-direction: column; height: 100%; color: inherit; text-decoration: none; background: var(--panel); border-radius: 6px;
  border-top: 3px solid var(--grid); padding: 0.55rem 0.8rem 0.65rem; font-size: 0.8rem; line-height: 1.4; }
.places a:hover b { text-decoration: underline; }
.places b { font-size: 1rem; }
.places span { color: var(--muted); }
.places strong { font-weight: 600; }
.places em { color: var(--warning); font-style: normal; font-weight: 600; }
.places .up { border-color: var(--more); }
.places .up strong { color: var(--more); }
.places .down { border-color: var(--less); }
.places .down strong { color: var(--less); }
.places svg { width: 100%; height: auto; margin: 0.4rem 0; }
.places path { fill: none; }
.places .line { stroke: var(--muted); stroke-width: 1; stroke-linejoin: round; }
.places .level { stroke: var(--link); stroke-width: 2.5; }
.places circle { fill: var(--ink); }
@media print { .places li { break-inside: avoid; } }
`;
