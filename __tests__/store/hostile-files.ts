import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { createPrng } from '../../src/stats/prng.ts';

/** Files that somebody made up, or that a disk or a transfer damaged, in the place of an experiment.db. */
export interface HostileFile {
  readonly name: string;
  /** Makes it at `path`; a good experiment.db is at `good`. */
  make(good: string, path: string): void;
}

/** A good file in which SQL has changed something; foreign keys and checks don't stop it. */
function changed(name: string, sql: string | ((db: Database.Database) => void)): HostileFile {
  return {
    name,
    make(good, path) {
      copyFileSync(good, path);
      const db = new Database(path);
      db.unsafeMode(true);
      db.pragma('foreign_keys = OFF');
      db.pragma('ignore_check_constraints = ON');
      if (typeof sql === 'string') db.exec(sql);
      else sql(db);
      db.close();
    },
  };
}

/** The definition of a table exchanged in the schema itself, so that what can't be written through it stands there all the same. */
function redefined(name: string, table: string, from: string, to: string, sql: string): HostileFile {
  return changed(name, (db) => {
    const set = (before: string, after: string) =>
      db.prepare('UPDATE sqlite_schema SET sql = replace(sql, ?, ?) WHERE name = ?').run(before, after, table);
    const old = db.prepare<[string], string>('SELECT sql FROM sqlite_schema WHERE name = ?').pluck().get(table) ?? '';
    if (!old.includes(from)) throw new Error(`there is no ${from} in ${old}`);
    db.pragma('writable_schema = ON');
    set(from, to);
    db.pragma('writable_schema = RESET');
    db.exec(sql);
    db.pragma('writable_schema = ON');
    db.prepare('UPDATE sqlite_schema SET sql = ? WHERE name = ?').run(old, table);
    db.pragma('writable_schema = RESET');
  });
}

/** A table in whose place something else stands. */
const replaced = (table: string, sql: string): HostileFile =>
  changed(`${sql.slice(0, 60)} …`, `ALTER TABLE ${table} RENAME TO other; ${sql}`);

const ENDLESS = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)';

const SCHEMAS: readonly HostileFile[] = [
  replaced('run', `CREATE VIEW run AS ${ENDLESS} SELECT i AS run FROM n;`),
  replaced('variant', `CREATE VIEW variant AS ${ENDLESS} SELECT i AS name FROM n;`),
  replaced('experiment', 'CREATE VIEW experiment AS SELECT zeroblob(900000000) AS id;'),
  replaced('sample', 'CREATE VIRTUAL TABLE sample USING fts5(session, channel, t_ns, power_w, duration_s);'),
  changed('a trigger', 'CREATE TRIGGER t AFTER INSERT ON session BEGIN DELETE FROM run; END'),
  changed('a view beside the tables', 'CREATE VIEW more AS SELECT * FROM run'),
  changed('an index', 'CREATE INDEX more ON run (status)'),
  changed('another table', 'CREATE TABLE more (x ANY) STRICT'),
  changed('a table less', 'DROP TABLE look'),
  changed('a column more', 'ALTER TABLE run ADD COLUMN more TEXT'),
  changed('a generated column', 'ALTER TABLE run ADD COLUMN more TEXT AS (hex(zeroblob(100000000)))'),
  changed('ten thousand tables', (db) => {
    db.transaction(() => {
      for (let i = 0; i < 10_000; i++) db.exec(`CREATE TABLE t${i} (x)`);
    })();
  }),
  changed('a schema that is no SQL', (db) => {
    db.pragma('writable_schema = ON');
    db.exec("UPDATE sqlite_schema SET sql = 'CREATE NONSENSE' WHERE name = 'run'");
  }),
  changed('a table whose pages belong to another', (db) => {
    db.pragma('writable_schema = ON');
    db.exec(
      "UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = 'run') WHERE name = 'look'",
    );
  }),
  changed('the mark of another program', 'PRAGMA application_id = 1'),
  changed('no version', 'PRAGMA user_version = 0'),
  changed('a version of the future', 'PRAGMA user_version = 99'),
  changed('the greatest version', 'PRAGMA user_version = 2147483647'),
  changed('a negative version', 'PRAGMA user_version = -1'),
];

