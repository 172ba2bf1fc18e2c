// Class: system.
import { describe, expect, it } from '@jest/globals';
import { historyCsv } from '../../../../src/parts/fleet/history/files.ts';
import type { HistoryRecord } from '../../../../src/parts/fleet/history/record.ts';
import { type TrendSeries, trendOf } from '../../../../src/parts/fleet/history/trend.ts';
import { failed, line } from './records.ts';

const [first] = line({ count: 1 }) as [HistoryRecord];

describe('lines', () => {
  it.each<[string, Partial<HistoryRecord>]>([
    ['host', { machine: { ...first.machine, hostname: 'bench-02' } }],
    ['processor', { machine: { ...first.machine, cpu: 'another' } }],
    ['number of processors', { machine: { ...first.machine, cpus: 6 } }],
    ['hypervisor', { machine: { ...first.machine, virtualization: 'kvm' } }],
    ['type of meter', { meter: { ...first.meter, type: 'rapl' } }],
    ['port', { meter: { ...first.meter, address: '/dev/serial/by-id/other' } }],
    ['meter on the same port', { meter: { ...first.meter, identity: 'f'.repeat(16) } }],
    ['channel', { meter: { ...first.meter, channel: 'package' } }],
    ['source: an emulator', { meter: { ...first.meter, source: 'emulated' } }],
    ['source: a model', { meter: { ...first.meter, source: 'modelled' } }],
    ['experiment', { experiment: 'other' }],
    ['repository', { repository: 'https://github.com/octo/other' }],
  ])('are never shared by another %s', (_, changes) => {
    const records = line({ count: 6 });
    const mixed = records.map((record, i) => (i % 2 === 0 ? record : { ...record, ...changes }));
    expect(trendOf(records)).toHaveLength(1);
    const places = trendOf(mixed);
    expect(places.map(({ startedAt }) => startedAt.length)).toEqual([3, 3]);
    // The one measured last comes first.
    expect(places[0]!.startedAt.at(-1)).toBe(records.at(-1)!.started_at);
  });

  it('go on over another kernel, governor or version', () => {
    const records = line({ count: 4 }).map((record, i) => ({
      ...record,
      joulediff_version: `0.${i}.0`,
      conditions: { ...record.conditions, kernel: `6.1.${i}` },
    }));
    expect(trendOf(records)).toHaveLength(1);
  });

  it('are in the order of measuring, whatever the order of reading', () => {
    const records = line({ count: 20, seed: 3 });
    expect(trendOf([...records].reverse())).toEqual(trendOf(records));
    expect(trendOf(records)[0]!.startedAt).toEqual(records.map(({ started_at }) => started_at));
  });

  it('leave out experiments that lack the variant', () => {
    const records = line({ count: 10 }).map((record, i) =>
      i % 2 === 0 ? record : { ...record, variants: record.variants.slice(0, 1) },
    );
    const [place] = trendOf(records);
    expect(place!.lines.map(({ variant, at }) => [variant, at.length])).toEqual([
      ['native', 10],
      ['container', 5],
    ]);
  });
});

describe('steps', () => {
  it('are told with the experiments on both sides and what else changed', () => {
    const records = line({ count: 80, steps: { 50: 3 }, rebuilt: [50] }).map((record, i) =>
      i < 50 ? record : { ...record, conditions: { ...record.conditions, kernel: '6.1.0-41-amd64' } },
    );
    const [native, container] = trendOf(records)[0]!.lines;
    expect(native!.steps).toHaveLength(1);
    expect(native!.steps[0]).toMatchObject({ before: 49, at: 50, changed: ['kernel 6.1.0-40-amd64 → 6.1.0-41-amd64'] });
    expect(container!.steps[0]!.changed).toEqual([
      'kernel 6.1.0-40-amd64 → 6.1.0-41-amd64',
      expect.stringMatching(/^image debian:12 \([0-9a-f]{12}\) → debian:12 \([0-9a-f]{12}\)$/),
    ]);
    expect(native!.levels.map(({ from, to }) => [from, to])).toEqual([
      [0, 49],
      [50, 79],
    ]);
    expect(native!.levels[1]!.value / native!.levels[0]!.value).toBeCloseTo(1.03, 2);
  });
});

