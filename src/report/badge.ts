import { interval95 } from '../analysis/comparison/percent.ts';
import type { Findings } from '../findings/findings.ts';
import type { Interval } from '../findings/numbers.ts';
import { percentWithInterval } from '../text/numbers.ts';
import { plain } from '../text/plain.ts';
import { fontOf } from './charts/canvas/font.ts';
import { escapeXml } from './escape.ts';
import { getStanding, type Standing } from './verdict.ts';
import { verdictWord } from './words/change.ts';

/** Facts shown by a badge, from one comparison. */
export interface BadgeFacts {
  readonly variant: string;
  readonly percent: number | null;
  readonly ci95: Interval | null;
  readonly verdict: Standing;
  readonly source: Findings['meter']['source'];
  readonly complete: boolean;
}

export interface Badge {
  readonly label: string;
  readonly message: string;
  /** Background color of the message, `#rrggbb`; white text on it has a contrast of at least 4.5. */
  readonly color: string;
  readonly isError: boolean;
}

/** Vermilion, blue and green by Okabe and Ito, darkened for white text; the words carry the same information without color. */
const COLORS: Readonly<Partial<Record<Standing, string>>> = {
  increase: '#b03a00',
  decrease: '#0063a0',
  'changed-within-margin': '#00684c',
  equivalent: '#00684c',
};
const GRAY = '#5c5c5c';

const SOURCES: Readonly<Record<BadgeFacts['source'], string | null>> = {
  measured: null,
  modelled: 'estimated, not measured',
  emulated: 'emulated meter',
  unknown: 'source unknown',
};

/** The first comparison on the primary channel; null: there is none. */
export function badgeFacts(findings: Findings): BadgeFacts | null {
  const first = findings.comparisons.find(({ channel }) => channel === findings.meter.channels[0]);
  if (first === undefined) return null;
  const { variant, percent } = first;
  const { complete } = findings.experiment;
  return {
    variant,
    percent: percent.estimate,
    ci95: interval95(percent),
    verdict: getStanding({ findings, comparison: first }),
    source: findings.meter.source,
    complete,
  };
}

/** Badge text such as `container energy | +3.1 % (+2.6 to +3.7)`; it also says if the energy was not measured, or the result is open. */
export function formatBadge(facts: BadgeFacts | null): Badge {
  if (facts?.verdict === 'failed' || facts?.verdict === 'untrusted') {
    return { label: labelOf(facts), message: verdictWord(facts.verdict), color: GRAY, isError: true };
  }
  if (facts === null || facts.percent === null) {
    return { label: facts === null ? 'energy' : labelOf(facts), message: 'no result', color: GRAY, isError: true };
  }
  const source = SOURCES[facts.source];
  const notes = [
    facts.verdict === 'inconclusive' ? 'inconclusive' : null,
    facts.complete ? null : 'partial',
    source,
  ].filter((note) => note !== null);
  const message = [percentWithInterval(facts.percent, facts.ci95), ...notes].join(', ');
  const color = source === null && facts.complete ? (COLORS[facts.verdict] ?? GRAY) : GRAY;
  return { label: labelOf(facts), message, color, isError: false };
}

const labelOf = ({ variant }: BadgeFacts): string => `${plain(variant, 40)} energy`;

/** badge.json, as shields.io reads it from an address (https://shields.io/badges/endpoint-badge). */
export function badgeJson({ label, message, color, isError }: Badge): string {
  const endpoint = { schemaVersion: 1, label, message, color: color, ...(isError ? { isError } : {}) };
  return `${JSON.stringify(endpoint, null, 2)}\n`;
}

const HEIGHT = 20;
const PADDING = 6;
const TEXT = 11;

/** badge.svg: self-contained, with text widths of the first font that it names. */
export function badgeSvg({ label, message, color }: Badge): string {
  const width = (text: string): number => Math.ceil(fontOf('regular').width(text, TEXT));
  const [left, right] = [width(label), width(message)];
  const split = left + 2 * PADDING;
  const whole = split + right + 2 * PADDING;
  const said = escapeXml(`${label}: ${message}`);
  // `textLength` keeps the positions if a viewer lacks this font.
  const words = (text: string, x: number, length: number): string =>
    `<text x="${x}" y="14" textLength="${length}" lengthAdjust="spacingAndGlyphs">${escapeXml(text)}</text>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${whole}" height="${HEIGHT}" viewBox="0 0 ${whole} ${HEIGHT}" role="img" aria-label="${said}">
<title>${said}</title>
<path fill="#383838" d="M3 0H${split}V20H3a3 3 0 0 1-3-3V3a3 3 0 0 1 3-3z"/>
<path fill="${color}" d="M${split} 0H${whole - 3}a3 3 0 0 1 3 3V17a3 3 0 0 1-3 3H${split}z"/>
<g fill="#fff" font-family="DejaVu Sans,Verdana,Geneva,sans-serif" font-size="${TEXT}">${words(label, PADDING, left)}${words(message, split + PADDING, right)}</g>
</svg>
`;
}
