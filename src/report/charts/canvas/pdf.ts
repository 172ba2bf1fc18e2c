import { visible } from '../../../text/plain.ts';
import { fontOf } from './font.ts';
import type { Weight } from './font-source.ts';
import { hex, pdfFile, stream, utf16 } from './pdf-file.ts';
import { fontObjects } from './pdf-font.ts';
import { n } from './svg-values.ts';

/** Points in a CSS pixel. */
const POINTS = 0.75;

const WEIGHTS: readonly Weight[] = ['regular', 'bold'];

/**
 * Converts our SVG (`svgDocument`) to a PDF of one page (ISO 32000-1): vectors and text, with the font's used glyphs. Deterministic, since
 * it has no date. Throws an Error for SVG that our drawings don't use.
 */
export function renderPdf(svg: string): Uint8Array {
  const [, width = 0, height = 0] = /viewBox="0 0 (\S+) (\S+)"/.exec(svg)?.map(Number) ?? [];
  const title = unescaped(/<title[^>]*>([^<]*)</.exec(svg)?.[1] ?? '');
  const subject = unescaped(/<desc[^>]*>([^<]*)</.exec(svg)?.[1] ?? '');
  const used: Record<Weight, Map<number, string>> = { regular: new Map(), bold: new Map() };
  const opacities = new Set<string>();
  const page = content(svg, { used, opacities });
  const fonts = WEIGHTS.filter((weight) => used[weight].size > 0);
  // An object's number is its index in this list plus 1: catalog 1, page 3, drawing 4, information 5.
  const objects: (string | Buffer)[] = [];
  const add = (object: string | Buffer): number => objects.push(object);
  add('<</Type/Catalog/Pages 2 0 R/Lang(en)/ViewerPreferences<</DisplayDocTitle true>>>>');
  add('<</Type/Pages/Kids[3 0 R]/Count 1>>');
  const box = `[0 0 ${n(width * POINTS)} ${n(height * POINTS)}]`;
  const states = [...opacities].map((of) => `/G${of}<<${of[0] === 'S' ? '/CA' : '/ca'} ${of.slice(1)}>>`).join('');
  const names = fonts.map((weight, i) => `/${weight} ${6 + 5 * i} 0 R`).join('');
  add(
    `<</Type/Page/Parent 2 0 R/MediaBox${box}/Contents 4 0 R/Resources<</Font<<${names}>>/ExtGState<<${states}>>>>>>`,
  );
  add(stream('', `${POINTS} 0 0 -${POINTS} 0 ${n(height * POINTS)} cm 4 M\n${page}`));
  add(`<</Title${unicode(title)}/Subject${unicode(subject)}/Producer(joulediff)>>`);
  for (const weight of fonts) for (const object of fontObjects(weight, used[weight], objects.length + 1)) add(object);
  return pdfFile(objects);
}

interface Resources {
  /** Used glyphs by number, with the text that each represents. */
  readonly used: Readonly<Record<Weight, Map<number, string>>>;
  /** Graphics states for opacities: `S0.5` for strokes, `F0.5` for fills. */
  readonly opacities: Set<string>;
}

/** The drawing as operators of a content stream, in pixels from the top left. */
function content(svg: string, { used, opacities }: Resources): string {
  const clips = new Map<string, string>();
  const operators: string[] = [];
  for (const [, clip, inside = '', outline = ''] of svg.matchAll(
    /<clipPath id="([^"]*)"(?: clip-path="url\(#([^"]*)\)")?><path d="([^"]*)"\/>/g,
  )) {
    clips.set(clip as string, `${clips.get(inside) ?? ''}${pathOperators(outline)}W n `);
  }
  const shown = svg.replace(/<defs>.*?<\/defs>/s, '');
  for (const [, element, attributes = '', text = ''] of shown.matchAll(
    /<(rect|path|text) ([^>]*?)\/?>(?:([^<]*)<\/text>)?/g,
  )) {
    const given = new Map(
      [...attributes.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, key = '', value = '']) => [key, value]),
    );
    const number = (key: string): number => Number(given.get(key) ?? 0);
    const paint = (kind: 'fill' | 'stroke'): string | null => {
      const color = given.get(kind) ?? 'none';
      if (color === 'none') return null;
      const hex = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(color);
      if (hex === null) throw new Error(`a drawing has the color ${color}`);
      const opacity = given.get(`${kind}-opacity`);
      const state = opacity === undefined ? '' : `${kind === 'fill' ? 'F' : 'S'}${opacity}`;
      if (state !== '') opacities.add(state);
      const rgb = hex.slice(1).map((part) => n(Number.parseInt(part, 16) / 255));
      return `${state === '' ? '' : `/G${state} gs `}${rgb.join(' ')} ${kind === 'fill' ? 'rg' : 'RG'} `;
    };
    const [fill, stroke] = [paint('fill'), paint('stroke')];
    const clip = clips.get(/#([^)]*)\)/.exec(given.get('clip-path') ?? '')?.[1] ?? '') ?? '';
    const draw = (operator: string): number => operators.push(`q ${clip}${operator} Q`);
    if (element === 'text') {
      const weight = given.has('font-weight') ? 'bold' : 'regular';
      draw(`${fill ?? ''}${textOperators(unescaped(text), given, weight, used[weight])}`);
      continue;
    }
    const outline =
      element === 'rect'
        ? `${n(number('x'))} ${n(number('y'))} ${n(number('width'))} ${n(number('height'))} re `
        : pathOperators(given.get('d') ?? '');
    if (fill !== null) draw(`${fill}${outline}f`);
    if (stroke !== null) {
      const ends = ['butt', 'round', 'square'].indexOf(given.get('stroke-linecap') ?? 'butt');
      const corners = ['miter', 'round', 'bevel'].indexOf(given.get('stroke-linejoin') ?? 'miter');
      const dashes = `[${given.get('stroke-dasharray') ?? ''}] ${n(number('stroke-dashoffset'))} d`;
      draw(`${stroke}${n(number('stroke-width'))} w ${ends} J ${corners} j ${dashes} ${outline}S`);
    }
  }
  return operators.join('\n');
}

