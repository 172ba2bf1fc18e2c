// Class: unit.
import { expect, it } from '@jest/globals';
import { analyzeStore } from '../../../src/analysis/analyze.ts';
import type { RunIncidents } from '../../../src/store/records.ts';
import { reportedCheck } from '../../report/words/reported.ts';
import { withSimulatedStore } from '../simulated-store.ts';

const blocks = Array.from({ length: 6 }, () =>
  ['native', 'container'].map((variant) => ({ variant, lengthS: 31, loadW: 65 })),
);

const reported = (incidents: Map<number, RunIncidents>) =>
  withSimulatedStore({ blocks }, (reader) =>
    analyzeStore({ ...reader, incidents: () => incidents })
      .findings.quality.checks.filter(({ name }) => name === 'throttling' || name === 'kernel messages')
      .map(reportedCheck),
  );

it('marks throttled runs, and those in which the kernel warned', () => {
  const quiet = Array.from({ length: 12 }, (_, i): [number, RunIncidents] => [
    i + 1,
    { throttled: 0, kernelMessages: [] },
  ]);
  const hot = { throttled: 4, kernelMessages: ['cpu clock throttled'] };
  expect(reported(new Map([...quiet, [3, hot]]))).toEqual([
    {
      name: 'throttling',
      state: 'warn',
      detail:
        'Processors were throttled in 1 run: run 3 of native. They then compute more slowly, at a different power.',
      advice: 'Improve the cooling, rest longer, or limit the frequency; a throttled run measures the heat, too.',
    },
    {
      name: 'kernel messages',
      state: 'warn',
      detail: 'The kernel logged warnings in 1 run: run 3 of native. The first: `cpu clock throttled`.',
      advice: '`dmesg` shows them all. Warnings about hardware, memory or disks may explain an outlier.',
    },
  ]);
  expect(reported(new Map(quiet)).map(({ state }) => state)).toEqual(['ok', 'ok']);
});

it('says nothing of what was never looked for', () => {
  expect(reported(new Map())).toEqual([]);
  expect(reported(new Map([[1, { throttled: null, kernelMessages: [] }]]))).toMatchObject([
    { name: 'kernel messages' },
  ]);
});

it('warns of runs of which nothing could tell whether they met a limit, and says nothing where there are none', () => {
  const withUnseen = (unseen: readonly number[]) =>
    withSimulatedStore({ blocks }, (reader) => {
      const nothing = { starts: 1, startUpS: null, preparedNames: [], preparedRunOn: false };
      const places = reader.runs().map(({ run }) => [run, { ...nothing, limitUnseen: unseen.includes(run) }] as const);
      return analyzeStore({ ...reader, places: () => new Map(places) })
        .findings.quality.checks.filter(({ name }) => name === 'limits')
        .map(reportedCheck);
    });
  expect(withUnseen([])).toEqual([]);
  expect(withUnseen([2])).toMatchObject([
    {
      state: 'warn',
      detail: expect.stringMatching(/^Whether 1 run hit a limit on memory or processes is not known: run 2 of \w+\. /),
    },
  ]);
});
