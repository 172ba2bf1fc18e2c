// Class: world, long.
import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import Database from 'better-sqlite3';
import { withStore } from '../../src/store/reader.ts';
import { itMounting, SmallDisk } from '../setup/small-disk.ts';
import { start } from '../terminal/program.ts';

// The whole program on file systems that are full, gone or held by others.

let base: string;
const lock = `joulediff.disk.${randomUUID()}`;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'joulediff-full-')));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

/** Writes an experiment file whose workload does this at its second execution. */
function experimentFile(second: string): string {
  const ran = join(base, 'ran');
  const file = join(base, 'joulediff.yml');
  const run = `echo . >> ${ran}; sleep 0.1; if [ "$(wc -l < ${ran})" -eq 2 ]; then ${second}; fi; true`;
  const short = { repetitions: 2, warmup: { runs: 0 }, rest: '100ms', guard: '50ms', meter: 'estimate', seed: 4 };
  writeFileSync(file, JSON.stringify({ workload: { run }, variants: { a: {}, b: {} }, ...short }));
  return file;
}

/** `state`: where the database is while it is measured. */
const joulediff = (words: readonly string[], state: string) =>
  start(words, { XDG_STATE_HOME: state, JOULEDIFF_LOCK: lock }).ended;

const goodRuns = (out: string) =>
  withStore(join(out, 'experiment.db'), (reader) => reader.runs())
    .filter(({ status }) => status === 'ok')
    .map(({ planned }) => planned)
    .sort();

const fill = (disk: SmallDisk) => `dd if=/dev/zero of=${disk.path}/fill bs=4k 2>/dev/null`;

describe('a disk that is full', () => {
  itMounting(
    'while it is measured ends the experiment with what is kept, and it is gone on with when there is room',
    async () => {
      using disk = new SmallDisk(3);
      const [file, out] = [experimentFile(fill(disk)), join(base, 'out')];
      const ended = await joulediff(['measure', file, '--out', out], disk.path);
      expect(ended.code).toBe(3);
      expect(ended.stderr).toMatch(
        /database or disk is full[\s\S]*It is kept in .*Make sure that both disks have room/,
      );
      disk.free();
      expect(await joulediff(['measure', file, '--out', out, '--resume'], disk.path)).toMatchObject({ code: 0 });
      expect(goodRuns(out)).toEqual([1, 2, 3, 4]);
    },
    120_000,
  );

  itMounting(
    'from the beginning is passed by: the private folder is made elsewhere',
    async () => {
      using disk = new SmallDisk(1);
      disk.fill();
      const [file, out] = [experimentFile('true'), join(base, 'out')];
      const ended = await joulediff(['measure', file, '--out', out], disk.path);
      expect(ended.code).toBe(0);
      expect(ended.stderr).not.toContain(disk.path);
      expect(goodRuns(out)).toEqual([1, 2, 3, 4]);

      // Room for the marks of a private folder, and for no database.
      disk.free();
      disk.fill(8);
      const stopped = await joulediff(['measure', file, '--out', join(base, 'none')], disk.path);
      expect(stopped).toMatchObject({ code: 3, stderr: expect.stringContaining('could not be created') });
      expect(existsSync(join(base, 'none', 'experiment.db'))).toBe(false);
      expect(readdirSync(join(disk.path, 'joulediff')).filter((name) => name.includes('measuring'))).toEqual([]);
    },
    120_000,
  );

  itMounting(
    'where the result goes keeps it elsewhere until there is room',
    async () => {
      using disk = new SmallDisk(3);
      const [file, out] = [experimentFile(fill(disk)), join(disk.path, 'out')];
      const ended = await joulediff(['run', file, '--out', out], join(base, 'state'));
      expect(ended.code).toBe(3);
      expect(ended.stderr).toMatch(/It is kept in \S+joulediff-measuring-/);
      disk.free();
      const reported = await joulediff(['report', join(out, 'experiment.db'), '--out', out], join(base, 'state'));
      expect(reported).toMatchObject({ code: 0, stderr: '' });
      expect(goodRuns(out)).toEqual([1, 2, 3, 4]);
    },
    120_000,
  );

  itMounting(
    'when an experiment is gone on with leaves what was measured as it was',
    async () => {
      using disk = new SmallDisk(3);
      const [file, out] = [experimentFile('kill -INT "$PPID"'), join(disk.path, 'out')];
      expect(await joulediff(['measure', file, '--out', out], disk.path)).toMatchObject({ code: 130 });
      const before = readFileSync(join(out, 'experiment.db'));
      // Room for the marks of a private folder, and for a part of the database.
      disk.fill(48);
      const ended = await joulediff(['measure', file, '--out', out, '--resume'], disk.path);
      expect(ended.code).toBe(3);
      expect(readFileSync(join(out, 'experiment.db')).equals(before)).toBe(true);
      disk.free();
      expect(await joulediff(['measure', file, '--out', out, '--resume'], disk.path)).toMatchObject({ code: 0 });
      expect(goodRuns(out)).toEqual([1, 2, 3, 4]);
    },
    120_000,
  );

  itMounting(
    'when a report is written is told in a sentence, and no file is left half',
    async () => {
      using disk = new SmallDisk(1);
      disk.fill(64);
      const [file, out] = [experimentFile('true'), join(base, 'out')];
      expect(await joulediff(['measure', file, '--out', out], join(base, 'state'))).toMatchObject({ code: 0 });
      const ended = await joulediff(['report', join(out, 'experiment.db'), '--out', join(disk.path, 'report')], base);
      expect(ended.code).toBe(3);
      expect(ended.stderr).toContain('Make sure that the disk has room');
      expect(
        readdirSync(join(disk.path, 'report'), { recursive: true }).filter((name) => /tmp/.test(String(name))),
      ).toEqual([]);
    },
    120_000,
  );
});

