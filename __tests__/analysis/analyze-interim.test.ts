// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { ASSUMED_SPREAD, summarizeWarmUp } from '../../src/analysis/allocation.ts';
import { analyzeInterim, endsAt, soFar } from '../../src/analysis/analyze-interim.ts';
import type { Experiment } from '../../src/experiment/experiment.ts';
import type { Comparison } from '../../src/findings/comparison.ts';
import { type InterimPlan, interimPlan } from '../../src/schedule/interims.ts';
import { createRandom } from '../simulate/random.ts';
import { withSimulatedStore } from './simulated-store.ts';

const PLAN = interimPlan({ auto: { least: 10 } }, 20) as InterimPlan;

/** Ten blocks of 20 s on a meter that is read once a second, with so many percent more power in the container. */
function blocks(more: number, scatter = 0.003) {
  const random = createRandom(2);
  const loadW = (factor: number) => 100 * factor * Math.exp(scatter * random.normal());
  return Array.from({ length: 10 }, () => [
    { variant: 'native', lengthS: 20, loadW: loadW(1) },
    { variant: 'container', lengthS: 20, loadW: loadW(1 + more / 100) },
  ]);
}

const at = (more: number, experiment: Partial<Experiment> = {}, scatter?: number, plan = PLAN) =>
  withSimulatedStore({ blocks: blocks(more, scatter), experiment }, (reader) => analyzeInterim(reader, plan, 1).record);

const threshold = (limit: number) => ({
  text: `${limit}%`,
  metric: 'percent' as const,
  direction: 'above' as const,
  limit,
  variant: null,
  channel: null,
  evenIfInconclusive: false,
});

describe('an interim analysis of what is in the file', () => {
  it('ends an experiment that is settled, as a change or as equivalent', () => {
    expect(at(5)).toMatchObject({ look: 1, blocks: 10, because: 'settled', p: 2 ** -9 });
    expect(at(0)).toMatchObject({ because: 'settled' });
    expect(at(0).p).toBeGreaterThan(0.05);
    expect(at(0.9, {}, 0.02)).toMatchObject({ because: null });
  });

  it('goes on while what fail-on names is open', () => {
    expect(at(5, { failOn: [threshold(2)] }).because).toBe('settled');
    expect(at(5, { failOn: [threshold(5)] }).because).toBeNull();
    // A budget is of an energy by itself, which no interim analysis waits for.
    const budget = { ...threshold(1), metric: 'joules' as const, of: { energy: 'container' } };
    expect(at(5, { failOn: [budget] }).because).toBe('settled');
  });

  it('goes on at a margin that the machine cannot show, while the blocks that are left may decide what fail-on names', () => {
    expect(at(0, {}, 0.04)).toMatchObject({ because: 'futile' });
    const joules = (limit: number) => [{ ...threshold(limit), metric: 'joules' as const }];
    expect(at(0, { failOn: [threshold(6)] }, 0.04).because).toBeNull();
    expect(at(0, { failOn: joules(120) }, 0.04).because).toBeNull();
    expect(at(0, { failOn: [threshold(1)] }, 0.04).because).toBe('futile');
    expect(at(0, { failOn: joules(20) }, 0.04).because).toBe('futile');
  });

  it('ends a list of blocks at a change only if what fail-on names is decided too', () => {
    const list: InterimPlan = { ...PLAN, endsWhen: 'changed' };
    expect(at(5, { failOn: [threshold(2)] }, 0.003, list).because).toBe('changed');
    expect(at(5, { failOn: [threshold(5)] }, 0.003, list).because).toBeNull();
  });

  it('does not wait for what fail-on names and no block can show: a channel that is not there yet', () => {
    const list: InterimPlan = { ...PLAN, endsWhen: 'changed' };
    const failOn = [{ ...threshold(2), channel: 'everything-else' }];
    expect(at(5, { failOn }).because).toBe('settled');
    expect(at(0, { failOn }, 0.04).because).toBe('futile');
    expect(at(5, { failOn }, 0.003, list).because).toBe('changed');
  });

  it('does not give up a benchmark whose rate the changes of others make smaller', () => {
    const plan = interimPlan({ auto: { least: 10 } }, 60) as InterimPlan;
    const percent = { estimate: 2, ci95: [-2, 6], ci90: [-1.2, 5.2], confidence: 0.95 };
    const open = { verdict: 'inconclusive', reason: 'open', blocks: 32, percent, p_benjamini_hochberg: 0.4 };
    const suite = (changed: number) =>
      Array.from({ length: 20 }, (_, i) => ({
        ...(i < changed ? { verdict: 'increase', percent, p_benjamini_hochberg: 0.001 } : open),
        benchmark: `b${i}`,
        family_size: 20,
      })) as unknown as Comparison[];
    const because = (changed: number) =>
      endsAt(plan.planned.indexOf(32) + 1, plan, { judged: suite(changed), open: [], marginPercent: 1 });
    expect(plan.planned).toContain(32);
    expect([because(0), because(14)]).toEqual(['futile', null]);
  });

  it('tells a first idea of the change, which decides nothing', () => {
    withSimulatedStore({ blocks: blocks(5) }, (reader) => {
      const [first, ...others] = soFar(reader);
      expect(others).toEqual([]);
      expect(first?.variant).toBe('container');
      expect(Math.abs((first?.percent as number) - 5)).toBeLessThan(0.5);
      const [low = Number.NaN, high = Number.NaN] = first?.ci95 ?? [];
      expect(high - low).toBeLessThan(2);
    });
    withSimulatedStore({ blocks: blocks(5).slice(0, 2) }, (reader) => expect(soFar(reader)).toEqual([]));
  });

  it('knows from the warm-up how long the commands take: the fastest, and all of them on average', () => {
    const uneven = [20, 60].map((lengthS, i) => ({ variant: ['native', 'container'][i]!, lengthS, loadW: 100 }));
    withSimulatedStore({ blocks: [uneven, uneven] }, (reader) => {
      const asWarmUp = { ...reader, runs: () => reader.runs().map((run) => ({ ...run, status: 'warmup' as const })) };
      expect(summarizeWarmUp(asWarmUp)).toMatchObject({
        executionS: 20,
        meanExecutionS: 40,
        scatter: 'warm-up',
      });
      const once = { ...asWarmUp, runs: () => asWarmUp.runs().slice(0, 2) };
      expect(summarizeWarmUp(once)).toMatchObject({ ownSpread: ASSUMED_SPREAD, scatter: 'assumed' });
    });
  });

  it('knows nothing of runs to come where there was no warm-up', () => {
    withSimulatedStore({ blocks: blocks(5) }, (reader) => expect(summarizeWarmUp(reader)).toBeNull());
  });
});
