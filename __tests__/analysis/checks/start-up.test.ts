// Class: unit.
import { expect, it } from '@jest/globals';
import { analyzeStore } from '../../../src/analysis/analyze.ts';
import type { Experiment } from '../../../src/experiment/experiment.ts';
import type { RunPlace } from '../../../src/store/records.ts';
import { reportedCheck } from '../../report/words/reported.ts';
import { withSimulatedStore } from '../simulated-store.ts';

const blocks = Array.from({ length: 6 }, () =>
  ['native', 'container'].map((variant) => ({ variant, lengthS: 40, loadW: 65 })),
);

/** What is told where the container's runs, which are the even ones, take so long to start. */
const reported = (given: Pick<RunPlace, 'starts' | 'startUpS'>, experiment: Partial<Experiment> = {}) =>
  withSimulatedStore({ blocks, experiment }, (reader) => {
    const nothing = { starts: 1, startUpS: null, preparedNames: [], preparedRunOn: false, limitUnseen: false };
    const place = { ...nothing, ...given };
    const places = new Map(reader.runs().map(({ run, variant }) => [run, variant === 'native' ? nothing : place]));
    return analyzeStore({ ...reader, places: () => places })
      .findings.quality.checks.filter(({ name }) => name === 'start-up')
      .map(reportedCheck);
  });

it('warns where more than a tenth of a window is the start of a container', () => {
  expect(reported({ starts: 1, startUpS: 3.9 })).toMatchObject([
    { state: 'ok', detail: 'Starting its container takes 9.8 % of a window, at most.' },
  ]);
  expect(reported({ starts: 1, startUpS: 10 })).toEqual([
    {
      name: 'start-up',
      state: 'warn',
      detail: 'Starting the container of container takes 10 s: 25.0 % of a window (40.0 s).',
      advice:
        'What it costs to start a container is part of these numbers, and of the difference where not every variant starts one. `batch: auto` executes a short command several times within one start. If that cost is the question, `batch: { starts: true }` says so.',
    },
  ]);
});

it('advises a number of executions where batch: auto is in force', () => {
  const [check] = reported({ starts: 1, startUpS: 10 }, { batch: 'auto' });
  expect(check?.advice).toContain('`batch: 3` would spread it over enough executions.');
  expect(check?.advice).not.toContain('batch: auto');
});

it('advises nothing that the experiment file could not ask for', () => {
  expect(reported({ starts: 1, startUpS: 10 }, { phases: 'auto' })).toMatchObject([
    {
      state: 'warn',
      advice:
        'What it costs to start a container is part of these numbers, and of the difference where not every variant starts one. A longer workload makes it a smaller share.',
    },
  ]);
});

it('names what would help where every execution is a start, and does not warn where that was asked for', () => {
  const place = { starts: 80, startUpS: 32 };
  expect(reported(place)).toMatchObject([
    {
      state: 'warn',
      detail: 'Starting the container of container takes 0.40 s: 80.0 % of a window (40.0 s, 80 starts).',
      advice: expect.stringContaining('A shell (`sh`) in the image lets one start hold all executions of a window.'),
    },
  ]);
  expect(reported(place, { batchStarts: true })).toMatchObject([
    { state: 'ok', detail: expect.stringContaining('The experiment file asks for that.') },
  ]);
});

it('says how many executions spread a start that holds several', () => {
  const several = withSimulatedStore({ blocks }, (reader) => {
    const nothing = { starts: 1, startUpS: null, preparedNames: [], preparedRunOn: false, limitUnseen: false };
    const places = new Map(
      reader.runs().map(({ run, variant }) => [run, variant === 'native' ? nothing : { ...nothing, startUpS: 8 }]),
    );
    const runs = () => reader.runs().map((run) => ({ ...run, executions: 20 }));
    return analyzeStore({ ...reader, runs, places: () => places })
      .findings.quality.checks.filter(({ name }) => name === 'start-up')
      .map(reportedCheck);
  });
  // 20 executions take 32 s without the start, 45 take 72 s beside its 8 s.
  expect(several).toMatchObject([
    {
      detail:
        'Starting the container of container takes 8.0 s: 20.0 % of a window (40.0 s, 20 executions in one start).',
      advice: expect.stringContaining('`batch: 45` would spread it over enough executions.'),
    },
  ]);
});

it('says nothing of what needs no start, or was not recorded', () => {
  expect(reported({ starts: 1, startUpS: null })).toEqual([]);
  withSimulatedStore({ blocks }, (reader) => {
    expect(analyzeStore(reader).findings.quality.checks.map(({ name }) => name)).not.toContain('start-up');
  });
});
