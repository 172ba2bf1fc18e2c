/** One number of the simulation: a share of experiments, with what it must be where there is a gate. */
export interface Share {
  readonly what: string;
  readonly of: string;
  readonly count: number;
  readonly experiments: number;
  readonly least: number | null;
  readonly most: number | null;
}

/** Limits for 2,000 experiments; with fewer, as many standard errors around what the limit is drawn around as chance may take. */
export interface Gate {
  readonly around: number;
  readonly least?: number;
  readonly most?: number;
}

export function share(what: string, of: string, count: number, experiments: number, gate: Gate | null = null): Share {
  const errors = experiments < 500 ? 4 : 3;
  const reach = gate === null ? 0 : errors * Math.sqrt((gate.around * (1 - gate.around)) / experiments);
  const least = gate?.least === undefined ? null : Math.min(gate.least, gate.around - reach);
  const most = gate?.most === undefined ? null : Math.min(1, Math.max(gate.most, gate.around + reach));
  return { what, of, count, experiments, least, most };
}

export function isInside({ count, experiments, least, most }: Share): boolean {
  const value = count / experiments;
  return value >= (least ?? 0) && value <= (most ?? 1);
}

/** A table in Markdown: what was asked down, where across. */
export function shareTable(shares: readonly Share[]): string {
  const places = [...new Set(shares.map((s) => s.of))];
  const rows = [...Map.groupBy(shares, (s) => s.what)].map(([what, found]) => [
    what,
    ...places.map((place) => {
      const at = found.find((s) => s.of === place);
      return at === undefined ? '' : `${percent(at.count / at.experiments)}${isInside(at) ? '' : ' **missed**'}`;
    }),
    gateText(found.find((s) => s.least !== null || s.most !== null) ?? (found[0] as Share)),
  ]);
  const head = ['', ...places, 'gate'];
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map((_, i) => (i === 0 ? '---' : '---:'))), ...rows.map(line)].join('\n');
}

function gateText({ least, most }: Share): string {
  if (least !== null && most !== null) return `${percent(least)} to ${percent(most)}`;
  if (most !== null) return `≤ ${percent(most)}`;
  return least === null ? '' : `≥ ${percent(least)}`;
}

function percent(value: number): string {
  return `${(100 * value).toFixed(1)} %`;
}