describe('experiments that can’t be trusted', () => {
  const failing = (record: HistoryRecord) => ({ ...record, failed_checks: ['run length'] });

  it('make no step, and stay in the line', () => {
    const records = line({ count: 60, steps: { 30: 4, 45: -4 } }).map((record, i) =>
      i >= 30 && i < 45 ? failing(record) : record,
    );
    const [series] = trendOf(records);
    for (const { at, steps, levels } of [...series!.lines, ...series!.differences]) {
      expect({ points: at.length, steps, levels: levels.length }).toEqual({ points: 60, steps: [], levels: 1 });
    }
    const alone = trendOf(records.filter(({ failed_checks: checks }) => checks.length === 0))[0]!.lines[0]!;
    expect(series!.lines[0]!.levels[0]!.value).toBe(alone.levels[0]!.value);
  });

  it('are not named as the first behind a step, nor as the last before it', () => {
    const records = line({ count: 80, steps: { 50: 3 } });
    const [step] = trendOf(records.map((one, i) => (i >= 48 && i < 52 ? failing(one) : one)))[0]!.lines[0]!.steps;
    expect(step).toMatchObject({ before: 47, at: 52, commits: [records[47]!.commit, records[52]!.commit] });
  });
});

describe('differences', () => {
  const costlier = (record: HistoryRecord): HistoryRecord => {
    const times = (percent: number): number => 100 * ((1 + percent / 100) * 1.03 - 1);
    return {
      ...record,
      variants: record.variants.map((v) => (v.name === 'native' ? v : { ...v, energy_j: 1.03 * v.energy_j })),
      comparisons: record.comparisons.map((c) => ({
        ...c,
        percent: times(c.percent!),
        ci95: [times(c.ci95![0]), times(c.ci95![1])],
      })),
    };
  };

  it('hold what each experiment compared, and nothing where it could not', () => {
    const records = line({ count: 6, variants: { native: 100, debian: 103, alpine: 99 } }).map((record, i) =>
      i === 2 ? { ...record, comparisons: [{ ...record.comparisons[0]!, percent: null, ci95: null }] } : record,
    );
    const [{ differences }] = trendOf(records) as [TrendSeries];
    expect(differences.map(({ variant, baseline }) => [variant, baseline])).toEqual([
      ['debian', 'native'],
      ['alpine', 'native'],
    ]);
    for (const [k, { at, values, lows, highs }] of differences.entries()) {
      const kept = [0, 1, 3, 4, 5].map((i) => records[i]!.comparisons[k]!);
      expect(at).toEqual([0, 1, 3, 4, 5]);
      expect(values).toEqual(kept.map(({ percent }) => percent));
      expect([lows, highs]).toEqual([kept.map(({ ci95 }) => ci95![0]), kept.map(({ ci95 }) => ci95![1])]);
    }
  });

  it('stay where they are when the machine changes, and step when one side does', () => {
    const [machine] = trendOf(line({ count: 60, seed: 3, steps: { 30: 4 } }));
    expect(machine!.lines.map(({ steps }) => steps.length)).toEqual([1, 1]);
    expect(machine!.differences[0]!.steps).toEqual([]);

    const records = line({ count: 60, seed: 12 }).map((record, i) => (i < 35 ? record : costlier(record)));
    const [{ differences, lines }] = trendOf(records) as [TrendSeries];
    expect(lines.map(({ steps }) => steps.length)).toEqual([0, 1]);
    expect(differences[0]!.steps.map(({ at }) => at)).toEqual([35]);
    expect(differences[0]!.steps[0]!.percent).toBeCloseTo(3, 0);
    const levels = differences[0]!.levels.map(({ value }) => value);
    expect(levels[1]! - levels[0]!).toBeCloseTo(3.1, 0);
  });
});

describe('images', () => {
  const withImages = (images: HistoryRecord['variants'][number]['facts'][]) =>
    trendOf(
      line({ count: images.length }).map((record, i) => ({
        ...record,
        variants: record.variants.map((variant) =>
          variant.name === 'container' ? { ...variant, facts: images[i]! } : variant,
        ),
      })),
    )[0]!.lines[1]!.rebuilt;
  const image = (reference: string, id: string, digest: string | null = null) => ({
    image: reference,
    image_id: id,
    image_digest: digest,
  });

  it('show as rebuilt under the same tag, and only then', () => {
    expect(withImages([image('a', '1'), image('a', '1'), image('a', '2'), image('a', '2')])).toEqual([
      { at: 2, reference: 'a', from: '1', to: '2' },
    ]);
    // Another tag is another image on purpose; back at the first, it may have been rebuilt meanwhile.
    expect(withImages([image('a', '1'), image('b', '2'), image('a', '1')])).toEqual([]);
    expect(withImages([image('a', '1'), image('b', '2'), image('a', '3')])).toMatchObject([
      { at: 2, from: '1', to: '3' },
    ]);
  });

  it('are compared by digest where both have one, else by id', () => {
    expect(withImages([image('a', '1', 'x@1'), image('a', '2', 'x@1')])).toEqual([]);
    expect(withImages([image('a', '1'), image('a', '1', 'x@1')])).toEqual([]);
    expect(withImages([image('a', '1', 'x@1'), image('a', '1', 'x@2')])).toMatchObject([
      { at: 1, from: 'x@1', to: 'x@2' },
    ]);
  });

  const service = (name: string, id: string) => ({ [`${name}_image`]: name, [`${name}_image_id`]: id });

  it('of the services of a Compose project count too', () => {
    const images = [
      { ...service('web', '1'), ...service('db', '1') },
      { ...service('web', '1'), ...service('db', '2') },
    ];
    expect(withImages(images)).toEqual([{ at: 1, reference: 'db', from: '1', to: '2' }]);

    const records = line({ count: 80, steps: { 50: 3 } }).map((record, i) => ({
      ...record,
      variants: record.variants.map((one) => ({ ...one, facts: images[i < 50 ? 0 : 1]! })),
    }));
    expect(trendOf(records)[0]!.lines[0]!.steps[0]!.changed).toEqual(['image db (1) → db (2)']);
  });

  it('that joulediff builds itself are no news', () => {
    expect(withImages([image('joulediff/container:1', '1'), image('joulediff/container:1', '2')])).toEqual([]);
  });
});

