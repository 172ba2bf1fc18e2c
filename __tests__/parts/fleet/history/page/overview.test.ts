// Class: system, browser.
import { describe, expect, it } from '@jest/globals';
import { cardOf, overviewHtml, verdictOf, worstFirst } from '../../../../../src/parts/fleet/history/page/overview.ts';
import { trendOf } from '../../../../../src/parts/fleet/history/trend.ts';
import { line } from '../records.ts';

it('tells where everything costs more, though the difference has no step', () => {
  const places = trendOf([
    ...line({ count: 60, seed: 3, experiment: 'both sides', steps: { 30: 3 } }),
    ...line({ count: 60, seed: 4, experiment: 'calm' }),
  ]);
  const html = overviewHtml(places);
  expect(html.match(/no step in the difference/g)).toHaveLength(2);
  const reported = [...html.matchAll(/energy of (\w+): ([+−]\d+\.\d) %/g)].map(([, name, percent]) => [
    name,
    Number(percent),
  ]);
  expect(reported.map(([name]) => name)).toEqual(['native', 'container']);
  for (const [, percent] of reported) expect(percent).toBeCloseTo(3, 0);
  const order = places.map(cardOf).sort(worstFirst);
  expect(order.map(({ experiment }) => experiment)).toEqual(['both sides', 'calm']);
});

describe('the verdict of a history', () => {
  const places = (...steps: readonly (number | null)[]) =>
    trendOf(
      steps.flatMap((step, i) => {
        const variants = { only: 250 };
        return line({ count: 60, seed: i + 3, experiment: `e${i}`, variants, ...(step && { steps: { 30: step } }) });
      }),
    );

  it('names what rose and what fell, the most first', () => {
    expect(verdictOf(places(3, null, 8, -6))).toMatch(
      /^Risen: e2 \(\+8\.\d %\), e0 \(\+[23]\.\d %\)\. Fallen: e3 \(−6\.\d %\)$/,
    );
    expect(verdictOf(places(3, 5, 8, 12))).toMatch(/^Risen: e3 .*, e2 .*, e1 .* and 1 more$/);
  });

  it('names the line that moved, where another one did not', () => {
    const [before, after] = [270, 190].map((falls) =>
      line({ count: 60, seed: 3, variants: { native: 250, calm: 260, falls } }),
    );
    expect(verdictOf(trendOf([...before!.slice(0, 30), ...after!.slice(30)]))).toMatch(
      /^Fallen: sort, falls against native \(−\d+\.\d %\)$/,
    );
    const both = trendOf(line({ count: 60, seed: 3, experiment: 'both sides', steps: { 30: 3 } }));
    expect(verdictOf(both)).toBe('Energies changed, but no difference between variants did');
  });

  it('is about the variants that are still measured', () => {
    const parts: Record<string, number>[] = [{ container: 258 }, { container: 279 }, { docker: 258 }, { docker: 266 }];
    const records = parts.flatMap((variant, i) =>
      line({ count: 100, seed: 3, variants: { native: 250, ...variant } }).slice(25 * i, 25 * (i + 1)),
    );
    expect(verdictOf(trendOf(records.slice(0, 51)))).toMatch(/^Risen: sort, container against native \(\+8\.\d %\)$/);
    expect(verdictOf(trendOf(records))).toMatch(/^Risen: sort \(\+[23]\.\d %\)$/);
    expect(cardOf(trendOf(records)[0]!).energyRisen).toBeLessThan(4);
    // One that fails is still measured.
    const failing = records.slice(0, 75).map((one, i) => (i < 50 ? one : { ...one, failed: ['container'] }));
    expect(verdictOf(trendOf(failing))).toMatch(/^Risen: sort, container against native/);
  });

  it('says that nothing changed, that nothing is known yet, and what is not measured', () => {
    expect(verdictOf(places(null))).toBe('No lasting change');
    expect(verdictOf(trendOf(line({ count: 3 })))).toBe('Too few experiments to look for steps');
    expect(verdictOf([])).toBe('Nothing has been kept yet');
    const modelled = line({ count: 60, variants: { only: 250 }, source: 'modelled', steps: { 30: 9 } });
    expect(verdictOf(trendOf(modelled))).toMatch(/^Risen: sort \(\+\d\.\d %, estimated\)$/);
  });
});
