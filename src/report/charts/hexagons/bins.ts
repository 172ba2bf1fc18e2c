/** One hexagon by its centre, and how many points fell into it. */
export interface Bin {
  readonly x: number;
  readonly y: number;
  readonly count: number;
}

/** Size of the hexagons in units of the axes: `dx` from flat side to flat side, `dy` from a centre to that of the next row but one. */
export interface BinSize {
  readonly dx: number;
  readonly dy: number;
}

/**
 * Counts points in hexagons that stand on a corner: two interleaved grids, each point to the nearer centre (Carr et al. 1987,
 * JASA 82:424). Regular where `dy` is √3 `dx` on the screen.
 */
export class HexagonBins {
  readonly #size: BinSize;
  readonly #counts = new Map<string, { x: number; y: number; count: number }>();

  constructor(size: BinSize) {
    this.#size = size;
  }

  add(x: number, y: number): void {
    const { dx, dy } = this.#size;
    const [u, v] = [x / dx, y / dy];
    const even = [Math.round(u), Math.round(v)] as const;
    const odd = [Math.floor(u) + 0.5, Math.floor(v) + 0.5] as const;
    const far = ([i, j]: readonly [number, number]): number => (u - i) ** 2 + 3 * (v - j) ** 2;
    const [i, j] = far(even) <= far(odd) ? even : odd;
    const key = `${i} ${j}`;
    const bin = this.#counts.get(key);
    if (bin === undefined) this.#counts.set(key, { x: i * dx, y: j * dy, count: 1 });
    else bin.count++;
  }

  /** From left to right, from low to high. */
  all(): Bin[] {
    return [...this.#counts.values()].sort((a, b) => a.x - b.x || a.y - b.y);
  }
}
