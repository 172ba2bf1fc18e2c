import type { Account } from './accounts.ts';
import type { Tally } from './harness.ts';

export interface SoakResult {
  readonly seed: number;
  readonly seconds: number;
  readonly faults: ReadonlyMap<string, Tally>;
  readonly accounts: readonly { readonly name: string; readonly sessions: number; readonly account: Account }[];
  readonly wrong: readonly string[];
}

/** What a soak came to, the seed first. */
export function resultTable({ seed, seconds, faults, accounts, wrong }: SoakResult): string {
  const sum = (of: (account: Account) => number) => accounts.reduce((total, { account }) => total + of(account), 0);
  const most = (of: (account: Account) => number) => Math.max(0, ...accounts.map(({ account }) => of(account)));
  const sessions = accounts.reduce((total, one) => total + one.sessions, 0);
  const rows = [...faults].map(([name, { struck, missed, ends }]) => [
    name,
    String(struck),
    String(missed),
    [...ends].map(([end, n]) => `${end} × ${n}`).join(', '),
  ]);
  return [
    '',
    `seed ${seed} · ${seconds.toFixed(0)} s · ${accounts.length} experiments in ${sessions} sessions · ${sum((a) => a.good)} good runs of ${sum((a) => a.recorded)} recorded`,
    '',
    ...columns([['fault', 'struck', 'too late', 'the session ended with'], ...rows]),
    '',
    `energy: ${sum((a) => a.energyJ).toFixed(1)} J of ${sum((a) => a.trueJ).toFixed(1)} J; a run at most ${(100 * most((a) => a.worstShare)).toFixed(0)} % of what its counter allows away`,
    wrong.length === 0
      ? 'Nothing is left, lost, counted twice or wrong.'
      : `${wrong.length} things are not as they should be:`,
    ...wrong.map((line) => `  ${line}`),
  ].join('\n');
}

function columns(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
