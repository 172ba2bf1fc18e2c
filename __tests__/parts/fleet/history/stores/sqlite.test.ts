// Class: system.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import Database from 'better-sqlite3';
import { sqliteStore } from '../../../../../src/parts/fleet/history/stores/sqlite.ts';
import { itMounting, SmallDisk } from '../../../../setup/small-disk.ts';
import { line, record, uuid } from '../records.ts';

const ADD = fileURLToPath(new URL('add.ts', import.meta.url));

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'joulediff-history-'));
  file = join(folder, 'deep', 'history.db');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('a history in a SQLite file', () => {
  it('is empty and makes nothing before the first record', async () => {
    expect(await sqliteStore(file).records()).toEqual([]);
    expect(existsSync(join(folder, 'deep'))).toBe(false);
  });

  it('gives back what was kept, in the order of measuring', async () => {
    const store = sqliteStore(file);
    const records = line({ count: 5 });
    for (const each of [...records].reverse()) expect(await store.add(each)).toBe(true);
    expect(await sqliteStore(file).records()).toEqual(records);
  });

  it('removes records, and gives the room back', async () => {
    expect(await sqliteStore(file).remove(new Set(['any']))).toBe(0);
    expect(existsSync(join(folder, 'deep'))).toBe(false);
    const store = sqliteStore(file);
    const records = line({ count: 100 });
    for (const each of records) await store.add(each);
    const full = statSync(file).size;
    const gone = new Set(records.slice(0, 90).map(({ id }) => id));
    expect(await store.remove(gone)).toBe(90);
    expect(await store.records()).toEqual(records.slice(90));
    expect(statSync(file).size).toBeLessThan(full / 4);
    expect(await store.remove(gone)).toBe(0);
  });

  it('keeps one note of a commit, until it is removed or the commit has no experiment left', async () => {
    const store = sqliteStore(file);
    const records = line({ count: 3 });
    for (const each of records) await store.add(each);
    const [first, second] = records.map(({ commit }) => commit as string) as [string, string];
    expect(await store.annotate(first, 'a new compiler')).toBe(true);
    expect(await store.annotate(first, 'a newer compiler')).toBe(true);
    expect(await store.annotate(first, 'a newer compiler')).toBe(false);
    await store.annotate(second, 'a feature');
    expect(await sqliteStore(file).read()).toEqual({
      records,
      notes: new Map([
        [first, 'a newer compiler'],
        [second, 'a feature'],
      ]),
    });
    await store.remove(new Set([records[0]!.id]));
    expect((await store.read()).notes).toEqual(new Map([[second, 'a feature']]));
    expect(await store.annotate(second, '')).toBe(true);
    expect(await store.annotate(second, '')).toBe(false);
    expect((await store.read()).notes.size).toBe(0);
  });

  it('reads a file of a joulediff without notes, and takes notes into it', async () => {
    await sqliteStore(file).add(record());
    const db = new Database(file);
    db.exec('DROP TABLE note; PRAGMA user_version = 1');
    db.close();
    expect(await sqliteStore(file).read()).toEqual({ records: [record()], notes: new Map() });
    await sqliteStore(file).annotate(record().commit as string, 'a feature');
    expect(await sqliteStore(file).read()).toEqual({
      records: [record()],
      notes: new Map([[record().commit, 'a feature']]),
    });
  });

  itMounting('keeps what it had where its disk is full, and says so', async () => {
    using disk = new SmallDisk(1);
    const store = sqliteStore(join(disk.path, 'history.db'));
    const first = record({ id: uuid(1) });
    await store.add(first);
    disk.fill();
    const more = line({ count: 40 });
    const adding = (async () => {
      for (const each of more) await store.add(each);
    })();
    await expect(adding).rejects.toThrow(/can't be written: .*(database or disk is full|disk I\/O error)/);
    disk.free();
    expect(await store.records()).toContainEqual(first);
    for (const each of more) await store.add(each);
    expect(await store.records()).toHaveLength(1 + more.length);
  });

  it('keeps an experiment once, as it was', async () => {
    const store = sqliteStore(file);
    expect(await store.add(record())).toBe(true);
    expect(await store.add(record({ experiment: 'again' }))).toBe(false);
    expect(await store.records()).toEqual([record()]);
  });

  it.each([
    [
      'a view that never ends',
      'DROP TABLE record; CREATE VIEW record AS WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n) SELECT id, 1 AS json FROM n',
    ],
    ['a trigger', 'CREATE TRIGGER t AFTER INSERT ON record BEGIN DELETE FROM record; END'],
    ['a text of 20 MB', 'UPDATE record SET json = json || hex(zeroblob(10000000))'],
  ])('is refused with %s in it, for reading and for writing', async (_what, sql) => {
    await sqliteStore(file).add(record());
    new Database(file).exec(sql).close();
    await expect(sqliteStore(file).records()).rejects.toThrow(/^The history .* can't be used: /);
    await expect(sqliteStore(file).add(record())).rejects.toThrow(/can't be used: /);
  });

  it('knows the home of the user', () => {
    expect(sqliteStore('~/x/history.db').name).toBe(join(homedir(), 'x', 'history.db'));
  });

  // Each job of a measuring runner has a home of its own, which is removed before the next one.
  it('is where the state of joulediff is kept, whatever home a job has', () => {
    const before = process.env.XDG_STATE_HOME;
    process.env.XDG_STATE_HOME = '/var/lib/joulediff-runner/.local/state';
    try {
      expect(sqliteStore('~/.local/state/joulediff/history.db').name).toBe(
        '/var/lib/joulediff-runner/.local/state/joulediff/history.db',
      );
    } finally {
      if (before === undefined) delete process.env.XDG_STATE_HOME;
      else process.env.XDG_STATE_HOME = before;
    }
  });

  it('loses nothing when two processes write at once, from the first moment on', async () => {
    const writers = [0, 1].map((i) => {
      const child = spawn(process.execPath, [ADD, 'sqlite', file, String(100 * i), '40'], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      return once(child, 'close');
    });
    expect(await Promise.all(writers)).toEqual([
      [0, null],
      [0, null],
    ]);
    const ids = (await sqliteStore(file).records()).map(({ id }) => id);
    const expected = [0, 1].flatMap((i) => Array.from({ length: 40 }, (_, k) => uuid(100 * i + k)));
    expect(ids.sort()).toEqual(expected.sort());
  });

  it('is whole after a writer was killed in the middle', async () => {
    const child = spawn(process.execPath, [ADD, 'sqlite', file, '0', '100000'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let printed = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      printed += chunk;
    });
    while (printed.split('\n').length < 20) await sleep(20);
    child.kill('SIGKILL');
    await once(child, 'close');
    const store = sqliteStore(file);
    const kept = await store.records();
    // Whatever was reported as kept is there, and at most the one in work besides.
    const reported = printed.split('\n').length - 1;
    expect(kept.length).toBeGreaterThanOrEqual(reported);
    expect(await store.add(record({ id: uuid(999_999) }))).toBe(true);
    expect((await store.records()).length).toBe(kept.length + 1);
  });

  it('refuses a file of something else, and leaves it alone', async () => {
    const other = join(folder, 'other.db');
    const db = new Database(other);
    db.exec('CREATE TABLE mine (x)');
    db.close();
    const text = join(folder, 'notes.txt');
    writeFileSync(text, 'These are my notes, and they are no database at all.\n'.repeat(50));
    for (const [path, why] of [
      [other, /is a database, but not a joulediff history/],
      [text, /is not a SQLite database/],
      [folder, /is not a file/],
    ] as const) {
      await expect(sqliteStore(path).add(record())).rejects.toThrow(why);
      await expect(sqliteStore(path).records()).rejects.toThrow(why);
    }
    const left = new Database(other, { readonly: true });
    expect(left.prepare('SELECT name FROM sqlite_master').pluck().all()).toEqual(['mine']);
    left.close();
  });

  it('refuses what a newer joulediff wrote: the file, or one record', async () => {
    const store = sqliteStore(file);
    await store.add(record());
    const db = new Database(file);
    db.prepare('INSERT INTO record VALUES (?, ?, ?, ?)').run('x', 'e', 't', '{"schema":"joulediff/history/2"}');
    await expect(store.records()).rejects.toThrow(
      /The record "x" in .* was written by a newer joulediff \(joulediff\/history\/2;/,
    );
    db.prepare('DELETE FROM record WHERE id = ?').run('x');
    db.pragma('user_version = 3');
    db.close();
    await expect(store.records()).rejects.toThrow(/was written by a newer joulediff \(history 3; this one knows 2\)/);
    await expect(store.add(record())).rejects.toThrow(/newer joulediff/);
  });

  it('says what is wrong where it may not write', async () => {
    const blocked = join(folder, 'file');
    writeFileSync(blocked, '');
    await expect(sqliteStore(join(blocked, 'history.db')).add(record())).rejects.toThrow(
      /can't be written: .*(EEXIST|ENOTDIR)/,
    );
  });
});
