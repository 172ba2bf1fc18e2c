// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { analyzeStore } from '../../src/analysis/analyze.ts';
import { emulatedVariants } from '../../src/findings/emulated.ts';
import { getStanding } from '../../src/report/verdict.ts';
import { headline } from '../../src/report/words/headline.ts';
import { reportedCheck } from '../report/words/reported.ts';
import { nativeAndContainer, wallMeter } from '../store/fixtures.ts';
import { type SimulatedExperiment, type SimulatedRun, withSimulatedStore } from './simulated-store.ts';

const run = (variant: string, lengthS: number, loadW: number, executions = 1): SimulatedRun => ({
  variant,
  lengthS,
  loadW,
  executions,
});
const blocks = Array.from({ length: 8 }, (_, i) => [
  run('native', 31 + (i % 3), 65),
  run('container', 33 + (i % 2), 64 + (i % 3)),
]);

describe('analyzeStore', () => {
  it('gives every run its energy and how far that can be trusted', () => {
    const { runs, findings } = withSimulatedStore({ blocks }, analyzeStore);
    for (const one of runs) {
      const load = blocks.flat()[one.run - 1] as SimulatedRun;
      expect(one.energyJ).toBeCloseTo(load.loadW * load.lengthS, 6);
      expect(one.netEnergyJ).toBeCloseTo((load.loadW - 40) * load.lengthS, 6);
      // 1.5 % of the energy and 0.3 W, as rectangular limits, twice: the rest of it is small here.
      const classJ = (2 * Math.hypot(0.015 * load.loadW * load.lengthS, 0.3 * load.lengthS)) / Math.sqrt(3);
      expect((one.uncertaintyJ as number) / classJ).toBeGreaterThan(1 - 1e-9);
      expect((one.uncertaintyJ as number) / classJ).toBeLessThan(1.02);
      expect(one.netUncertaintyJ).toBeLessThan(one.uncertaintyJ as number);
    }
    const [native] = findings.variants;
    expect(native?.energy_uncertainty_j?.of_mean).toBeGreaterThan(native?.energy_uncertainty_j?.systematic as number);
    expect(native?.executions_per_run).toBe(1);
  });

  it('names the commit of the working tree, unless every variant has one of its own', () => {
    const sha = 'a'.repeat(40);
    const files = { commit: sha, changes: 'digest', named: {} };
    const commitIn = (simulated: SimulatedExperiment) =>
      withSimulatedStore(simulated, analyzeStore).findings.experiment.commit;
    expect(commitIn({ blocks, files })).toEqual({ sha, dirty: true });
    expect(commitIn({ blocks, files: { ...files, changes: null } })).toEqual({ sha, dirty: false });
    expect(commitIn({ blocks, files: { ...files, commit: null } })).toBeUndefined();
    expect(commitIn({ blocks })).toBeUndefined();
    const revision = { name: 'main', commit: 'b'.repeat(40) };
    const variants = nativeAndContainer.variants.map((variant) => ({ ...variant, revision }));
    expect(commitIn({ blocks, files, experiment: { variants } })).toBeUndefined();
  });

  it('compares in percent without the gain of the meter, and above idle too', () => {
    const [comparison] = withSimulatedStore({ blocks }, analyzeStore).findings.comparisons;
    expect(comparison?.meter_uncertainty_percent).toBeLessThan(0.02);
    const net = comparison?.net_energy;
    expect(net?.percent).toBeCloseTo(100 * (mean('container') / mean('native') - 1), 6);
    expect(net?.difference_j).toBeCloseTo(mean('container') - mean('native'), 6);
  });

  it('takes no run whose window holds another number of executions', () => {
    const [first, ...others] = blocks;
    const odd = [first as SimulatedRun[], ...others.slice(1), [run('native', 31, 65, 2), run('container', 33, 65)]];
    const { findings, runs } = withSimulatedStore({ blocks: odd }, analyzeStore);
    expect(runs.filter((one) => one.status === 'invalid')).toMatchObject([
      { executions: 2, reason: { kind: 'other-executions', executions: 2, others: 1 } },
    ]);
    expect(findings.comparisons[0]?.blocks).toBe(odd.length - 1);
  });

  it('takes of a block only the newest attempt, whatever the earlier one was recorded as', () => {
    const { findings, runs } = withSimulatedStore({ blocks }, (reader) =>
      // The native run of the second block is of a repetition that was killed before its other run.
      analyzeStore({
        ...reader,
        runs: () => reader.runs().map((one) => (one.run === 3 ? { ...one, attempt: 2 } : one)),
      }),
    );
    expect(runs.filter((one) => one.status !== 'ok')).toMatchObject([
      { run: 4, status: 'invalid', reason: { kind: 'block-repeated' } },
    ]);
    expect(findings.comparisons[0]).toMatchObject({ blocks: blocks.length - 1, n_variant: blocks.length - 1 });
  });

  it('distrusts only the wall meter, and what is computed from it, if its clock is wrong', () => {
    const wall = {
      ...wallMeter,
      channels: wallMeter.channels.map(
        (c) => ({ ...c, part: 'machine', clock: 'meter', samplingPeriodS: 1.02 }) as const,
      ),
    };
    const rapl = {
      ...wallMeter,
      type: 'rapl',
      address: null,
      channels: wallMeter.channels.map(
        (c) =>
          ({
            ...c,
            channel: 'package+dram',
            part: 'package-and-dram',
            integration: 'counter',
            clock: 'host',
            edgeS: 0.001,
          }) as const,
      ),
    };
    const standings = (meters: NonNullable<SimulatedExperiment['meters']>) => {
      const { findings } = withSimulatedStore({ blocks, meters }, analyzeStore);
      const [clock] = findings.quality.checks.filter(({ name }) => name === 'sample clock').map(reportedCheck);
      return {
        title: clock?.name,
        untrusted: findings.comparisons
          .filter((comparison) => getStanding({ findings, comparison }) === 'untrusted')
          .map(({ channel }) => channel),
      };
    };
    expect(standings([rapl, wall])).toEqual({
      title: 'sample clock of wall, session 1',
      untrusted: ['wall', 'everything-else'],
    });
    expect(standings([wall, rapl])).toEqual({ title: 'sample clock', untrusted: ['wall', 'everything-else'] });
  });

  it('counts the hidden arm of a baseline with emulated processors among the emulated variants', () => {
    const [native, container] = nativeAndContainer.variants;
    const variants = [native!, container!, { ...native!, name: 'native (again)', hidden: true as const }];
    const { findings } = withSimulatedStore({ blocks, experiment: { variants } }, (reader) =>
      analyzeStore({
        ...reader,
        variants: () =>
          reader.variants().map((one) => (one.name === 'container' ? one : { ...one, facts: { vm_accel: 'tcg' } })),
      }),
    );
    expect(emulatedVariants(findings)).toEqual(['native', 'native (again)']);
  });

  it('says of a run without energy beside the primary channel that it is missing there alone', () => {
    const address = '/dev/serial/by-id/two';
    const beside = { ...wallMeter, address, channels: wallMeter.channels.map((c) => ({ ...c, channel: 'plug' })) };
    const { findings, runs } = withSimulatedStore({ blocks, meters: [wallMeter, beside] }, (reader) =>
      analyzeStore({
        ...reader,
        samples: (session, channel) => {
          const all = reader.samples(session, channel);
          if (channel !== 'plug') return all;
          const keep = all.tNs.findIndex((t) => t > Number(reader.runs()[3]!.startNs - reader.sessions()[0]!.originNs));
          const part = (column: Float64Array): Float64Array => column.slice(0, keep);
          return { ...all, tNs: part(all.tNs), powerW: part(all.powerW), durationS: part(all.durationS) };
        },
      }),
    );
    expect(runs.filter(({ status, channel }) => status === 'invalid' && channel === 'plug')).toHaveLength(13);
    expect(findings.comparisons.map(({ channel, blocks: n }) => [channel, n])).toEqual([
      ['wall', 8],
      ['plug', 1],
    ]);
    expect(findings.meter.other_meters).toEqual([`${wallMeter.type}:${address}`]);
    expect(findings.quality.checks.map(reportedCheck).find(({ name }) => name === 'runs')?.detail).toBe(
      'On plug alone 13 runs failed, were invalid or were excluded with their block, and are not compared there.',
    );
  });

  it('compares a run on the primary channel whose readings are missing on another', () => {
    const beside = {
      ...wallMeter,
      address: '/dev/two',
      channels: wallMeter.channels.map((c) => ({ ...c, channel: 'plug' })),
    };
    const reason = 'readings are missing: The counter plug was reset';
    const { findings, runs } = withSimulatedStore({ blocks, meters: [wallMeter, beside] }, (reader) =>
      analyzeStore({ ...reader, unread: () => new Map([[3, [{ channel: 'plug', reason }]]]) }),
    );
    expect(runs.filter(({ run: number }) => number === 3)).toMatchObject([
      { channel: 'wall', status: 'ok', reason: null, energyJ: expect.any(Number) },
      { channel: 'plug', status: 'invalid', reason: { kind: 'recorded', text: reason }, energyJ: null },
    ]);
    expect(findings.comparisons.map(({ channel, blocks: n }) => [channel, n])).toEqual([
      ['wall', 8],
      ['plug', 7],
    ]);
  });

  it('compares the pairs that the experiment names, and judges them together', () => {
    const names = ['native', 'container', 'third'];
    const blocks = Array.from({ length: 12 }, (_, b) =>
      names.map((variant, i) => ({ variant, lengthS: 10, loadW: 60 + 10 * i + (b % 4) / 10 })),
    );
    const [template] = nativeAndContainer.variants;
    const experiment = {
      variants: names.map((name) => ({ ...template!, name })),
      comparisons: [
        { baseline: 'container', variant: 'third' },
        { baseline: 'native', variant: 'third' },
      ],
    };
    const { findings } = withSimulatedStore({ blocks, experiment }, analyzeStore);
    expect(
      findings.comparisons.map(({ baseline, variant, verdict, family_size }) => [
        baseline,
        variant,
        verdict,
        family_size,
      ]),
    ).toEqual([
      ['container', 'third', 'increase', 2],
      ['native', 'third', 'increase', 2],
    ]);
    expect(headline(findings).short).toBe('2 use more energy');
    // No pair with the same factor in every block is that of native and container.
    const scaled = blocks.map((of, b) => {
      const [native, container, third] = of as [SimulatedRun, SimulatedRun, SimulatedRun];
      const loadW = container.loadW + ((b * 7) % 5) / 3;
      return [native, { ...container, loadW }, { ...third, loadW: loadW * 1.05, lengthS: b === 3 ? 2 : 10 }];
    });
    const checksOf = (pairs: { baseline: string; variant: string }[], of = scaled) =>
      withSimulatedStore({ blocks: of, experiment: { ...experiment, comparisons: pairs } }, analyzeStore).findings
        .quality.checks;
    const alike = scaled.map((of) => of.map((one) => ({ ...one, lengthS: 10 })));
    const repeats = (pairs: { baseline: string; variant: string }[]) =>
      checksOf(pairs, alike).find(({ name }) => name === 'repetition');
    expect(repeats([{ baseline: 'container', variant: 'third' }])).toMatchObject({
      state: 'fail',
      facts: { variants: ['third'], baselines: ['container'] },
    });
    expect(repeats([{ baseline: 'native', variant: 'third' }])).toBeUndefined();
    // The shortest window is that of a variant that no pair names.
    const length = checksOf([{ baseline: 'native', variant: 'container' }]).find(({ name }) => name === 'run length');
    expect(length?.facts).toMatchObject({ shortest_s: 2 });
  });
});

const mean = (variant: string): number => {
  const own = blocks.flat().filter((one) => one.variant === variant);
  return own.reduce((sum, one) => sum + (one.loadW - 40) * one.lengthS, 0) / own.length;
};