describe('a database', () => {
  itMounting(
    'whose file system vanishes while it is measured ends the experiment, and the loss is told',
    async () => {
      using disk = new SmallDisk(3);
      const [file, out] = [experimentFile(`umount -l ${disk.path}`), join(base, 'out')];
      const ended = await joulediff(['measure', file, '--out', out], disk.path);
      expect(ended.code).toBe(3);
      expect(ended.stderr).toMatch(
        /experiment\.db: it is not there any more\.\nMake sure that its disk is there and mounted\./,
      );
    },
    120_000,
  );

  it('that another process holds ends the experiment with what is kept', async () => {
    const [file, out, state] = [
      experimentFile(`: > ${base}/go; while [ ! -e ${base}/held ]; do sleep 0.05; done`),
      join(base, 'out'),
      join(base, 'state'),
    ];
    const program = start(['measure', file, '--out', out], { XDG_STATE_HOME: state, JOULEDIFF_LOCK: lock });
    const vaultOf = () => /^Recording to (\/.*)\.$/m.exec(program.stderr())?.[1];
    while (!existsSync(join(base, 'go')) || vaultOf() === undefined) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    const vault = vaultOf() ?? '';
    const other = new Database(join(vault, 'experiment.db'));
    other.exec('BEGIN IMMEDIATE');
    writeFileSync(join(base, 'held'), '');
    const result = await program.ended;
    other.exec('ROLLBACK');
    other.close();
    expect(result.code).toBe(3);
    expect(result.stderr).toContain('locked');
    expect(await joulediff(['measure', file, '--out', out, '--resume'], state)).toMatchObject({ code: 0 });
    expect(goodRuns(out)).toEqual([1, 2, 3, 4]);
  });

  it.each([
    ['another program changes', (db: string) => `new Database(${db}).exec('UPDATE run SET end_ns = end_ns - 1');`],
    [
      'somebody changes without SQLite',
      (db: string) =>
        `const file = openSync(${db}, 'r+'); writeSync(file, Buffer.from([0]), 0, 1, 5000); closeSync(file);`,
    ],
  ])('that %s ends the experiment: nothing of it is shown as a result', async (_, changing) => {
    // Outside of the workspace: within it, no database is measured.
    const state = mkdtempSync(join(tmpdir(), 'joulediff-state-'));
    const out = join(base, 'out');
    const change = join(base, 'change.mjs');
    const library = createRequire(import.meta.url).resolve('better-sqlite3');
    const db = `readdirSync(f).map((name) => join(f, name, 'experiment.db')).find(existsSync)`;
    writeFileSync(
      change,
      `import Database from ${JSON.stringify(library)};
      import { closeSync, existsSync, openSync, readdirSync, writeSync } from 'node:fs';
      import { join } from 'node:path';
      const f = ${JSON.stringify(join(state, 'joulediff'))};
      ${changing(db)}`,
    );
    const file = experimentFile(`${process.execPath} ${change}`);
    const result = await joulediff(['run', file, '--out', out], state);
    expect(result.code).toBe(3);
    expect(result.stderr).toMatch(
      /Another program changed the database .* while it was measured: its numbers can't be/,
    );
    expect(existsSync(join(out, 'findings.json'))).toBe(false);
    for (const words of [
      ['measure', file, '--resume', '--out', out],
      ['report', join(out, 'experiment.db'), '--out', join(base, 'again')],
    ]) {
      const refused = await joulediff(words, state);
      expect(refused.code).toBe(2);
      expect(refused.stderr).toContain("experiment.db while it was measured: its numbers can't be trusted.");
    }
    rmSync(state, { recursive: true });
  });
});