const ROWS: readonly HostileFile[] = [
  changed('no experiment', 'DELETE FROM experiment'),
  changed(
    'two experiments',
    "INSERT INTO experiment SELECT 'e2', joulediff_version, name, started_at, seed, order_rule, repetitions, baseline, margin_percent, rest_s, guard_s, definition FROM experiment",
  ),
  changed('no variants', 'DELETE FROM variant'),
  changed('a variant less', "DELETE FROM variant WHERE name = 'native'"),
  changed('no planned runs', 'DELETE FROM planned_run'),
  changed('no sessions', 'DELETE FROM session'),
  changed('no channels', 'DELETE FROM channel'),
  changed('no meters', 'DELETE FROM meter'),
  changed('no primary channel', 'UPDATE channel SET is_primary = 0'),
  changed('a run of nobody', 'UPDATE run SET planned = 4000 WHERE run = 1'),
  changed('a baseline that is no variant', "UPDATE experiment SET baseline = 'nobody'"),
  changed('a status that is none', "UPDATE run SET status = 'fine' WHERE run = 2"),
  changed('a window that ends before it begins', 'UPDATE run SET end_ns = 1 WHERE run = 2'),
  changed('times before the clock began', 'UPDATE run SET rest_start_ns = -9223372036854775808 WHERE run = 1'),
  changed(
    'times of the far future',
    'UPDATE run SET end_ns = 9223372036854775806, guard_end_ns = 9223372036854775807 WHERE run = 1',
  ),
  changed('an infinite reading', 'UPDATE sample SET power_w = 9e999 WHERE t_ns = (SELECT min(t_ns) FROM sample)'),
  changed('readings whose squares overflow', 'UPDATE sample SET power_w = 2e150'),
  changed('readings whose squares vanish', 'UPDATE sample SET power_w = power_w * 1e-200'),
  changed('a rest of ages', 'UPDATE experiment SET rest_s = 1e200'),
  changed('an infinite margin', 'UPDATE experiment SET margin_percent = 9e999'),
  changed('a huge seed', 'UPDATE experiment SET seed = 9223372036854775807'),
  changed('a million blocks', 'UPDATE experiment SET repetitions = 9223372036854775807'),
  changed('a text of 20 MB', 'UPDATE run SET output_tail = hex(zeroblob(10000000)) WHERE run = 1'),
  changed('a name of 20 MB', 'UPDATE experiment SET name = hex(zeroblob(10000000))'),
  changed('a million and one events', `${ENDLESS} INSERT INTO event SELECT 1, i, 'note', '' FROM n LIMIT 1000001`),
  redefined(
    'a text where a number is',
    'run',
    'executions INTEGER NOT NULL',
    'executions ANY NOT NULL',
    "UPDATE run SET executions = 'many'",
  ),
  redefined('a blob where a text is', 'run', 'reason TEXT', 'reason ANY', 'UPDATE run SET reason = zeroblob(5)'),
  redefined(
    'nothing where a number is',
    'sample',
    'power_w REAL NOT NULL',
    'power_w REAL',
    'UPDATE sample SET power_w = NULL',
  ),
];

/** The definition of an experiment as JSON in which one value is another. */
const defined = (path: string, json: string): HostileFile =>
  changed(
    `definition ${path} = ${json}`,
    `UPDATE experiment SET definition = json_set(definition, '${path}', json('${json}'))`,
  );

