// Class: system, browser.
import { expect, it } from '@jest/globals';
import { cardOf, overviewHtml, worstFirst } from '../../../../../src/parts/fleet/history/page/overview.ts';
import { trendOf } from '../../../../../src/parts/fleet/history/trend.ts';
import { line } from '../records.ts';

it('tells where everything costs more, though the difference has no step', () => {
  const places = trendOf([
    ...line({ count: 60, seed: 3, experiment: 'both sides', steps: { 30: 3 } }),
    ...line({ count: 60, seed: 4, experiment: 'calm' }),
  ]);
  const html = overviewHtml(places);
  expect(html.match(/no step in the difference/g)).toHaveLength(2);
  const told = [...html.matchAll(/energy of (\w+): ([+−]\d+\.\d) %/g)].map(([, name, percent]) => [
    name,
    Number(percent),
  ]);
  expect(told.map(([name]) => name)).toEqual(['native', 'container']);
  for (const [, percent] of told) expect(percent).toBeCloseTo(3, 0);
  const order = places.map(cardOf).sort(worstFirst);
  expect(order.map(({ experiment }) => experiment)).toEqual(['both sides', 'calm']);
});
