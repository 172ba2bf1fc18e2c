import { escapeXml } from '../../escape.ts';
import { fontOf } from './font.ts';
import type { Weight } from './font-source.ts';
import { colorAttributes, type Matrix, multiply, n, pointOf } from './svg-values.ts';

interface State {
  matrix: Matrix;
  clip: string | null;
  dash: readonly number[];
  fillStyle: string;
  strokeStyle: string;
  lineWidth: number;
  lineCap: string;
  lineJoin: string;
  miterLimit: number;
  lineDashOffset: number;
  globalAlpha: number;
  font: string;
  textAlign: string;
  textBaseline: string;
}

const initial: State = {
  matrix: [1, 0, 0, 1, 0, 0],
  clip: null,
  dash: [],
  fillStyle: '#000000',
  strokeStyle: '#000000',
  lineWidth: 1,
  lineCap: 'butt',
  lineJoin: 'miter',
  miterLimit: 10,
  lineDashOffset: 0,
  globalAlpha: 1,
  font: '10px sans-serif',
  textAlign: 'start',
  textBaseline: 'alphabetic',
};

/** Distance of the baseline below a text's anchor, in ems, for DejaVu Sans. */
const BASELINE: Readonly<Record<string, number>> = { top: 0.93, hanging: 0.76, middle: 0.36, bottom: -0.24 };

const ANCHOR: Readonly<Record<string, string>> = { center: 'middle', right: 'end', end: 'end' };

/**
 * The subset of CanvasRenderingContext2D that chart.js and our plug-ins use, written as SVG elements.
 * Scaling and gradients are not supported, because nothing here uses them.
 */
export class SvgContext {
  readonly canvas: { width: number; height: number };
  readonly elements: string[] = [];
  readonly definitions: string[] = [];
  readonly #prefix: string;
  readonly #stack: State[] = [];
  #state: State = { ...initial };
  #path: string[] = [];

  constructor(canvas: { width: number; height: number }, idPrefix: string) {
    this.canvas = canvas;
    this.#prefix = idPrefix;
  }

  save(): void {
    this.#stack.push({ ...this.#state });
  }
  restore(): void {
    this.#state = this.#stack.pop() ?? this.#state;
  }

  transform(...matrix: Matrix): void {
    this.#state.matrix = multiply(this.#state.matrix, matrix);
  }
  translate(x: number, y: number): void {
    this.transform(1, 0, 0, 1, x, y);
  }
  rotate(angle: number): void {
    this.transform(Math.cos(angle), Math.sin(angle), -Math.sin(angle), Math.cos(angle), 0, 0);
  }
  setTransform(...matrix: Matrix): void {
    this.#state.matrix = matrix;
  }
  resetTransform(): void {
    this.#state.matrix = initial.matrix;
  }

