// Class: system.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { HistorySetting } from '../../../../src/experiment/experiment.ts';
import { readEvent } from '../../../../src/forge/event.ts';
import { updateAlerts } from '../../../../src/parts/fleet/alert/alert.ts';
import type { HistoryRecord, Notes } from '../../../../src/parts/fleet/history/record.ts';
import { BOT, PERSON } from '../../../servers/comments-server.ts';
import { type Reply, type Server, serve } from '../../../servers/http.ts';
import { type IssuesServer, startIssuesServer } from '../../../servers/issues-server.ts';
import { line } from '../history/records.ts';

const LIMITS = { requestMs: 2000, totalMs: 5000, pauseMs: 5, longestPauseMs: 50, verifyMs: 5 };
const NO_NOTES: Notes = new Map();

/** Only the container's level changes, at experiment 20 of 40. */
const all = line({ count: 40, seed: 3 }).map((record, i): HistoryRecord => {
  const factor = i < 20 ? 1 : 1.06;
  const variants = record.variants.map((one) =>
    one.name === 'native'
      ? one
      : {
          ...one,
          energy_j: one.energy_j * factor,
          ci95: [one.ci95![0] * factor, one.ci95![1] * factor] as [number, number],
        },
  );
  const percent = 100 * (variants[1]!.energy_j / variants[0]!.energy_j - 1);
  const comparisons = record.comparisons.map((one) => ({
    ...one,
    percent,
    ci95: [percent - 0.5, percent + 0.5] as [number, number],
  }));
  return { ...record, variants, comparisons };
});
const [good, bad] = [all[19]!.commit!, all[20]!.commit!];

const log: string[] = [];
let servers: Server[] = [];
beforeEach(() => {
  jest.spyOn(process.stdout, 'write').mockImplementation((chunk) => log.push(String(chunk)) > 0);
});
afterEach(async () => {
  jest.restoreAllMocks();
  for (const server of servers) await server.close();
  servers = [];
});
async function forge(options: Parameters<typeof startIssuesServer>[0] = {}): Promise<IssuesServer> {
  const server = await startIssuesServer(options);
  servers.push(server);
  return server;
}

interface Given {
  readonly alert?: HistorySetting['alert'];
  readonly notes?: Notes;
  readonly env?: Record<string, string>;
  readonly limits?: typeof LIMITS;
}

/** What a job logs that has kept the last of these records. */
async function run(records: readonly HistoryRecord[], apiUrl: string, given: Given = {}): Promise<string> {
  const from = log.length;
  const env = {
    GITHUB_REPOSITORY: 'octo/demo',
    GITHUB_SERVER_URL: 'https://github.com',
    GITHUB_API_URL: apiUrl,
    GITHUB_EVENT_NAME: 'push',
    GITHUB_REF: 'refs/heads/main',
    GITHUB_RUN_ID: '77',
    ...given.env,
  };
  const { alert = 'issue', notes = NO_NOTES, limits = LIMITS } = given;
  const setting: HistorySetting = { file: null, branch: 'joulediff-history', track: null, alert };
  const history = { records, notes };
  const record = records.at(-1)!;
  await updateAlerts({ setting, token: 'ghs_secret', history, record, event: readEvent(env), env }, limits);
  return log.slice(from).join('').trimEnd();
}

/** The history as each of these many experiments left it, the first in which the step is told. */
async function until(api: string, given: Given = {}): Promise<number> {
  for (let count = 21; count <= all.length; count++) {
    if ((await run(all.slice(0, count), api, given)) !== '') return count;
  }
  throw new Error('The step was never told');
}

