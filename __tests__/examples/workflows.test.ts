// Class: unit.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { readInputs, readMode } from '../../src/action/inputs.ts';
import { readGatherInputs } from '../../src/parts/fleet/action/gather-inputs.ts';
import { REQUEST_OUTPUTS } from '../../src/parts/fleet/request/request.ts';

interface Workflow {
  readonly on: string | Record<string, unknown>;
  readonly permissions: Record<string, string>;
  readonly jobs: Record<
    string,
    { permissions?: Record<string, string>; steps: { uses?: string; with?: object; run?: string }[] }
  >;
}

const names = readdirSync('examples/workflows').sort();
const read = (name: string): Workflow => parse(readFileSync(`examples/workflows/${name}`, 'utf8'));

/** The jobs with their permissions, what they use, and the inputs that they give the action. */
const jobs = names.flatMap((name) => {
  const { on, jobs: all, permissions } = read(name);
  return Object.entries(all).map(([id, each]) => {
    const step = each.steps.find(({ uses }) => uses?.includes('/joulediff@'));
    return {
      id: `${name}: ${id}`,
      event: typeof on === 'string' ? on : Object.keys(on)[0],
      permissions: each.permissions ?? permissions,
      uses: each.steps.map(({ uses }) => uses ?? ''),
      runs: each.steps.map(({ run }) => run ?? ''),
      given: (step?.with ?? {}) as Record<string, unknown>,
    };
  });
});

/** What the expressions of a workflow may give. */
const GIVEN: Readonly<Record<string, string>> = { base: 'main...feature', head: 'd'.repeat(40), 'pull-request': '5' };
const withJoulediff = jobs.filter(({ uses }) => uses.some((action) => action.includes('/joulediff@')));

describe('examples/workflows', () => {
  it('are those that are tested', () => {
    expect(names).toEqual([
      'dockerfile.yml',
      'fork-measure.yml',
      'fork-publish.yml',
      'history.yml',
      'machines.yml',
      'matrix.yml',
      'native-and-container.yml',
      'on-demand.yml',
      'pull-request.yml',
      'rebuilt.yml',
      'suite.yml',
    ]);
  });

  it.each(withJoulediff)('$id gives the action inputs that it takes', ({ given }) => {
    const get = (name: string) => String(given[name] ?? '').replace(/^\$\{\{.*\}\}$/, GIVEN[name] ?? '');
    const declared = Object.keys(parse(readFileSync('action.yml', 'utf8')).inputs);
    expect(declared).toEqual(expect.arrayContaining(Object.keys(given)));
    const mode = readMode(get, ['publish', 'gather', 'request']);
    expect(() =>
      mode === 'measure'
        ? readInputs(get, '/workspace', { base: 'main...feature', head: 'feature' })
        : readGatherInputs(get, mode as 'publish' | 'gather' | 'request'),
    ).not.toThrow();
  });

  it('leave no credentials of the checkout to the measured code, nor do the other workflows that we show', () => {
    const others = ['README.md', 'src/parts/bench/init/texts.ts', ...readdirSync('docs').map((name) => `docs/${name}`)];
    const files = [...others, ...names.map((name) => `examples/workflows/${name}`)].filter((name) =>
      /\.\w+$/.test(name),
    );
    const checkouts = files.flatMap((file) => {
      const steps = readFileSync(file, 'utf8').split(/\n\s*- (?=uses:|name:|run:)/);
      return steps.filter((step) => step.startsWith('uses: actions/checkout@')).map((step) => ({ file, step }));
    });
    expect(checkouts.length).toBeGreaterThan(6);
    expect(checkouts.filter(({ step }) => !/persist-credentials: false/.test(step))).toEqual([]);
  });

  it.each(withJoulediff)('$id has no right that it does not need', ({ given, permissions }) => {
    const mode = given.mode ?? 'measure';
    const checks = given.check === true ? { checks: 'write' } : {};
    if (mode === 'request') expect(permissions).toEqual({ ...checks, 'pull-requests': 'write' });
    else if (mode !== 'measure') {
      expect(permissions).toEqual({ actions: 'read', ...checks, 'pull-requests': 'write' });
    }
    // A branch of the repository is where it keeps the findings, an issue tells of a step, and its pull request of an acceptance.
    else if (given.history !== undefined) {
      const alerts = String(given.history).includes('alert: issue') ? { issues: 'write', 'pull-requests': 'read' } : {};
      expect(permissions).toEqual({ contents: 'write', ...alerts });
    } else if (given.comment === 'never') expect(permissions).toEqual({ contents: 'read' });
    else expect(permissions).toEqual({ contents: 'read', 'pull-requests': 'write' });
  });

  it.each(jobs)('$id puts no expression into a script', ({ runs }) => {
    expect(runs.filter((script) => script.includes('${' + '{'))).toEqual([]);
  });

  it('measure and publish for a request what the job says that ran no foreign code, and cancel in its queue', () => {
    const { jobs: all } = parse(readFileSync('examples/workflows/on-demand.yml', 'utf8'));
    const { ask, measure, publish, cancel } = all;
    const of = (name: string) => `\${{ needs.ask.outputs.${name} }}`;
    expect(measure.steps[0].with.ref).toBe(of('head'));
    expect(publish.steps[0].with).toMatchObject({ head: of('head'), 'pull-request': of('pull-request') });
    expect(measure.concurrency).toEqual({ group: `joulediff-${of('pull-request')}`, 'cancel-in-progress': false });
    expect(cancel.concurrency).toEqual({ group: measure.concurrency.group, 'cancel-in-progress': true });
    expect(Object.keys(ask.outputs).sort()).toEqual([...REQUEST_OUTPUTS].sort());
    expect([ask, publish, cancel].map((job) => job['runs-on'])).toEqual(Array(3).fill('ubuntu-latest'));
    expect(cancel.permissions).toEqual({});
  });

  it.each(jobs)('$id checks out nothing where it has the rights of the repository', ({ event, uses, given }) => {
    expect(event).not.toBe('pull_request_target');
    if (event === 'workflow_run' || given.mode !== undefined) {
      expect(uses.filter((action) => !action.includes('/joulediff@'))).toEqual([]);
    }
  });
});