  beginPath(): void {
    this.#path = [];
  }
  closePath(): void {
    this.#path.push('Z');
  }
  moveTo(x: number, y: number): void {
    this.#path.push(`M${this.#point(x, y)}`);
  }
  lineTo(x: number, y: number): void {
    this.#path.push(`${this.#path.length === 0 ? 'M' : 'L'}${this.#point(x, y)}`);
  }
  bezierCurveTo(ax: number, ay: number, bx: number, by: number, x: number, y: number): void {
    this.#path.push(`C${this.#point(ax, ay)} ${this.#point(bx, by)} ${this.#point(x, y)}`);
  }
  rect(x: number, y: number, width: number, height: number): void {
    this.moveTo(x, y);
    this.lineTo(x + width, y);
    this.lineTo(x + width, y + height);
    this.lineTo(x, y + height);
    this.closePath();
  }
  arc(x: number, y: number, radius: number, from: number, to: number, counterclockwise = false): void {
    const turn = counterclockwise ? from - to : to - from;
    const at = (angle: number): [number, number] => [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
    const sweep = counterclockwise ? 0 : 1;
    const r = `${n(radius)} ${n(radius)}`;
    this.lineTo(...at(from));
    if (turn >= 2 * Math.PI - 1e-6) {
      const half = this.#point(...at(from + Math.PI));
      this.#path.push(`A${r} 0 1 ${sweep} ${half}A${r} 0 1 ${sweep} ${this.#point(...at(from))}`);
    } else {
      this.#path.push(`A${r} 0 ${turn > Math.PI ? 1 : 0} ${sweep} ${this.#point(...at(to))}`);
    }
  }

  fill(): void {
    const { fillStyle, globalAlpha } = this.#state;
    this.#emit(`<path d="${this.#path.join('')}"${colorAttributes('fill', fillStyle, globalAlpha)}`, '/>');
  }
  stroke(): void {
    const { strokeStyle, globalAlpha, lineWidth, lineCap, lineJoin, dash, lineDashOffset } = this.#state;
    const color = colorAttributes('stroke', strokeStyle, globalAlpha);
    const cap = lineCap === 'butt' ? '' : ` stroke-linecap="${lineCap}"`;
    const join = lineJoin === 'miter' ? '' : ` stroke-linejoin="${lineJoin}"`;
    const dashes = dash.length === 0 ? '' : ` stroke-dasharray="${dash.map(n).join(' ')}"`;
    const offset = lineDashOffset === 0 ? '' : ` stroke-dashoffset="${n(lineDashOffset)}"`;
    const style = `${color} stroke-width="${n(lineWidth)}"${cap}${join}${dashes}${offset}`;
    this.#emit(`<path d="${this.#path.join('')}" fill="none"${style}`, '/>');
  }
  fillRect(x: number, y: number, width: number, height: number): void {
    this.beginPath();
    this.rect(x, y, width, height);
    this.fill();
  }
  strokeRect(x: number, y: number, width: number, height: number): void {
    this.beginPath();
    this.rect(x, y, width, height);
    this.stroke();
  }
  clearRect(): void {}

  clip(): void {
    const id = `${this.#prefix}-clip${this.definitions.length}`;
    const inside = this.#state.clip === null ? '' : ` clip-path="url(#${this.#state.clip})"`;
    this.definitions.push(`<clipPath id="${id}"${inside}><path d="${this.#path.join('')}"/></clipPath>`);
    this.#state.clip = id;
  }

  fillText(text: string, x: number, y: number): void {
    const { font, fillStyle, globalAlpha, textAlign, textBaseline, matrix } = this.#state;
    const { sizePx, weight } = fontFrom(font);
    const dy = (BASELINE[textBaseline] ?? 0) * sizePx;
    const anchor = ANCHOR[textAlign];
    const [a, b] = matrix;
    const turned = Math.abs(b) > 1e-9 || a < 0;
    const [px, py] = pointOf(matrix, x, y + dy);
    const turn = turned ? ` transform="rotate(${n((Math.atan2(b, a) * 180) / Math.PI)} ${n(px)} ${n(py)})"` : '';
    // `textLength` stretches the text to its measured width if a viewer lacks this font.
    const length =
      text.length > 2 ? ` textLength="${n(fontOf(weight).width(text, sizePx))}" lengthAdjust="spacingAndGlyphs"` : '';
    this.#emit(
      `<text x="${n(px)}" y="${n(py)}" font-size="${n(sizePx)}"${weight === 'bold' ? ' font-weight="bold"' : ''}` +
        `${anchor === undefined ? '' : ` text-anchor="${anchor}"`}${colorAttributes('fill', fillStyle, globalAlpha)}${length}${turn}`,
      `>${escapeXml(text)}</text>`,
    );
  }
  strokeText(): void {}
  measureText(text: string): { width: number; actualBoundingBoxAscent: number; actualBoundingBoxDescent: number } {
    const { sizePx, weight } = fontFrom(this.#state.font);
    const width = fontOf(weight).width(text, sizePx);
    return { width, actualBoundingBoxAscent: 0.76 * sizePx, actualBoundingBoxDescent: 0.24 * sizePx };
  }

  setLineDash(dash: readonly number[]): void {
    this.#state.dash = [...dash];
  }
  getLineDash(): readonly number[] {
    return this.#state.dash;
  }

  #point(x: number, y: number): string {
    const [px, py] = pointOf(this.#state.matrix, x, y);
    return `${n(px)} ${n(py)}`;
  }
  #emit(open: string, close: string): void {
    const clip = this.#state.clip === null ? '' : ` clip-path="url(#${this.#state.clip})"`;
    this.elements.push(`${open}${clip}${close}`);
  }
  /** Accessors below use this property. */
  property<K extends keyof State>(key: K): State[K] {
    return this.#state[key];
  }
  setProperty<K extends keyof State>(key: K, value: State[K] | undefined): void {
    // Invalid values leave the property unchanged, as in a browser.
    if (value === undefined || (typeof value === 'number' && !Number.isFinite(value))) return;
    this.#state[key] = value;
  }
}

// Drawing properties are fields of the saved state, so that `restore()` undoes `ctx.lineWidth = 2`.
for (const key of Object.keys(initial) as (keyof State)[]) {
  if (key === 'matrix' || key === 'clip' || key === 'dash') continue;
  Object.defineProperty(SvgContext.prototype, key, {
    get(this: SvgContext) {
      return this.property(key);
    },
    set(this: SvgContext, value: never) {
      this.setProperty(key, value);
    },
  });
}

function fontFrom(css: string): { sizePx: number; weight: Weight } {
  const size = /([\d.]+)px/.exec(css)?.[1];
  return { sizePx: size === undefined ? 10 : Number(size), weight: /\bbold\b/.test(css) ? 'bold' : 'regular' };
}
