// Class: system, alone, long.
import { spawnSync } from 'node:child_process';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Findings } from '../../src/findings/findings.ts';
import {
  busyboxContext,
  containersOf,
  docker,
  experimentFile,
  joulediff,
  readCsv,
  start,
  temporaryFolder,
} from './program.ts';

const IMAGE = `joulediff-stop-test:${process.pid}`;
let folder: ReturnType<typeof temporaryFolder>;
let out: string;

let context: ReturnType<typeof temporaryFolder>;
beforeAll(() => {
  context = temporaryFolder();
  docker('build', '-q', '-t', IMAGE, busyboxContext(context.path));
});
// The image goes with its context.
afterAll(() => context.remove());
beforeEach(() => {
  folder = temporaryFolder();
  out = join(folder.path, 'out');
});
afterEach(() => folder.remove());

/** Seconds of a sleep that no other process has: a minute of it that is not ended would be too long for any test here. */
const marked = (n: number): string => `300.${process.pid}${n}`;

/** The run that is to be stopped sleeps until then; the others are short. */
const experiment = (run: string) => ({
  workload: { run },
  variants: { native: {}, container: { image: IMAGE, pull: 'never' } },
  repetitions: 2,
  warmup: { runs: 0 },
  rest: '300ms',
  guard: '100ms',
  seed: 4,
  meter: 'estimate',
});

const processes = (seconds: string): string =>
  spawnSync('pgrep', ['-f', `^(/bin/busybox )?sleep ${seconds.replace('.', '[.]')}$`], { encoding: 'utf8' }).stdout;
const findings = (): Findings => JSON.parse(readFileSync(join(out, 'findings.json'), 'utf8'));

