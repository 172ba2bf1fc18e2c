/** Coefficients a b c d e f of a 2-D affine transform, as in SVG and Canvas. */
export type Matrix = [number, number, number, number, number, number];

export function multiply(m: Matrix, t: Matrix): Matrix {
  return [
    m[0] * t[0] + m[2] * t[1],
    m[1] * t[0] + m[3] * t[1],
    m[0] * t[2] + m[2] * t[3],
    m[1] * t[2] + m[3] * t[3],
    m[0] * t[4] + m[2] * t[5] + m[4],
    m[1] * t[4] + m[3] * t[5] + m[5],
  ];
}

export function pointOf(m: Matrix, x: number, y: number): [number, number] {
  return [m[0] * x + m[2] * y + m[4], m[1] * x + m[3] * y + m[5]];
}

/** A coordinate as SVG text, rounded to invisible hundredths of a pixel. Throws for NaN and infinities. */
export function n(value: number): string {
  if (!Number.isFinite(value)) throw new Error(`a chart has the coordinate ${value}`);
  return String(Math.round(value * 100) / 100 || 0);
}

/** Attributes like ` fill="#rrggbb" fill-opacity="…"`: SVG viewers differ in rgba() and #rrggbbaa, so opacity is separate. */
export function colorAttributes(attribute: 'fill' | 'stroke', color: string, alpha: number): string {
  const [plain, own] = split(color);
  const opacity = own * alpha;
  return ` ${attribute}="${plain}"${opacity < 1 ? ` ${attribute}-opacity="${n(opacity)}"` : ''}`;
}

function split(color: string): [string, number] {
  const hex = /^(#[0-9a-f]{6})([0-9a-f]{2})$/i.exec(color);
  if (hex) return [hex[1]!, Number.parseInt(hex[2]!, 16) / 255];
  const rgba = /^rgba?\(([\d.]+),\s*([\d.]+),\s*([\d.]+)(?:,\s*([\d.]+))?\)$/.exec(color);
  if (rgba) {
    const part = (text: string): string => Math.round(Number(text)).toString(16).padStart(2, '0');
    return [`#${part(rgba[1]!)}${part(rgba[2]!)}${part(rgba[3]!)}`, rgba[4] === undefined ? 1 : Number(rgba[4])];
  }
  return [color === 'transparent' ? 'none' : color, 1];
}