/** Path operators for M, L, C, A and Z with absolute coordinates; only circular arcs. */
function pathOperators(d: string): string {
  let [x, y] = [0, 0];
  let made = '';
  for (const [, command = '', rest = ''] of d.matchAll(/([A-Z])([^A-Z]*)/g)) {
    const numbers = rest.trim() === '' ? [] : rest.trim().split(' ').map(Number);
    if (command === 'A') {
      const [radius = 0, , , large = 0, sweep = 0, toX = 0, toY = 0] = numbers;
      made += arcOperators([x, y], [toX, toY], { radius, large: large === 1, sweep: sweep === 1 });
    } else {
      const operator = { M: 'm', L: 'l', C: 'c', Z: 'h' }[command];
      if (operator === undefined) throw new Error(`a drawing has the path command ${command}`);
      made += `${[...numbers.map(n), operator].join(' ')} `;
    }
    [x, y] = [numbers.at(-2) ?? x, numbers.at(-1) ?? y];
  }
  return made;
}

type Place = readonly [x: number, y: number];

/** An arc from one place to another as Bézier curves of a quarter turn at most (SVG 1.1, F.6.5: center of an arc of a circle). */
function arcOperators(
  [fromX, fromY]: Place,
  [toX, toY]: Place,
  { radius, large, sweep }: { readonly radius: number; readonly large: boolean; readonly sweep: boolean },
): string {
  const half = Math.hypot(toX - fromX, toY - fromY) / 2;
  if (half === 0 || radius === 0) return '';
  // Because of rounding, the arc may be slightly too flat for its radius.
  const r = Math.max(radius, half);
  const away = Math.sqrt(r * r - half * half) * (large === sweep ? -1 : 1);
  const [centerX, centerY] = [
    (fromX + toX) / 2 - (away * (toY - fromY)) / (2 * half),
    (fromY + toY) / 2 + (away * (toX - fromX)) / (2 * half),
  ];
  const start = Math.atan2(fromY - centerY, fromX - centerX);
  const turned = Math.atan2(toY - centerY, toX - centerX) - start;
  const turn = sweep ? (turned + 2 * Math.PI) % (2 * Math.PI) : -((2 * Math.PI - turned) % (2 * Math.PI));
  const pieces = Math.ceil(Math.abs(turn) / (Math.PI / 2) - 1e-9);
  const step = turn / pieces;
  const handle = (4 / 3) * Math.tan(step / 4) * r;
  let made = '';
  for (let i = 0; i < pieces; i++) {
    const [a, b] = [start + i * step, start + (i + 1) * step];
    const at = (angle: number, along: number): string =>
      `${n(centerX + r * Math.cos(angle) - along * Math.sin(angle))} ${n(centerY + r * Math.sin(angle) + along * Math.cos(angle))}`;
    made += `${at(a, handle)} ${at(b, -handle)} ${at(b, 0)} c `;
  }
  return made;
}

function textOperators(
  text: string,
  given: ReadonlyMap<string, string>,
  weight: Weight,
  used: Map<number, string>,
): string {
  const number = (key: string): number => Number(given.get(key) ?? 0);
  const font = fontOf(weight);
  const size = number('font-size');
  const share = { middle: 0.5, end: 1 }[given.get('text-anchor') ?? ''] ?? 0;
  const angle = (Number(/rotate\((\S+)/.exec(given.get('transform') ?? '')?.[1] ?? 0) * Math.PI) / 180;
  const back = share * font.width(text, size);
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const glyphs = [...text].map((character) => {
    const glyph = font.glyph(character.codePointAt(0) ?? 0);
    // The missing-glyph box may represent any character.
    used.set(glyph, glyph === 0 ? '\ufffd' : character);
    return hex(glyph);
  });
  const matrix = [cos, sin, sin, -cos, number('x') - back * cos, number('y') - back * sin];
  return `BT /${weight} ${n(size)} Tf ${matrix.map((value) => String(Math.round(value * 1e4) / 1e4 || 0)).join(' ')} Tm <${glyphs.join('')}> Tj ET`;
}

const unicode = (text: string): string => `<feff${utf16(visible(text))}>`;

function unescaped(xml: string): string {
  const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' };
  return xml.replace(/&(lt|gt|quot|#39|amp);/g, (_, entity: string) => entities[entity] ?? '');
}