describe('alert: issue', () => {
  it('opens one issue for a step, with what moved, the run and the command, and never a second one', async () => {
    const server = await forge();
    const count = await until(server.url);
    expect(count).toBeLessThan(40);
    for (let more = count; more <= all.length; more++) await run(all.slice(0, more), server.url);
    expect(server.issues).toHaveLength(1);
    const [{ title, body, state }] = server.issues as [(typeof server.issues)[0]];
    expect(title).toMatch(
      new RegExp(
        `^sort: container against native \\+\\d\\.\\d %(?: and 1 more line)? at ${bad.slice(0, 8)} \\(bench-01\\)$`,
      ),
    );
    expect(state).toBe('open');
    expect(body).toMatch(/^<!-- joulediff step=[0-9a-f]{12} commit=[0-9a-f]{40} -->\n/);
    expect(body).toContain('[this run](https://github.com/octo/demo/actions/runs/77)');
    expect(body).toContain(`/commit/${good})`);
    expect(body).toContain(`joulediff bisect ${good} ${bad} --config joulediff.yml --variant container`);
    expect(body).toContain(`joulediff history note ${bad} 'REASON' --branch joulediff-history`);
    expect(body).toMatch(/\| `container against native` \| \+\d\.\d.% \(/);
    expect(server.issues[0]!.reported).toEqual([]);
  });

  it('shows hostile names as they are, and obeys none of them', async () => {
    const nasty = `@mona #1 <!-- joulediff step=${'a'.repeat(12)} --> <img src=x> | \`rm\` $(id) 'x' ${'long '.repeat(60)}`;
    const hostile = all.map((record) => ({
      ...record,
      experiment: nasty,
      variants: record.variants.map((one) => (one.name === 'container' ? { ...one, name: nasty } : one)),
      comparisons: record.comparisons.map((one) => ({ ...one, variant: nasty })),
    }));
    const server = await forge();
    for (let count = 21; server.issues.length === 0; count++) await run(hostile.slice(0, count), server.url);
    const [{ title, body }] = server.issues as [(typeof server.issues)[0]];
    expect(title.length).toBeLessThanOrEqual(256);
    // Names stand in spans and blocks of code alone, where nothing is a mention or a tag.
    const outside = body
      .replace(/^<!--.*\n/, '')
      .replace(/```[\s\S]*?```/g, '')
      .replace(/(`+)(?!`).*?[^`]\1(?!`)/g, '');
    expect(outside).not.toMatch(/@|<|mona|\$\(id/);
    const command = body.match(/^joulediff bisect .*$/m)?.[0] ?? '';
    const [, , , , , , variant] = execFileSync('sh', ['-c', `printf '%s\\n' ${command}`], { encoding: 'utf8' })
      .trim()
      .split('\n')
      .slice(1);
    expect(nasty.trim()).toBe(variant);
  });

  it('has a command without a variant for what was measured at each commit', async () => {
    const server = await forge();
    const measured = all.map((record) => ({
      ...record,
      variants: record.variants.map((one) =>
        one.name === 'container' ? { ...one, name: 'commit', revision: record.commit! } : one,
      ),
      comparisons: record.comparisons.map((one) => ({ ...one, variant: 'commit' })),
    }));
    for (let count = 21; server.issues.length === 0; count++) await run(measured.slice(0, count), server.url);
    expect(server.issues[0]!.body).toContain(`joulediff bisect ${good} ${bad} --config joulediff.yml\n`);
  });

  it('finds its issue again after older commits were measured later', async () => {
    const server = await forge();
    const count = await until(server.url);
    const later = { started_at: '2026-12-31T00:00:00Z' };
    const backfilled = all.slice(0, count).map((one, i) => {
      return i < 20 ? { ...one, ...later, committed_at: one.started_at } : one;
    });
    await run(backfilled, server.url);
    expect(server.issues).toHaveLength(1);
  });

  it('leaves a step alone that the history had long before, and a history without one', async () => {
    const server = await forge();
    expect(await run(all, server.url)).toBe('');
    expect(await run(line({ count: 40 }), server.url)).toBe('');
    expect(server.issues).toEqual([]);
  });

  it('never opens one again that a person has closed', async () => {
    const server = await forge();
    const count = await until(server.url);
    server.issues[0]!.state = 'closed';
    await run(all.slice(0, count + 1), server.url);
    expect(server.issues.map(({ state }) => state)).toEqual(['closed']);
  });

  it('closes it with a comment when a note accepts the step, and opens none for an accepted step', async () => {
    const server = await forge();
    const count = await until(server.url);
    const notes = new Map([[bad, 'expected, see @mona <!-- joulediff -->']]);
    await run(all.slice(0, count + 1), server.url, { notes });
    expect(server.issues.map(({ state }) => state)).toEqual(['closed']);
    expect(server.issues[0]!.reported).toHaveLength(1);
    expect(server.issues[0]!.reported[0]).toMatch(/^Accepted by a note in the history: expected, see @\u2060mona &lt;/);
    await run(all.slice(0, count), (await forge()).url, { notes });
    expect((servers.at(-1) as IssuesServer).issues).toEqual([]);
  });

  it('closes it with a comment when the history no longer shows the step', async () => {
    const server = await forge();
    await until(server.url);
    const calm = line({ count: 40, seed: 3 });
    expect(await run(calm, server.url)).toBe('The issue #1 was closed: its step is gone.');
    expect(server.issues[0]!.reported).toEqual([expect.stringMatching(/no longer shows this step/)]);
    expect(await run(calm, server.url)).toBe('');
  });

  it('opens it again when the step comes back, until a person closes it', async () => {
    const server = await forge();
    const count = await until(server.url);
    await run(line({ count: 40, seed: 3 }), server.url);
    expect(await run(all.slice(0, count + 1), server.url)).toBe('The issue #1 was opened again: its step is back.');
    expect(server.issues.map(({ state, reported }) => [state, reported.length])).toEqual([['open', 2]]);
    expect(await run(all.slice(0, count + 2), server.url)).toBe('');
    server.issues[0]!.state = 'closed';
    expect(await run(all.slice(0, count + 2), server.url)).toBe('');
    expect(server.issues.map(({ state }) => state)).toEqual(['closed']);
  });

  it('opens it again when its note is removed, however long ago the step was', async () => {
    const server = await forge();
    await until(server.url);
    await run(all, server.url, { notes: new Map([[bad, 'expected']]) });
    expect(server.issues.map(({ state }) => state)).toEqual(['closed']);
    await run(all, server.url);
    expect(server.issues.map(({ state }) => state)).toEqual(['open']);
  });

  it('closes an accepted one of a machine that measures no more, and leaves one of another history', async () => {
    const server = await forge();
    const count = await until(server.url);
    server.open(server.issues[0]!.body.replace(/step=\w+/, `step=${'0'.repeat(12)}`), BOT);
    const others = line({ count: 3, seed: 9, hostname: 'bench-02' });
    await run([...all.slice(0, count), ...others], server.url, { notes: new Map([[bad, 'expected']]) });
    expect(server.issues.map(({ state }) => state)).toEqual(['closed', 'open']);
  });

  it('believes no marker in an issue of a stranger, and leaves that alone', async () => {
    const server = await forge();
    const count = await until(server.url);
    const [{ body }] = server.issues as [(typeof server.issues)[0]];
    server.issues.length = 0;
    server.open(body, PERSON);
    server.open(`> quoted\n${body}`, BOT);
    await run(all.slice(0, count), server.url);
    expect(server.issues.map(({ user, state }) => [user.login, state])).toEqual([
      ['mallory', 'open'],
      [BOT.login, 'open'],
      [BOT.login, 'open'],
    ]);
    await run(line({ count: 40, seed: 3 }), server.url);
    expect(server.issues.map(({ state }) => state)).toEqual(['open', 'open', 'closed']);
  });

  it('leaves one issue open when two runs find the step at once', async () => {
    const server = await forge();
    const count = await until(server.url);
    server.issues.length = 0;
    const together = await forge({ delayMs: () => 10 });
    const limits = { ...LIMITS, verifyMs: 300 };
    await Promise.all([1, 2, 3].map(() => run(all.slice(0, count), together.url, { limits })));
    expect(together.issues.filter(({ state }) => state === 'open').map(({ number }) => number)).toEqual([1]);
    for (const { reported } of together.issues.slice(1))
      expect(reported[0]).toMatch(/at the same time: #1 is about it/);
  });

  it('says which right is missing, and is made up for by the next run', async () => {
    const refusing = await forge({ access: 'read' });
    const count = await until(refusing.url);
    const reported = await run(all.slice(0, count), refusing.url);
    expect(reported).toMatch(/^::warning::The issues about steps .* lacks the permission "issues: write"/);
    expect(reported).toContain('contents: write%0A  issues: write');
    expect(reported).not.toContain('ghs_');
    const server = await forge();
    await run(all.slice(0, count + 1), server.url);
    expect(server.issues).toHaveLength(1);
  });

  it.each<[string, string, Reply]>([
    ['nonsense for a list', 'GET', { status: 200, json: { message: 'hello' } }],
    ['items that are nothing', 'GET', { status: 200, json: [null, 7, { number: -1 }, { body: {} }] }],
    ['no JSON', 'GET', { status: 200, body: Buffer.from('<html>') }],
    ['nonsense for a new issue', 'POST', { status: 201, json: [] }],
    ['that issues are off', 'POST', { status: 410, json: { message: 'Issues are disabled for this repo' } }],
    ['nothing', 'POST', { status: 200, instead: 'hang' }],
    ['nothing at all', 'POST', { status: 200, instead: 'reset' }],
  ])('never fails when the server answers %s', async (_, method, reply) => {
    const server = await forge();
    const count = await until(server.url);
    server.issues.length = 0;
    server.next(method, /\/issues$/, reply);
    await run(all.slice(0, count), server.url, { limits: { ...LIMITS, requestMs: 300, totalMs: 1500 } });
    await run(all.slice(0, count + 1), server.url);
    expect(server.issues).toHaveLength(1);
  });
});

describe('alert: { webhook: $NAME }', () => {
  const PATH = '/hooks/secret-path';
  const alert = { webhook: 'ALERT_URL' };
  async function hook(answer: () => Reply = () => ({ status: 204 })) {
    const bodies: unknown[] = [];
    const server = await serve((request) => {
      bodies.push(JSON.parse(request.body.toString()));
      return answer();
    });
    servers.push(server);
    return { bodies, env: { ALERT_URL: `${server.url}${PATH}` } };
  }

  it('sends one message for a step, as its schema says', async () => {
    const { bodies, env } = await hook();
    const count = await until('', { alert, env });
    for (let more = count + 1; more <= all.length; more++) await run(all.slice(0, more), '', { alert, env });
    expect(bodies).toEqual([
      expect.objectContaining({
        schema: 'joulediff/alert/1',
        repository: 'https://github.com/octo/demo',
        commit: bad,
        between: [good, bad],
        report: 'https://github.com/octo/demo/actions/runs/77',
        bisect: `joulediff bisect ${good} ${bad} --config joulediff.yml --variant container`,
      }),
    ]);
    const schema = JSON.parse(readFileSync('docs/alert.schema.json', 'utf8'));
    const validate = new Ajv2020({ strict: false }).compile(schema);
    expect([validate(bodies[0]), validate.errors]).toEqual([true, null]);
  });

  it.each<[string, () => Reply, RegExp]>([
    ['refuses', () => ({ status: 500 }), /it answered with status 500/],
    ['leads elsewhere', () => ({ status: 302, headers: { location: 'http://example.test/' } }), /could not be reached/],
    ['hangs', () => ({ status: 200, instead: 'hang' }), /no answer within 0\.3 s/],
    ['breaks off', () => ({ status: 200, instead: 'reset' }), /could not be reached \(\w+\)/],
  ])('is only a warning without the address where it %s', async (_, answer, why) => {
    const { env } = await hook(answer);
    const limits = { ...LIMITS, requestMs: 300 };
    let reported = '';
    for (let count = 21; reported === ''; count++)
      reported = await run(all.slice(0, count), '', { alert, env, limits });
    expect(reported).toMatch(/^::warning::The webhook \$ALERT_URL was not told of a new step: /);
    expect(reported).toMatch(why);
    expect(reported).not.toMatch(/secret-path|127\.0\.0\.1/);
  });

  it.each([
    ['', /is not set/],
    ['http://192.0.2.1/x', /does not hold an https address/],
    ['http://127.0.0.1.example.test/x', /does not hold an https address/],
    ['https://user:word@example.test/x', /without a password/],
    ['file:///etc/passwd', /does not hold an https address/],
    ['no address', /does not hold an https address/],
  ])('calls nothing at %j', async (address, why) => {
    const env = { ALERT_URL: address };
    let reported = '';
    for (let count = 21; reported === ''; count++) reported = await run(all.slice(0, count), '', { alert, env });
    expect(reported).toMatch(why);
    if (address !== '') expect(reported).not.toContain(address);
  });
});
