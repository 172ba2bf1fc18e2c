// Class: world.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { Others, perfUser } from '../../../../../src/parts/explain/observers/perf-user/perf-user.ts';
import { nowNs } from '../../../../../src/system/clock.ts';

const signal = new AbortController().signal;

it("what joulediff itself did meanwhile is left out, with its stack, and others' samples are as they are", () => {
  const lines: string[] = [];
  const others = new Others((line) => lines.push(line), 42);
  const text = [
    '   42  1.000000001:    5 ',
    '\tffff uv__io_poll (/usr/bin/node)',
    '',
    '  107  1.000000002:    5 ',
    '\tffff work (/tmp/a)',
    '',
  ];
  for (const line of text) others.take(line);
  expect(lines).toEqual(['1.000000002:    5 ', '\tffff work (/tmp/a)', '']);
});

/** What keeps perf from being used here; null: nothing. */
async function lackHere(): Promise<unknown> {
  const folder = mkdtempSync(join(tmpdir(), 'joulediff-perf-user-'));
  try {
    await perfUser.probe(folder, null);
    return null;
  } catch (thrown) {
    return thrown;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
const limitation = await lackHere();

(limitation === null ? it.skip : it)(
  'says why it can’t be used, where perf is not there or this user may nothing',
  () => {
    expect(limitation).toMatchObject({ limitation: expect.stringMatching(/^(?:no-tool|not-allowed)$/) });
  },
);

const itWithPerf = limitation === null ? it : it.skip;
itWithPerf('sees the functions of a program that is started meanwhile, and nothing of the kernel', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'joulediff-perf-user-'));
  try {
    const observation = await perfUser.start({ group: null, folder, filesOf: null, signal });
    const startNs = nowNs();
    spawnSync('sh', ['-c', 'i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done']);
    const { samples, counts } = await observation.end({ startNs, endNs: nowNs() });
    expect(counts).toEqual([]);
    expect(samples.length).toBeGreaterThan(0);
    const libraries = new Set(samples.flatMap(({ frames }) => frames.map(({ library }) => library ?? '')));
    expect([...libraries].filter((library) => library.startsWith('[kernel'))).toEqual([]);
    expect([...libraries].filter((library) => /\/(?:da|ba)?sh$|\/busybox$/.test(library))).not.toEqual([]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it('does not look into containers, which are no children of ours', async () => {
  const target = { group: null, folder: '/', filesOf: async () => {}, signal };
  await expect(perfUser.start(target)).rejects.toMatchObject({ limitation: 'place-not-seen' });
});
