// Class: world, computes.
import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ObservedRun } from '../../../../../src/contracts/observed-run.ts';
import { type ProfileTree, profileTree } from '../../../../../src/parts/explain/analysis/tree.ts';
import { flameCaption } from '../../../../../src/parts/explain/report/flame/flame.ts';
import { pageProfile } from '../../../../../src/parts/explain/report/page-profile.ts';
import { profileFiles } from '../../../../../src/parts/explain/report/profiles/files.ts';
import { addToReport } from '../../../../../src/parts/explain/report/report.ts';
import { writeReport } from '../../../../../src/report/write.ts';
import { hostileNames } from '../../../../report/fixtures.ts';
import { syntheticAnalysis } from '../../../../report/synthetic/analysis.ts';
import { observedRuns, withObserved } from '../../../../report/synthetic/observed.ts';
import { SPEEDSCOPE } from './speedscope-schema.ts';

const made = (tree: ProfileTree): Map<string, string | Uint8Array> =>
  new Map(
    [...profileFiles(tree, 'redis')].map(({ name, content }) => [
      name,
      typeof content === 'string' || content instanceof Uint8Array ? content : [...content].join(''),
    ]),
  );
const text = (files: Map<string, string | Uint8Array>, name: string): string => {
  const content = files.get(name);
  if (typeof content !== 'string') throw new Error(`no text: ${name} of ${[...files.keys()]}`);
  return content;
};
const treeOf = (observed: readonly ObservedRun[]): ProfileTree => {
  const tree = profileTree(observed);
  if (tree === null) throw new Error('no tree');
  return tree;
};
const seconds = (observed: readonly ObservedRun[], variant: string): number => {
  const runs = observed.filter((run) => run.variant === variant);
  return runs.flatMap(({ phases }) => phases).reduce((sum, { cpuS }) => sum + cpuS, 0) / runs.length;
};

/** Functions, phases and variants that are called what breaks a format. */
const HOSTILE = [...hostileNames, 'a;b 12', 'x\n7', '\u0000', '\u202egnp.exe', 'a\ud800b', '', ' ', '"}],', 'f 0x1; g'];
const hostile = ((): ObservedRun[] =>
  ['one', 'two'].map((variant, run) => ({
    variant,
    run,
    phases: HOSTILE.map((phase) => {
      const stacks = [{ frames: HOSTILE.map((name) => ({ name, library: `/lib/${name}` })), seconds: 0.25 }];
      return { phase, wallS: 1, cpuS: 0.25, stacks, counts: [] };
    }),
  })))();

describe('exports of profiles', () => {
  const observed = observedRuns();
  const files = made(treeOf(observed));

  it('are three, two of them for each variant', () => {
    expect([...files.keys()]).toEqual([
      '1-native.folded',
      '1-native.pb.gz',
      '2-debian.folded',
      '2-debian.pb.gz',
      'speedscope.json',
    ]);
  });

  it('are numbered as the experiment has its variants, whichever ran first', () => {
    const tree = profileTree(observed.toReversed(), ['native', 'debian']);
    expect(tree?.variants.map(({ name }) => name)).toEqual(['native', 'debian']);
    expect(text(made(tree!), '1-native.folded').split('\n')).toHaveLength(
      text(files, '1-native.folded').split('\n').length,
    );
  });

  it('hold the mean of a run in folded stacks, under names that two C libraries share', () => {
    const lines = ['1-native.folded', '2-debian.folded'].map((name) => text(files, name).trimEnd().split('\n'));
    const stacks = lines.map((all) => new Set(all.map((line) => line.replace(/ \d+$/, ''))));
    const copy = 'LRANGE_600;main;aeMain;aeProcessEvents;call;lrangeCommand;_addReplyToBufferOrList;memcpy';
    for (const all of stacks) expect(all).toContain(copy);
    for (const all of stacks) expect(all).toContain(copy.replace('memcpy', 'malloc'));
    for (const [i, variant] of ['native', 'debian'].entries()) {
      const sum = lines[i]!.reduce((total, line) => total + Number(line.split(' ').at(-1)), 0);
      expect(sum / 1e6).toBeCloseTo(seconds(observed, variant), 3);
    }
  });

  it('are as the published schema of speedscope asks', () => {
    const file = JSON.parse(text(files, 'speedscope.json'));
    const validate = new Ajv({ strict: false }).compile(SPEEDSCOPE);
    expect([validate(file), validate.errors]).toEqual([true, null]);
    expect(file.profiles.map(({ name }: { name: string }) => name)).toEqual([
      'native: SET',
      'native: LRANGE_600',
      'debian: SET',
      'debian: LRANGE_600',
    ]);
    const turned = observed.map((run) => ({ ...run, phases: run.phases.toReversed() }));
    const greatestLast = JSON.parse(text(made(treeOf(turned)), 'speedscope.json'));
    expect(greatestLast.profiles[greatestLast.activeProfileIndex].name).toMatch(/: SET$/);
    for (const { samples, weights, endValue } of file.profiles) {
      expect(samples).toHaveLength(weights.length);
      expect(endValue).toBeCloseTo(
        weights.reduce((sum: number, of: number) => sum + of, 0),
        9,
      );
      expect(samples.flat().every((frame: number) => file.shared.frames[frame] !== undefined)).toBe(true);
    }
  });

  it('say in what time they are', () => {
    const threads = made(treeOf(observed.map((run) => ({ ...run, isThreadTime: true as const }))));
    expect(JSON.parse(text(threads, 'speedscope.json')).name).toMatch(/thread time/);
    expect(Buffer.from(gunzipSync(threads.get('1-native.pb.gz') as Uint8Array)).toString('latin1')).toMatch(/thread/);
  });

  it('are of the whole run where nobody told when', () => {
    const whole = observed.map(({ phases, ...run }) => ({
      ...run,
      phases: phases.map((phase) => ({ ...phase, stacks: [] })),
      stacks: phases.flatMap(({ stacks }) => stacks),
    }));
    const untimed = made(treeOf(whole));
    const sum = (all: Map<string, string | Uint8Array>) =>
      text(all, '2-debian.folded')
        .trimEnd()
        .split('\n')
        .reduce((total, line) => total + Number(line.split(' ').at(-1)), 0);
    expect(text(untimed, '2-debian.folded')).not.toMatch(/LRANGE|outside/m);
    expect(sum(untimed) / sum(files)).toBeCloseTo(1, 3);
  });

  it('fold what is rare among very many stacks, lose none of its time, and say so', () => {
    const [run] = observed;
    const library = '/usr/bin/server';
    const often = Array.from({ length: 99 }, () => ({ frames: [{ name: 'often', library }], seconds: 1 }));
    const rare = Array.from({ length: 60_000 }, (_, i) => ({
      frames: [
        { name: 'dispatch', library },
        { name: `handle_${i}`, library },
        { name: 'leaf', library },
      ],
      seconds: 1 / 60_000,
    }));
    const phase = { phase: null, wallS: 100, cpuS: 100, stacks: [...often, ...rare], counts: [] };
    const tree = treeOf([{ ...run!, phases: [phase] }]);
    expect(tree.folded).toEqual({ stacks: 60_000, belowShare: 1e-4 });
    const folded = made(tree);
    expect(text(folded, '1-native.folded')).toBe('often 99000000\ndispatch;(rare stacks) 1000000\n');
    expect(flameCaption(pageProfile(tree)!)).toMatch(/60,000 are followed only .* 0\.010 %/);
    expect(flameCaption(pageProfile(treeOf(observed))!)).not.toContain('followed only');
  });

  it('no name breaks a format or deceives a reader', () => {
    const odd = made(treeOf(hostile));
    for (const line of text(odd, '1-one.folded').trimEnd().split('\n')) {
      expect(line).toMatch(/^[^\n;]+(?:;[^\n;]+)* 250000$/);
    }
    const validate = new Ajv({ strict: false }).compile(SPEEDSCOPE);
    expect(validate(JSON.parse(text(odd, 'speedscope.json')))).toBe(true);
    const all = [...odd.values()].filter((content) => typeof content === 'string').join('');
    expect(all).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202a-\u202e\u2066-\u2069]/);
  });
});

