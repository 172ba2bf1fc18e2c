import type { Font, Weight } from '../charts/canvas/font-source.ts';

/** The reader's system fonts, measured by the browser that draws with them. */
export const STACK = 'system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", Verdana, sans-serif';

const context = document.createElement('canvas').getContext('2d');

export function loadFont(weight: Weight): Font {
  return {
    width: (text, sizePx) => {
      if (context === null) return text.length * sizePx * 0.6;
      context.font = `${weight === 'bold' ? 'bold ' : ''}${sizePx}px ${STACK}`;
      return context.measureText(text).width;
    },
  };
}
