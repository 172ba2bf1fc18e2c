// Class: unit.
import { expect, it } from '@jest/globals';
import { analyzeStore } from '../../../src/analysis/analyze.ts';
import { reportedCheck } from '../../report/words/reported.ts';
import { withSimulatedStore } from '../simulated-store.ts';

const blocks = Array.from({ length: 6 }, () =>
  ['native', 'container'].map((variant) => ({ variant, lengthS: 40, loadW: 65 })),
);

type Left = Readonly<Record<string, { readonly names: readonly string[]; readonly runOn: boolean }>>;

/** What is told where these were left by variant. */
const reported = (left: Left) =>
  withSimulatedStore({ blocks }, (reader) => {
    const places = reader.runs().map(({ run, variant }) => {
      const { names = [], runOn = false } = left[variant] ?? {};
      return [
        run,
        { starts: 1, startUpS: null, preparedNames: names, preparedRunOn: runOn, limitUnseen: false },
      ] as const;
    });
    return analyzeStore({ ...reader, places: () => new Map(places) })
      .findings.quality.checks.filter(({ name }) => name === 'left by prepare')
      .map(reportedCheck);
  });

const onHost = { names: ['redis-server'], runOn: true };

it('warns where what prepare left had ended when the command ran', () => {
  expect(reported({ native: onHost, container: { names: ['redis-server', 'sh'], runOn: false } })).toEqual([
    {
      name: 'left by prepare',
      state: 'warn',
      detail:
        '`prepare` of native left redis-server running; it kept running during the command. `prepare` of container left redis-server, sh running; they ended with `prepare`.',
      advice:
        'In a container, `prepare` and `run` are two container starts, and only files survive the first. Put a server that the command needs under `services`, which start it in every variant alike.',
    },
  ]);
});

it('warns where it runs on beside some variants only', () => {
  expect(reported({ native: onHost })).toMatchObject([
    { state: 'warn', advice: expect.stringContaining('The other variants had no such process.') },
  ]);
});

it('tells of it where all have it, and nothing where none has', () => {
  expect(reported({ native: onHost, container: onHost })).toMatchObject([{ state: 'ok', advice: null }]);
  expect(reported({})).toEqual([]);
});
