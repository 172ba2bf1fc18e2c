export type Weight = 'regular' | 'bold';

/** Advance widths of a font, so that a text is measured with the font that draws it. */
export interface Font {
  /** Width of a line of text in pixels at `sizePx`. Characters that the font lacks count as its box for missing ones. */
  width(text: string, sizePx: number): number;
}
