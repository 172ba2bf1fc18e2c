// Class: unit.
import { describe, expect, it } from '@jest/globals';
import type { Experiment } from '../../src/experiment/experiment.ts';
import { noiseExperiment } from '../../src/experiment/noise.ts';
import { overrideFromSetting } from '../../src/experiment/overrides.ts';
import { parseExperiment } from '../../src/experiment/read.ts';
import { parse, refusal } from './support.ts';

const BASE = 'workload: { run: "true" }\nvariants: { native: {}, container: { image: debian } }\n';

const read = (text: string, settings: readonly string[] = []): Experiment =>
  parseExperiment(BASE + text, {
    file: 'j.yml',
    directory: '/tmp',
    overrides: settings.map((setting) => overrideFromSetting(setting)),
  });

describe('cost', () => {
  it('holds price, intensity and task with their units', () => {
    const text = 'cost: { price: 0.30 EUR/kWh, intensity: 380 g/kWh, task: { name: 10^9 queries, runs: 1000 } }';
    expect(read(text).cost).toEqual({
      price: { perKwh: 0.3, currency: 'EUR' },
      intensityGPerKwh: 380,
      task: { name: '10^9 queries', runs: 1000 },
    });
  });

  it('finds the runs of a task from the work that a run does', () => {
    const text = 'cost: { intensity: 0.38 kg CO2e/kWh, task: { name: 10^9 queries, per-run: 1.5e6, total: 1e9 } }';
    const { cost } = read(text);
    expect(cost).toMatchObject({ price: null, intensityGPerKwh: 380 });
    expect(cost?.task?.runs).toBeCloseTo(2000 / 3, 10);
  });

  it('is set key by key from outside the file', () => {
    const settings = ['cost.price=0.0676USD/kWh', 'cost.task.name=10^9 queries', 'cost.task.runs=0.5'];
    expect(read('', settings).cost).toEqual({
      price: { perKwh: 0.0676, currency: 'USD' },
      intensityGPerKwh: null,
      task: { name: '10^9 queries', runs: 0.5 },
    });
  });

  it.each([
    ['price: 0.30', /"0.30" was given; it must be a price per kilowatt-hour with its unit/],
    ['price: 0.30 €/kWh', /it must be a price/],
    ['price: 30 ct/kWh', /it must be a price/],
    ['price: 0.30 EUR/MWh', /it must be a price/],
    ['price: 0.30 EUR/kwh', /it must be a price/],
    ['price: -1 EUR/kWh', /it must be a price/],
    ['intensity: 380', /it must be grams of CO2 equivalent/],
    ['intensity: 380 g/MWh', /it must be grams/],
    ['intensity: 380 mg/kWh', /it must be grams/],
    ['intensity: 380 g/J', /it must be grams/],
    ['intensity: 380 kg/kWh', /up to 5,000 g\/kWh/],
    ['task: { name: x, runs: 1 }', /neither price nor intensity was given/],
    ['price: 1 EUR/kWh, task: { name: x }', /how many runs make up the task; give runs, or per-run and total/],
    ['price: 1 EUR/kWh, task: { name: x, total: 5 }', /give runs, or per-run and total/],
    ['price: 1 EUR/kWh, task: { name: x, runs: 1, total: 5 }', /keep one of the two/],
    ['price: 1 EUR/kWh, task: { name: x, runs: 0 }', /must be a number from 1e-24/],
    ['prise: 1 EUR/kWh', /did you mean "price"/],
    [
      'price: 1 EUR/kWh, task: { name: x, per-run: 1e-320, total: 10 }',
      /per-run.*it must be a number from 1e-24 to 1e24/,
    ],
    ['price: 1 EUR/kWh, task: { name: x, runs: 1e300 }', /runs.*it must be a number from 1e-24 to 1e24/],
  ])('refuses %s', (text, message) => {
    expect(() => read(`cost: { ${text} }`)).toThrow(message);
  });
});

describe('fail-on', () => {
  const plain = { variant: null, channel: null, evenIfInconclusive: false };

  it('is a limit, or a list of limits and maps', () => {
    expect(read('fail-on: 5%').failOn).toEqual([
      { ...plain, text: '5%', metric: 'percent', direction: 'above', limit: 5 },
    ]);
    const list =
      'fail-on: [20 J, { below: -3%, variant: container, channel: package-0, even-if-inconclusive: true }, +1.5 %]';
    expect(read(list).failOn).toEqual([
      { ...plain, text: '20 J', metric: 'joules', direction: 'above', limit: 20 },
      {
        text: '-3%',
        metric: 'percent',
        direction: 'below',
        limit: -3,
        variant: 'container',
        channel: 'package-0',
        evenIfInconclusive: true,
      },
      { ...plain, text: '+1.5 %', metric: 'percent', direction: 'above', limit: 1.5 },
    ]);
  });

  it.each([
    ['fail-on=5%', 1],
    ['fail-on=20 J', 1],
    ['fail-on=[5%, 20 J]', 2],
    ['fail-on={above: 5%, variant: container}', 1],
    ['fail-on=[]', 0],
  ])('is set from outside the file by %s', (setting, count) => {
    expect(read('fail-on: [1%, 2%, 3%]', [setting]).failOn).toHaveLength(count);
  });

  it.each([
    ['5', /"5" was given; it must be a limit with its unit/],
    ['-5%', /"-5%" was given; it must be a limit with its unit/],
    ['5 kJ', /it must be a limit/],
    ['{ above: -5% }', /it must be a limit with its unit/],
    ['{ below: 5% }', /a limit with its sign and unit/],
    ['{ below: -100% }', /a limit with its sign and unit/],
    ['{ abov: 5% }', /did you mean "above"/],
    ['{ above: 5%, below: -5% }', /above and below were both given/],
    ['{ variant: container }', /neither above nor below was given/],
    ['{ above: 5%, variant: contaner }', /no variant; did you mean "container"/],
    ['{ above: 5%, variant: native }\nbaseline: native', /which is the baseline/],
    ['{ above: 5%, variant: native }', /which is the baseline/],
    ['{ above: 5%, variant: container }\nbaseline: container', /which is the baseline/],
    ['[5%, { above: 5%, even-if-inconclusive: maybe }]', /fail-on\[1\]\.even-if-inconclusive.*true or false/],
  ])('refuses %s', (text, message) => {
    expect(() => read(`fail-on: ${text}`)).toThrow(message);
  });

  it.each([
    ['the first of two on the host', 'variants: { base: { revision: main }, head: { revision: HEAD } }', 'base'],
    ['the first of two images', 'variants: { old: { image: a }, new: { image: b } }', 'old'],
    ['the first cell of a matrix', 'matrix: { image: [a, b], network: [bridge, host] }', 'a/bridge'],
    ['a variant beside a matrix', 'matrix: { image: [a, b] }\nvariants: { here: { image: c } }', 'a'],
  ])('refuses the baseline by default, %s', (_, variants, baseline) => {
    const given = `workload: { run: x }\n${variants}\nfail-on: { above: 5%, variant: ${baseline} }`;
    expect(refusal(() => parse(given))).toContain(`"${baseline}" was given, which is the baseline`);
  });

  it('has nothing to say about a baseline against itself', () => {
    expect(noiseExperiment(read('fail-on: 5%')).failOn).toBeUndefined();
  });
});