/** Throws when the program ends before. */
async function waitFor(program: ReturnType<typeof start>, what: () => boolean): Promise<void> {
  while (!what()) {
    if (program.child.exitCode !== null) throw new Error((await program.ended).stderr);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describe('a stopped experiment', () => {
  it.each([
    ['SIGINT', 130, 1],
    ['SIGTERM', 143, 2],
  ] as const)(
    'keeps what is finished after %s, leaves nothing behind, and is completed by --resume',
    async (signal, code, n) => {
      // In the second run: whichever variant it is, its process or container is ended.
      const file = experimentFile(folder.path, experiment(`test "$JOULEDIFF_RUN" -ne 2 || sleep ${marked(n)}`));
      const program = start(['run', file, '--out', out], { cwd: folder.path });
      await program.reported(/run 1 of 4/);
      await waitFor(program, () => processes(marked(n)) !== '');
      program.child.kill(signal);
      expect((await program.ended).code).toBe(code);
      expect(processes(marked(n))).toBe('');
      const partial = findings();
      expect(partial.experiment.complete).toBe(false);
      expect(containersOf(partial.experiment.id ?? '')).toEqual([]);
      const before = readCsv(join(out, 'runs.csv'));
      expect(before.map((r) => [r.status, r.reason])).toEqual([
        ['ok', ''],
        ['invalid', `stopped by ${signal}`],
      ]);
      expect(readFileSync(join(out, 'comment.md'), 'utf8')).toMatch(/stopped|partial|incomplete|unfinished/i);

      expect(await joulediff(['run', file, '--out', out, '--resume'], { cwd: folder.path })).toMatchObject({ code: 0 });
      const after = readCsv(join(out, 'runs.csv'));
      expect(after.filter((r) => r.status === 'ok')).toHaveLength(4);
      expect(after.map((r) => r.status)).toEqual(['ok', 'invalid', 'ok', 'ok', 'ok']);
      expect(after[0]).toEqual(before[0]);
      expect(after[2]?.variant).toBe(after[1]?.variant);
      expect(findings().experiment).toMatchObject({
        complete: true,
        repetitions_completed: 2,
        id: partial.experiment.id,
      });
    },
    120_000,
  );

  it('ends with the code of its signal while an image is still being built', async () => {
    const context = join(folder.path, 'slow');
    busyboxContext(context);
    appendFileSync(join(context, 'Dockerfile'), `RUN ["/bin/busybox", "sleep", "${marked(3)}"]\n`);
    const slow = { ...experiment('true'), variants: { native: {}, container: { build: { context: 'slow' } } } };
    const file = experimentFile(folder.path, slow);
    const program = start(['run', file, '--out', out], { cwd: folder.path });
    await waitFor(program, () => processes(marked(3)) !== '');
    program.child.kill('SIGINT');
    const { code, stderr } = await program.ended;
    expect({ code, stderr }).toMatchObject({
      code: 130,
      stderr: expect.stringContaining('joulediff was stopped by SIGINT.'),
    });
  });

  it('is cleaned up by the next start when it was killed', async () => {
    // Its first run in the container goes on until the file is there.
    const place = { image: IMAGE, pull: 'never', volumes: [`${folder.path}:/host`] };
    const run = `test "$JOULEDIFF_VARIANT" = native || test -e /host/go || sleep ${marked(4)}`;
    const given = { ...experiment(run), variants: { native: {}, container: place } };
    const file = experimentFile(folder.path, given);
    const program = start(['measure', file, '--out', out], { cwd: folder.path });
    const labeled = () => docker('ps', '-q', '--filter', `ancestor=${IMAGE}`, '--filter', 'label=joulediff.experiment');
    await waitFor(program, () => labeled() !== '' && processes(marked(4)) !== '');
    program.child.kill('SIGKILL');
    await program.ended;
    expect(docker('ps', '-aq', '--filter', `ancestor=${IMAGE}`)).not.toBe('');
    writeFileSync(join(folder.path, 'go'), '');
    const next = await joulediff(['measure', file, '--out', out, '--resume'], { cwd: folder.path });
    expect(next.code).toBe(0);
    expect(next.stderr).toMatch(/Removed the container .* that an earlier experiment left/);
    expect(docker('ps', '-aq', '--filter', `ancestor=${IMAGE}`)).toBe('');
    const reported = await joulediff(['report', join(out, 'experiment.db'), '--out', out]);
    expect(reported.code).toBe(0);
    expect(readCsv(join(out, 'runs.csv')).filter((r) => r.status === 'ok')).toHaveLength(4);
  });

  it('is not gone on with when the experiment file is another', async () => {
    const file = experimentFile(folder.path, { ...experiment(`sleep ${marked(5)}`), 'pass-env': ['PASSED'] });
    const header = 'AUTHORIZATION: basic eDpzd29yZGZpc2g=';
    spawnSync('git', ['init', '--quiet', folder.path]);
    spawnSync('git', ['-C', folder.path, 'config', 'http.https://forge.example/.extraheader', header]);
    const secret = ['--set', 'workload.env.DATABASE=swordfish-1'];
    const env = { PASSED: 'swordfish-2' };
    const program = start(['measure', file, '--out', out, ...secret], { cwd: folder.path, env });
    await waitFor(program, () => processes(marked(5)) !== '');
    program.child.kill('SIGINT');
    expect((await program.ended).stderr).toContain('Give actions/checkout persist-credentials: false');
    const again = (...more: string[]) =>
      joulediff(['measure', file, '--out', out, '--resume', ...more], { cwd: folder.path, env });
    const changed = await again(...secret, '--set', 'rest=200ms', '--meter', 'rapl');
    expect(changed.code).toBe(2);
    expect(changed.stderr).toMatch(
      /^The unfinished experiment was planned differently: rest \([\d.]+ s, now 0\.2 s\), meter \(\S+, now rapl\) changed since\.$/m,
    );
    // A value that is not in the file is seen to change all the same.
    const other = await again('--set', 'workload.env.DATABASE=swordfish-3');
    expect(other.stderr).toContain('The unfinished experiment was planned differently: variants changed since.');
    expect(readFileSync(join(out, 'experiment.db'), 'latin1')).not.toContain('swordfish');
  });
});

describe('a failing workload', () => {
  it('is tried again, then ends the experiment with its output told and everything kept', async () => {
    const failing = experiment('echo the disk is full >&2; exit 7');
    const ended = await joulediff(['run', experimentFile(folder.path, failing), '--out', out], { cwd: folder.path });
    expect(ended.code).toBe(3);
    expect(ended.stderr).toContain('the disk is full');
    expect(ended.stderr).toContain('The workload failed twice in variant');
    const rows = readCsv(join(out, 'runs.csv'));
    expect(rows.filter((r) => r.status === 'failed').map((r) => r.reason)).toEqual(['exit code 7', 'exit code 7']);
    expect(findings().experiment.complete).toBe(false);
    // That is no result that more runs would settle.
    expect(findings().comparisons[0]).toMatchObject({ verdict: 'failed', reason: 'failed' });
    const comment = readFileSync(join(out, 'comment.md'), 'utf8');
    expect(comment).toMatch(/^### ⛔ `[^`]+`: failed: The workload failed twice in variant .*\)$/m);
    expect(comment).toContain('exit code 7. What it printed is in the folder `logs` of the result.');
    expect(comment).toContain('`--resume` continues from there');
    expect(comment).not.toMatch(/inconclusive/i);
  });
});
