import { BasicPlatform, Chart } from 'chart.js';
import { STACK } from '#font-source';
import { escapeXml } from '../../escape.ts';
import { type ChartSpec, registerParts } from '../chart.ts';
import { SvgContext } from './svg-context.ts';
import { FAMILY, type Theme } from './theme.ts';

registerParts();

/** Draws a chart with chart.js, without a browser, and returns the SVG document. */
export function renderSvg(spec: ChartSpec, theme: Theme): string {
  const canvas = { width: spec.width, height: spec.height };
  const context = new SvgContext(canvas, spec.id);
  const element = { ...canvas, getContext: () => context, addEventListener: () => {}, removeEventListener: () => {} };
  Object.assign(context, { canvas: element });
  const chart = new Chart(context as never, {
    ...spec.config,
    platform: BasicPlatform,
    options: {
      ...spec.config.options,
      animation: false,
      responsive: false,
      devicePixelRatio: 1,
      events: [],
      font: { family: STACK, size: 12 },
    },
  });
  chart.destroy();
  return svgDocument(spec, context, theme);
}

/** The elements drawn into a context, as a document. */
export function svgDocument(
  spec: Pick<ChartSpec, 'id' | 'title' | 'description' | 'width' | 'height'>,
  context: SvgContext,
  theme: Theme,
): string {
  const background =
    theme.background === null ? '' : `<rect width="${spec.width}" height="${spec.height}" fill="${theme.background}"/>`;
  const definitions = context.definitions.length === 0 ? '' : `<defs>${context.definitions.join('')}</defs>`;
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${spec.width} ${spec.height}" width="${spec.width}" height="${spec.height}" role="img" aria-labelledby="${spec.id}-title ${spec.id}-description" font-family="${FAMILY}, Verdana, sans-serif">`,
    `<title id="${spec.id}-title">${escapeXml(spec.title)}</title>`,
    `<desc id="${spec.id}-description">${escapeXml(spec.description)}</desc>`,
    `${definitions}${background}`,
    ...context.elements,
    '</svg>',
  ].join('\n')}\n`;
}
