import type { PageProfile } from '../../data/profile.ts';
import { timeText } from '../../words/explain.ts';
import { svgDocument } from '../canvas/svg.ts';
import { SvgContext } from '../canvas/svg-context.ts';
import type { Theme } from '../canvas/theme.ts';
import { drawFlame, flameHeight } from './draw.ts';
import { descriptionOf, FLAME } from './flame.ts';
import { layout, type Pair } from './layout.ts';

const WIDTH = 1000;
/** Boxes of the drawing without a script, in parts of its width. */
const LEAST_WIDTH = 0.003;

/** The icicle as it stands in a page without a script, and on paper. */
export function flameSvg(profile: PageProfile, pair: Pair, theme: Theme): string {
  const all = layout([profile.root], pair, 'both');
  const boxes = all.filter(({ width }) => width >= LEAST_WIDTH);
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
