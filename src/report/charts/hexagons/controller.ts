import { Chart, DatasetController, Element, type UpdateMode } from 'chart.js';
import { fillArea } from '../canvas/pen.ts';
import type { BinSize } from './panels.ts';

/** Options of a dataset of type `hexagon`, whose data are `{ x, y, count }` in units of the axes. */
export interface HexagonDataset {
  readonly size: BinSize;
  /** Color of a hexagon by its count. */
  readonly colorOf: (count: number) => string;
}

interface HexagonProps {
  readonly x: number;
  readonly y: number;
  readonly halfWidth: number;
  readonly halfHeight: number;
  readonly color: string;
}

/** A hexagon with a corner at the top; sizes in pixels, `halfHeight` from the center to that corner. */
class HexagonElement extends Element<HexagonProps> {
  static id = 'hexagon';

  draw(ctx: Chart['ctx']): void {
    const { x, y, halfWidth, halfHeight, color } = this as unknown as HexagonProps;
    const [left, right] = [x - halfWidth, x + halfWidth];
    const [above, below] = [y - halfHeight / 2, y + halfHeight / 2];
    const [top, bottom] = [y - halfHeight, y + halfHeight];
    fillArea(
      ctx,
      [
        [x, top],
        [right, above],
        [right, below],
        [x, bottom],
        [left, below],
        [left, above],
      ],
      color,
    );
  }

  inRange(mouseX: number, mouseY: number): boolean {
    return this.inXRange(mouseX) && this.inYRange(mouseY);
  }
  inXRange(mouseX: number): boolean {
    const { x, halfWidth } = this as unknown as HexagonProps;
    return Math.abs(mouseX - x) <= halfWidth;
  }
  inYRange(mouseY: number): boolean {
    const { y, halfHeight } = this as unknown as HexagonProps;
    return Math.abs(mouseY - y) <= 0.75 * halfHeight;
  }
  getCenterPoint(): { x: number; y: number } {
    const { x, y } = this as unknown as HexagonProps;
    return { x, y };
  }
  override tooltipPosition(): { x: number; y: number } {
    return this.getCenterPoint();
  }
}

/** Draws datasets of hexagons, scaled by their axes. */
class HexagonController extends DatasetController {
  static id = 'hexagon';
  static defaults = { dataElementType: 'hexagon', animation: false, normalized: true };
  static overrides = { scales: { x: { type: 'linear' }, y: { type: 'linear' } } };

  override update(mode: UpdateMode): void {
    const { data, xScale, yScale } = this.getMeta();
    const { size, colorOf } = this.getDataset() as unknown as HexagonDataset;
    for (const [index, element] of data.entries()) {
      const { x, y, count } = this.getParsed(index) as unknown as { x: number; y: number; count: number };
      const [px, py] = [xScale!.getPixelForValue(x), yScale!.getPixelForValue(y)];
      const halfWidth = Math.abs(xScale!.getPixelForValue(x + size.dx / 2) - px);
      const halfHeight = Math.abs(yScale!.getPixelForValue(y + size.dy / 3) - py);
      const props: HexagonProps = { x: px, y: py, halfWidth, halfHeight, color: colorOf(count) };
      this.updateElement(element as never, index, props as never, mode);
    }
  }
}

Chart.register(HexagonController, HexagonElement);
