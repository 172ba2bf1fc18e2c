// Class: world.
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it } from '@jest/globals';
import {
  accountOf,
  postgres,
  whoWords,
} from '../../../../../../src/parts/explain/observers/profilers/postgres/postgres.ts';
import { native } from '../../../../../executors/bench.ts';
import { shortExperiment } from '../../../../../measure/short-experiment.ts';
import { explained, freePort, service } from '../explained.ts';

process.env.JOULEDIFF_LOCK = `joulediff.test.${process.pid}`;

const [program] = globSync('/usr/lib/postgresql/*/bin/postgres');
const itWithPostgres = program !== undefined && spawnSync('psql', ['--version']).status === 0 ? it : it.skip;
const NOBODY = 65534;
/** It refuses to be root. */
const AS_NOBODY =
  process.geteuid?.() === 0 ? ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'] : [];

itWithPostgres('gives the statements that a PostgreSQL executed for its client, without their constants', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'joulediff-postgres-'));
  const data = join(folder, 'data');
  try {
    chmodSync(folder, 0o711);
    mkdirSync(data, 0o700);
    if (AS_NOBODY.length > 0) chownSync(data, NOBODY, NOBODY);
    const [first = '', ...words] = [...AS_NOBODY, join(dirname(program as string), 'initdb')];
    execFileSync(first, [...words, '-D', data, '-A', 'trust', '-U', 'bench', '--no-sync', '--locale=C'], {
      stdio: 'ignore',
      cwd: '/',
    });
    const port = await freePort();
    const psql = ['psql', '-X', '-q', '-h', '127.0.0.1', '-p', String(port), '-U', 'bench', '-d', 'postgres'];
    const server = [
      ...[...AS_NOBODY, program as string, '-D', data, '-p', String(port), '-c', 'listen_addresses=127.0.0.1'],
      ...['-c', `unix_socket_directories=${data}`, '-c', 'fsync=off'],
      ...['-c', 'shared_preload_libraries=pg_stat_statements'],
    ];
    const make = 'create extension if not exists pg_stat_statements';
    const work = "select length('hidden'); select length('words'); alter role bench password 'hidden'";
    const experiment = shortExperiment(folder, [native({ run: [...psql, '-c', work] })], {
      repetitions: 1,
      services: [
        {
          ...service('db', server, port),
          ready: { kind: 'command', command: [...psql, '-c', make] },
          stop: { signal: 'SIGINT', withinS: 300 },
        },
      ],
      profiles: [{ kind: 'postgres', of: 'db', port, user: 'bench', database: 'postgres' }],
    });
    const { observed } = await explained(folder, experiment);
    const [run] = observed;
    expect(run?.by).toContainEqual({ name: 'postgres:db', failure: null });
    const reported = (run?.counts ?? []).filter(({ kind }) => kind.startsWith('command'));
    expect(reported.map(({ kind, name, value }) => ({ kind, name, value }))).toEqual([
      { kind: 'command', name: 'select length($1)', value: 2 },
      { kind: 'command-time', name: 'select length($1)', value: expect.any(Number) },
    ]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

it('an answer that was made up is none', () => {
  expect(accountOf('[["select $1", 3, 0.5]]').get('select $1')).toEqual({ calls: 3, seconds: 0.5, errors: 0 });
  for (const wrong of ['', '[', '{}', '[["x", -1, 0]]', '[["x", 1.5, 0]]', '[["x", 1, null]]']) {
    expect(() => accountOf(wrong)).toThrow('unreadable');
  }
});

it('asks for a database by its name alone, and at no other server', () => {
  expect(whoWords(null, null)).toEqual([]);
  expect(whoWords('bench', 'host=elsewhere')).toEqual(['-U', 'bench', '-d', "dbname='host=elsewhere'"]);
  expect(whoWords(null, "it's \\ 'x' host='y'")).toEqual(['-d', "dbname='it\\'s \\\\ \\'x\\' host=\\'y\\''"]);
});

it('psql that is absent, that is refused, that gets no answer, or that waits for one until it is stopped, costs its statements alone', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'joulediff-psql-'));
  const path = process.env.PATH;
  process.env.PATH = folder;
  try {
    const server = { host: '127.0.0.1', port: 1, user: null, database: null };
    const stop = new AbortController();
    const ask = () => postgres.ask(server, stop.signal);
    await expect(ask()).rejects.toMatchObject({ limitation: 'no-tool' });
    for (const [does, limitation] of [
      ['exit 1', 'refused'],
      ['exit 2', 'no-answer'],
      ['echo nonsense', 'unreadable'],
    ] as const) {
      writeFileSync(join(folder, 'psql'), `#!/bin/sh\n${does}\n`, { mode: 0o755 });
      await expect(ask()).rejects.toMatchObject({ limitation });
    }
    writeFileSync(join(folder, 'psql'), '#!/bin/sh\nexec /bin/sleep 1000\n', { mode: 0o755 });
    const waiting = ask();
    stop.abort();
    await expect(waiting).rejects.toMatchObject({ limitation: 'refused' });
  } finally {
    process.env.PATH = path;
    rmSync(folder, { recursive: true });
  }
});