describe('images that were measured against each other', () => {
  const compared = (images: [string, string][]) =>
    trendOf(
      line({ count: images.length, variants: { native: 10, before: 11, after: 12 } }).map((record, i) => ({
        ...record,
        variants: record.variants.map((variant, k) =>
          k === 0 ? variant : { ...variant, facts: { image: `image-${k}`, image_id: images[i]![k - 1]! } },
        ),
        comparisons: [{ ...record.comparisons[1]!, baseline: 'before', percent: i, ci95: [i - 1, i + 1] }],
      })),
    )[0]!.imagesCompared;

  it('are told with the experiment that did so first, and as often as one of them was rebuilt', () => {
    const images: [string, string][] = [
      ['1', '2'],
      ['1', '2'],
      ['2', '2'],
      ['2', '3'],
    ];
    const of = { baseline: 'before', variant: 'after', references: ['image-1', 'image-2'] };
    expect(compared(images)).toEqual([
      { at: 0, ...of, from: '1', to: '2', percent: 0, ci95: [-1, 1] },
      { at: 3, ...of, from: '2', to: '3', percent: 3, ci95: [2, 4] },
    ]);
  });

  it('are those of a service of two Compose projects, where no other service differs', () => {
    const compare = (web: string) => {
      const [record] = line({ count: 1, variants: { before: 11, after: 12 } });
      const ids = [['1', '1'] as const, [web, '2'] as const];
      const variants = record!.variants.map((one, i) => ({
        ...one,
        facts: { web_image: 'web', web_image_id: ids[i]![0], db_image: `db:${i}`, db_image_id: ids[i]![1] },
      }));
      const comparisons = [{ ...record!.comparisons[0]!, baseline: 'before' }];
      return trendOf([{ ...record!, variants, comparisons }])[0]!.imagesCompared;
    };
    expect(compare('1')).toMatchObject([{ references: ['db:0', 'db:1'], from: '1', to: '2' }]);
    expect(compare('3')).toEqual([]);
  });

  it('are none where a variant runs on the host', () => {
    expect(trendOf(line({ count: 3, rebuilt: [1] }))[0]!.imagesCompared).toEqual([]);
  });
});

describe('history.csv', () => {
  it('has a line for each experiment and variant, with names that no spreadsheet obeys', () => {
    const records = line({ count: 3, variants: { native: 10, '=cmd()': 11, 'a,"b"': 12 } });
    const lines = historyCsv(trendOf(records)).trimEnd().split('\n');
    expect(lines).toHaveLength(1 + 9);
    expect(lines[0]).toMatch(/^repository,experiment,/);
    expect(lines.join('\n')).toContain(`,'=cmd(),30,`);
    expect(lines.join('\n')).toContain(`,"a,""b""",30,`);
    expect(lines[1]).toContain(`,${records[0]!.variants[0]!.energy_j},`);
    const { percent, ci95 } = records[0]!.comparisons[0]!;
    expect(lines[4]).toMatch(new RegExp(`,native,${percent},${ci95![0]},${ci95![1]},,,ok$`));
  });

  it('has a failed experiment where it was measured, without numbers', () => {
    const records = line({ count: 3 });
    const mixed = [records[0]!, failed(records[1]!, 'container'), records[2]!];
    const lines = historyCsv(trendOf(mixed)).trimEnd().split('\n');
    expect(lines.map((text) => text.split(',').at(-1))).toEqual(['status', 'ok', 'ok', 'ok', 'failed', 'ok']);
    const { started_at, commit, report } = records[1]!;
    expect(lines[4]).toMatch(`,${started_at},${commit},container,,,,,,,${report ?? ''},,,,,,,failed`);
  });
});
