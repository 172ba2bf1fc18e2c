import type { Findings } from '../findings/findings.ts';
import type { Line } from '../findings/terminal.ts';
import { failedChecks, primaryChannel, primaryComparisons } from '../report/verdict.ts';
import { decimalsFor } from '../text/numbers.ts';
import type { Streams } from './terminal.ts';

/** Comparisons on the primary channel, as values for scripts. */
export function linesOf(findings: Findings): Line[] {
  const { meter, experiment } = findings;
  const channel = primaryChannel(findings);
  const sources = meter.channel_sources ?? {};
  const source = channel !== null && Object.hasOwn(sources, channel) ? sources[channel]! : meter.source;
  const trusted = failedChecks(findings).length === 0;
  return primaryComparisons(findings).map(({ baseline, variant, verdict, percent: { estimate, ci95, confidence } }) => {
    const line = { experiment: experiment.name, baseline, variant, verdict };
    return {
      ...line,
      delta_percent: estimate,
      ci95,
      confidence,
      trusted: trusted && verdict !== 'failed' && estimate !== null,
      source,
    };
  });
}

/** Prints a line per comparison if stdout is no terminal: `verdict=increase delta=+3.1% ci=[2.4,3.9] trusted=yes source=measured`. */
export function printVerdictLines({ stdout }: Pick<Streams, 'stdout'>, findings: Findings): void {
  if (stdout.isTTY === true) return;
  const all = linesOf(findings);
  const isOneBaseline = new Set(all.map(({ baseline }) => baseline)).size < 2;
  for (const { baseline, variant, verdict, delta_percent: delta, ci95, confidence, trusted, source } of all) {
    const decimals = decimalsFor(ci95);
    const words = [
      `verdict=${verdict}`,
      `delta=${delta === null ? 'none' : `${delta < 0 ? '' : '+'}${digits(delta, decimals)}%`}`,
      `ci=${ci95 === null ? 'none' : `[${ci95.map((end) => digits(end, decimals)).join(',')}]`}`,
      `trusted=${trusted ? 'yes' : 'no'}`,
      `source=${source}`,
      ...(all.length > 1 ? [`variant=${word(variant)}`] : []),
      ...(isOneBaseline ? [] : [`baseline=${word(baseline)}`]),
      // Stands at the end, and only where the interval is not one of 95 %.
      ...(ci95 === null || confidence === null || confidence >= 0.95 ? [] : [`confidence=${confidence.toFixed(3)}`]),
    ];
    stdout.write(`${words.join(' ')}\n`);
  }
}

/** A name as one word. */
const word = (name: string): string => (/^[\w.:/-]+$/.test(name) ? name : JSON.stringify(name));

/** Percent without an exponent, with two decimals below 1, and as many more as keep an end of the interval from becoming zero. */
const digits = (value: number, decimals: number): string =>
  String(Number(value.toFixed(Math.max(decimals, Math.abs(value) < 1 ? 2 : 1))));