// Where Go's own installer puts it, if it is on no path.
const PATH = `${process.env.PATH}:/usr/local/go/bin`;
const go = spawnSync('go', ['tool', '-n', 'pprof'], { encoding: 'utf8', env: { ...process.env, PATH } });
const withGo = go.status === 0 ? describe : describe.skip;
withGo('go tool pprof, where Go is installed (https://go.dev/dl)', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'joulediff-pprof-'));
    for (const observed of [observedRuns(), hostile]) {
      for (const [name, content] of made(treeOf(observed))) await writeFile(join(folder, name), content);
    }
  });
  afterAll(() => rm(folder, { recursive: true }));

  const pprof = (...args: string[]): string => {
    const { status, stdout, stderr } = spawnSync('go', ['tool', 'pprof', '-symbolize=none', ...args], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, PATH, PPROF_TMPDIR: folder },
    });
    expect([status, stderr]).toEqual([0, expect.not.stringMatching(/error|malformed|parsing/i)]);
    return stdout;
  };

  it('opens them, and takes one from the other', () => {
    const top = pprof('-top', '-nodecount=3', '-diff_base=1-native.pb.gz', '2-debian.pb.gz');
    expect(top).toMatch(/Type: cpu/);
    const first = top.split('\n').find((line) => / memcpy$/.test(line)) ?? top;
    const [flat = ''] = first.trim().split(/\s+/);
    expect(Number(flat.replace(/m?s$/, '')) * (flat.endsWith('ms') ? 1 : 1000)).toBeGreaterThan(380);
  });

  it('tells the phases apart, whatever they and the functions are called', () => {
    expect(pprof('-top', '-tagfocus=phase=LRANGE_600', '1-native.pb.gz')).not.toMatch(/setCommand/);
    expect(pprof('-tags', '1-one.pb.gz')).toMatch(/phase/);
  });
});
describe('files of a result', () => {
  it('hold the profiles of observed runs, and lose those of an earlier report', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'joulediff-profiles-'));
    try {
      await writeReport(withObserved(syntheticAnalysis()), folder, { part: addToReport });
      expect((await readdir(join(folder, 'profiles'))).sort()).toContain('speedscope.json');
      const explained = JSON.parse(await readFile(join(folder, 'explain.json'), 'utf8'));
      const schema = JSON.parse(
        await readFile(new URL('../../../../../docs/explain.schema.json', import.meta.url), 'utf8'),
      );
      const validate = new Ajv2020().compile(schema);
      expect([validate(explained), validate.errors]).toEqual([true, null]);
      // What scripts rely on.
      expect(Object.keys(explained)).toEqual(expect.arrayContaining(['rungs', 'stretch', 'lines', 'explained_share']));
      expect(Object.keys(explained.lines[0])).toEqual(
        expect.arrayContaining(['phase', 'kind', 'name', 'baseline', 'variant', 'unit', 'difference', 'ci95', 'q']),
      );
      expect(validate({ ...explained, explained_share: 'most' })).toBe(false);
      await writeReport(syntheticAnalysis(), folder, { part: addToReport });
      expect(await readdir(folder)).not.toEqual(expect.arrayContaining(['explain.json']));
      expect(await readdir(folder)).not.toContain('profiles');
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