const JSONS: readonly HostileFile[] = [
  changed('a definition that is no JSON', "UPDATE experiment SET definition = '{'"),
  changed('a definition that is a number', "UPDATE experiment SET definition = '5'"),
  changed('a definition without an end', (db) => {
    db.prepare('UPDATE experiment SET definition = ?').run('['.repeat(5_000_000));
  }),
  defined('$.variants', '[]'),
  defined('$.variants', 'null'),
  defined('$.variants[1].volumes', '7'),
  defined('$.variants[0].workload.env', '{"A": 5}'),
  defined('$.baseline', '"nobody"'),
  defined('$.repetitions', '1e9'),
  defined('$.repetitions', '"many"'),
  defined('$.looks', '"often"'),
  defined('$.looks', '[30, 20]'),
  defined('$.factorial', '{"factors": [], "cells": []}'),
  ...[
    '[{"variant": "nobody", "levels": ["x", "y"]}]',
    '[{"variant": "native", "levels": ["x", "z"]}]',
    '[{"variant": "native", "levels": ["x"]}]',
    '[{"variant": "native", "levels": ["x", "y"]}, {"variant": "container", "levels": ["x", "y"]}]',
  ].map((cells) =>
    defined(
      '$.factorial',
      `{"factors": [{"name": "a", "levels": ["x", "y"]}, {"name": "b", "levels": ["x", "y"]}], "cells": ${cells}}`,
    ),
  ),
  defined('$.failOn', '[{"limit": "5"}]'),
  defined('$.cost', '{"price": 5}'),
  defined('$.unheardOf', 'true'),
  changed(
    'a variant without a workload',
    `UPDATE variant SET definition = '{"kind": "container", "name": "container"}'`,
  ),
  changed('facts that are none', "UPDATE variant SET facts = '[1]'"),
  changed('conditions that are none', "UPDATE session SET conditions = '{}'"),
  changed('an identity that is none', `UPDATE meter SET identity = '{"model": {}}'`),
  changed('remarks that are none', "UPDATE meter SET remarks = '5'"),
  changed('a passport that is none', `UPDATE meter SET passport = '{"schema": "joulediff/passport/1"}'`),
];

const GARBAGE: readonly HostileFile[] = [
  { name: 'an empty file', make: (_, path) => writeFileSync(path, '') },
  { name: 'a text', make: (_, path) => writeFileSync(path, 'hello\n') },
  { name: 'a zip', make: (_, path) => writeFileSync(path, Buffer.from('504b0506'.padEnd(44, '0'), 'hex')) },
  { name: 'the head of a database alone', make: (_, path) => writeFileSync(path, 'SQLite format 3\0') },
  {
    name: 'a head and zeros',
    make: (_, path) => writeFileSync(path, Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(50_000)])),
  },
  { name: 'a folder', make: (_, path) => mkdirSync(path) },
  { name: 'a FIFO', make: (_, path) => spawnSync('mkfifo', [path]) },
];

/** Refused, every one. */
export const HOSTILE: readonly HostileFile[] = [...SCHEMAS, ...ROWS, ...JSONS, ...GARBAGE];

/** Cut somewhere, or with some bits turned: refused or, where nothing that matters was hit, read. */
export function damaged(seed: number, size: number): HostileFile {
  const random = createPrng(seed);
  const at = () => random.index(size);
  if (seed % 5 === 0) {
    const length = at();
    return {
      name: `cut after ${length} bytes`,
      make(good, path) {
        copyFileSync(good, path);
        truncateSync(path, length);
      },
    };
  }
  const places = Array.from({ length: 1 + (seed % 4) * 3 }, () => ({ byte: at(), bit: random.index(8) }));
  return {
    name: `turned bits at ${places.map(({ byte, bit }) => `${byte}.${bit}`).join(', ')}`,
    make(good, path) {
      const bytes = readFileSync(good);
      for (const { byte, bit } of places) bytes.writeUInt8(bytes.readUInt8(byte) ^ (1 << bit), byte);
      writeFileSync(path, bytes);
    },
  };
}
