// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { noiseExperiment } from '../../src/experiment/noise.ts';
import { makePlan } from '../../src/schedule/randomize.ts';
import { parse, refusal, TWO, withSet } from './support.ts';

describe('noise: inline', () => {
  it('runs the baseline a second time, hidden, in every block', () => {
    const { variants, ...experiment } = parse(`${TWO}noise: inline`);
    const [native] = variants;
    expect(variants.map(({ name, hidden }) => [name, hidden])).toEqual([
      ['native', undefined],
      ['container', undefined],
      ['native (again)', true],
    ]);
    expect(variants[2]).toEqual({ ...native, name: 'native (again)', hidden: true });
    expect(experiment.baseline).toBe('native');
    const { runs } = makePlan({ ...experiment, variants }, 7);
    for (const block of Map.groupBy(runs, (run) => run.block).values()) {
      expect(block.map((run) => run.variant).sort()).toEqual(['container', 'native', 'native (again)']);
    }
  });

  it('is off by default, and changes nothing then', () => {
    expect(parse(`${TWO}noise: off`)).toEqual({ ...parse(TWO), asWritten: expect.stringContaining('noise: off') });
    expect(parse(TWO).variants.some(({ hidden }) => hidden)).toBe(false);
  });

  it('never takes a name that is taken', () => {
    const named = TWO.replace('container:', '"native (again)":');
    expect(withSet(named, 'noise=inline').variants.map(({ name }) => name)).toEqual([
      'native',
      'native (again)',
      'native (again) (again)',
    ]);
  });

  it('is a word of two', () => {
    expect(refusal(() => parse(`${TWO}noise: inlin`))).toContain(
      'noise: "inlin" was given; it must be "off" or "inline" (did you mean "inline"?)',
    );
    expect(refusal(() => parse(`${TWO}noise: true`))).toContain('it must be "off" or "inline"');
  });
});

describe('the A/A experiment', () => {
  it.each(['off', 'inline'])('is the baseline against itself, with noise: %s', (noise) => {
    const experiment = parse(`${TWO}baseline: container\nrest: 7s\nnoise: ${noise}`);
    const { variants, ...others } = noiseExperiment(experiment);
    const container = experiment.variants[1];
    expect(variants).toEqual([container, { ...container, name: 'container (again)', hidden: true }]);
    expect(others).toEqual({ ...others, name: 'project against itself', baseline: 'container', restS: 7 });
  });

  it('runs all of its blocks where the experiment might end early', () => {
    const early = { ...parse(TWO), repetitions: 60, looks: [30, 60] };
    expect(noiseExperiment(early)).toEqual(noiseExperiment({ ...parse(TWO), repetitions: 60 }));
  });
});
