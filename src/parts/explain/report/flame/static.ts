import { svgDocument } from '../../../../report/charts/canvas/svg.ts';
import { SvgContext } from '../../../../report/charts/canvas/svg-context.ts';
import type { Theme } from '../../../../report/charts/canvas/theme.ts';
import { timeText } from '../../../../report/words/explain.ts';
import { fixed } from '../../../../text/numbers.ts';
import { plural } from '../../../../text/plain.ts';
import type { PageProfile } from '../page-profile.ts';
import { drawFlame, flameHeight } from './draw.ts';
import { descriptionOf, FLAME } from './flame.ts';
import { type Pair, staticRows } from './layout.ts';

const WIDTH = 1000;
/** Minimum width of boxes in the static drawing, as a fraction of its width. */
const MIN_WIDTH = 0.003;

/** Note on parts that the static drawing omits; empty: none. */
export function cutText(profile: PageProfile, pair: Pair): string {
  const { folded, below } = staticRows(profile.root, pair, MIN_WIDTH);
  const parts = [
    ...(folded > 0
      ? [`${fixed(folded, 0)} functions that call hardly anything but the next one are drawn as one with others`]
      : []),
    ...(below > 0 ? [`${plural(below, 'row')} at the bottom ${below === 1 ? 'is' : 'are'} left out`] : []),
  ];
  return parts.length === 0 ? '' : ` Without a script, and on paper, ${parts.join(', and ')}.`;
}

/** Static icicle graph for a page without script, and for print. */
export function flameSvg(profile: PageProfile, pair: Pair, theme: Theme): string {
  const { boxes } = staticRows(profile.root, pair, MIN_WIDTH);
  const height = flameHeight(boxes);
  const context = new SvgContext({ width: WIDTH, height }, FLAME);
  drawFlame(context as never, { boxes, width: WIDTH, theme });
  const title = `Functions by ${timeText(profile.time)}`;
  return svgDocument(
    { id: FLAME, title, description: descriptionOf(profile, pair), width: WIDTH, height },
    context,
    theme,
  );
}
