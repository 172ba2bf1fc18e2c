import * as z from 'zod';
import { ObserverError, Tool } from '../../tool.ts';
import { executedBetween } from '../executed.ts';
import type { Account, AskedProfiler } from '../profiler.ts';

const ANSWER_MS = 10_000;
const MAX_BYTES = 32 * 2 ** 20;
const MAX_NAME = 200;

/**
 * Normalized statements, with $1 for constants. Utility statements are left out: the extension stores their literal text, passwords
 * included (pg_stat_statements.track_utility).
 */
const QUESTION = `select /* joulediff */ coalesce(json_agg(json_build_array(query, calls, seconds)), '[]') from (
  select left(regexp_replace(query, '\\s+', ' ', 'g'), ${MAX_NAME}) as query, sum(calls) as calls, sum(total_exec_time) / 1000 as seconds
  from pg_stat_statements where query ~* '^\\s*(select|insert|update|delete|merge|with|values|begin|commit|end|rollback|abort)\\M'
    and dbid = (select oid from pg_database where datname = current_database()) and position('/* joulediff */' in query) = 0 group by 1) as of_text`;

const Reported = z.array(z.tuple([z.string(), z.int().min(0), z.number().min(0)])).max(100_000);

/** PostgreSQL's extension pg_stat_statements: calls and execution time of each statement, queried with the user's own `psql`. */
export const postgres = {
  name: 'postgres',
  way: 'asked',
  port: 5432,
  async ask({ host, port, user, database }, signal) {
    // No password prompt; ~/.pgpass and ~/.pg_service.conf are used.
    const args = ['-X', '-A', '-t', '-q', '-w', '-v', 'ON_ERROR_STOP=1', '-h', host, '-p', String(port)];
    const tool = await Tool.start('psql', [...args, ...whoWords(user, database), '-c', QUESTION]);
    const parts: Buffer[] = [];
    let size = 0;
    tool.child.stderr?.resume();
    tool.child.stdout?.on('data', (part: Buffer) => {
      size += part.length;
      if (size <= MAX_BYTES) parts.push(part);
    });
    const stop = () => void tool.kill();
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    try {
      const code = await tool.end(ANSWER_MS);
      if (code === 2) throw new ObserverError('no-answer');
      if (code !== 0) throw new ObserverError('refused');
    } finally {
      signal.removeEventListener('abort', stop);
    }
    if (size > MAX_BYTES) throw new ObserverError('wrote-too-much');
    return accountOf(Buffer.concat(parts).toString());
  },
  between: (before, after) => executedBetween(before, after, null),
} as const satisfies AskedProfiler;

/** psql interprets a name with "=" or "://" as a connection string, maybe for another server, so the name is passed inside one. */
export function whoWords(user: string | null, database: string | null): string[] {
  const quoted = database?.replace(/[\\']/g, '\\$&');
  return [...(user === null ? [] : ['-U', user]), ...(quoted === undefined ? [] : ['-d', `dbname='${quoted}'`])];
}

/** Parses the answer. Throws ObserverError if it is not the expected one. */
export function accountOf(text: string): Account {
  try {
    const all = Reported.parse(JSON.parse(text));
    return new Map(all.map(([name, calls, seconds]) => [name, { calls, seconds, errors: 0 }]));
  } catch (cause) {
    throw new ObserverError('unreadable', { cause });
  }
}
