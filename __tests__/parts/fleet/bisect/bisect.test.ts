// Class: world.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { experimentFrom } from '../../../../src/experiment/read.ts';
import { lockMachine } from '../../../../src/measure/lock.ts';
import { type BisectRequest, bisect } from '../../../../src/parts/fleet/bisect/bisect.ts';
import { bisectMarkdown } from '../../../../src/parts/fleet/bisect/report.ts';

// A sleep twice as long takes twice the energy of an idle machine, by the model of this one.
const COMMITS = 12;
const CULPRIT = 8;
const BROKEN = [3, 6];

// Other tests look whether this machine is reserved.
process.env.JOULEDIFF_LOCK = `joulediff.test.bisect.${process.pid}`;

let root: string;
let repository: string;
const git = (...words: string[]): string =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...words], { cwd: repository, encoding: 'utf8' });

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'bisect-'));
  repository = join(root, 'repository');
  execFileSync('git', ['init', '--quiet', repository]);
  for (let i = 0; i <= COMMITS; i++) {
    const command = BROKEN.includes(i) ? 'exit 3' : `sleep ${i < CULPRIT ? 0.15 : 0.3}`;
    writeFileSync(join(repository, 'work.sh'), `# ${i}\n${command}\n`);
    writeFileSync(join(repository, 'build.sh'), i === 6 ? 'echo no compiler; exit 2\n' : 'true\n');
    git('add', '.');
    git('commit', '--quiet', '-m', `commit ${i} <b>`);
    git('tag', `c${i}`);
  }
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const notes: string[] = [];
function request(given: Partial<BisectRequest> = {}, build = 'sh build.sh'): BisectRequest {
  const definition = {
    workload: { run: 'sh work.sh' },
    variants: { base: { revision: 'c0' }, head: {} },
    hooks: { 'before-all': { run: build, place: 'variant' as const } },
    meter: 'estimate',
    rest: '50ms',
    guard: '20ms',
    warmup: { runs: 1 },
  };
  const note = (text: string): void => void notes.push(text);
  return {
    good: 'c0',
    bad: `c${COMMITS}`,
    firstParent: false,
    experiment: experimentFrom(definition, { where: 'test', directory: repository }),
    variant: null,
    outDir: join(root, 'out'),
    resume: false,
    withinS: null,
    progress: { note, warn: note, status() {}, end() {} },
    signal: new AbortController().signal,
    ...given,
  };
}

describe('joulediff bisect', () => {
  it('finds the commit, skips what can’t be built or run, and goes on after a stop', async () => {
    const controller = new AbortController();
    const stopping = request({ signal: controller.signal });
    const note = (text: string): void => {
      notes.push(text);
      // In the middle of the search.
      if (text.startsWith('Step 2')) setTimeout(() => controller.abort(new Error('stopped')), 1500);
    };
    await expect(bisect({ ...stopping, progress: { ...stopping.progress, note } })).rejects.toThrow('stopped');
    await expect(bisect(request())).rejects.toThrow('holds a bisection already');
    await expect(bisect(request({ good: 'c1', resume: true }))).rejects.toThrow('of other commits');
    await expect(bisect(request({ resume: true }, 'sh build.sh -O2'))).rejects.toThrow('measured in another way');

    const found = await bisect(request({ resume: true }));
    expect(found.outcome).toBe('found');
    const names = (found.believed?.suspects.commits ?? []).map((of) => found.range.commits[of]?.subject);
    expect(names).toEqual([`commit ${CULPRIT} <b>`]);
    expect(found.believed?.suspects.probability).toBeGreaterThanOrEqual(0.97);
    // It was measured against the commit before it.
    const [before, after] = found.believed?.suspects.neighbors ?? [];
    expect([before, after]).toEqual([CULPRIT - 1, CULPRIT]);
    expect(existsSync(join(root, 'out', found.evidence, 'report.html'))).toBe(true);
    // The ends were measured once.
    expect(readdirSync(join(root, 'out')).filter((name) => name.endsWith('-ends'))).toHaveLength(1);
    for (const [position, reason] of found.skipped) {
      expect(BROKEN).toContain(position);
      expect(reason).toMatch(position === 6 ? /before-all.*ended with exit code 2/s : /failed twice/);
    }
    expect(found.skipped.size).toBeGreaterThan(0);

    const text = bisectMarkdown(found, 'out');
    expect(text).toContain('estimated by a model');
    expect(text).toMatch(/# .*`[0-9a-f]{12}` raised the energy: \+/);
    // What others wrote stands as code.
    expect(text.replaceAll(/`[^`]*`/g, '')).not.toContain('<b>');
    expect(JSON.parse(readFileSync(join(root, 'out', 'bisect.json'), 'utf8')).steps.at(-1)).toMatchObject({
      kind: 'neighbors',
      done: true,
    });

    // One run of the search without energy, as of a meter that fell silent.
    const search = found.steps.find(({ kind, failed }) => kind === 'search' && failed === null);
    const db = new DatabaseSync(join(root, 'out', search?.folder ?? '', 'experiment.db'));
    db.exec('UPDATE sample SET power_w = 0 WHERE session = (SELECT max(session) FROM run)');
    db.close();
    const again = await bisect(request({ resume: true }));
    expect(again.outcome).toBe('found');
    expect(again.observations.length).toBeLessThan(found.observations.length);
    expect(notes.join('\n')).toMatch(/Run \d+ in \d+-search is left out: it has no energy above zero/);
  });

  it('says so where nothing changed between the ends', async () => {
    const flat = (outDir: string) => bisect(request({ bad: 'c5', withinS: 1, outDir: join(root, outDir) }));
    let found = await flat('flat');
    // One comparison in twenty shows a difference that is none.
    if (found.outcome !== 'no-step') found = await flat('flat again');
    expect(found).toMatchObject({ outcome: 'no-step', believed: null });
    expect(found.findings.comparisons[0]?.verdict).not.toBe('increase');
  });

  it('begins where an earlier one never got the machine, whatever that waited for', async () => {
    const given = request({ bad: 'c2', outDir: join(root, 'waited') });
    {
      using _held = lockMachine('something else');
      await expect(bisect(given)).rejects.toThrow('something else');
    }
    const patient = { ...given.experiment, waitForMachineS: 60 };
    await expect(bisect({ ...given, experiment: patient, withinS: 1 })).resolves.toMatchObject({ steps: [{}] });
  });

  it('ends where an end can’t be measured, and refuses what it can’t follow', async () => {
    await expect(bisect(request({ bad: 'c3', outDir: join(root, 'broken') }))).rejects.toThrow('failed twice');
    await expect(bisect(request({ variant: 'container', outDir: join(root, 'x') }))).rejects.toThrow(
      'The experiment has no variant "container".',
    );
    writeFileSync(join(root, 'file'), '');
    await expect(bisect(request({ outDir: root }))).rejects.toThrow('holds files that are not those of a bisection');
  });
});
