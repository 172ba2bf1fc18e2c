import { connect } from 'node:net';
import { ObserverError } from '../../tool.ts';
import { executedBetween } from '../executed.ts';
import type { Account, AskedProfiler, Server } from '../profiler.ts';

const ANSWER_MS = 5000;
/** Maximum bytes of an answer; statistics of all commands take some 30 kB. */
const MAX_BYTES = 2 ** 20;
/** Command of the query itself, which the second answer counts. */
const OWN = 'INFO';

/** Redis, Valkey and compatible servers: calls and execution time of each command (`INFO commandstats`). */
export const redis = {
  name: 'redis',
  way: 'asked',
  port: 6379,
  async ask(server, signal) {
    return accountOf(await answer(server, signal));
  },
  between: (before, after) => executedBetween(before, after, OWN),
} as const satisfies AskedProfiler;

/** Sends a query and returns the text of its answer (RESP bulk string). Throws ObserverError. */
function answer({ host, port }: Pick<Server, 'host' | 'port'>, stop: AbortSignal): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const socket = connect({ host, port });
  const signal = AbortSignal.any([stop, AbortSignal.timeout(ANSWER_MS)]);
  const fail = (limitation: 'no-answer' | 'refused' | 'unreadable', cause?: unknown) =>
    reject(new ObserverError(limitation, { cause }));
  const onAbort = () => fail('no-answer', signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  // A signal that was aborted before fires no event any more.
  if (signal.aborted) onAbort();
  let got = Buffer.alloc(0);
  socket.once('connect', () => socket.write('*2\r\n$4\r\nINFO\r\n$12\r\ncommandstats\r\n'));
  socket.on('error', (cause) => fail('no-answer', cause));
  socket.on('close', () => fail('no-answer'));
  socket.on('data', (part) => {
    got = Buffer.concat([got, part]);
    const head = got.subarray(0, 32).toString('latin1');
    if (head.startsWith('-')) return fail('refused');
    const [line, size] = /^\$(\d{1,9})\r\n/.exec(head) ?? [];
    const isOther = line === undefined && (head.includes('\n') || head.length === 32);
    if (isOther || got.length > MAX_BYTES) return fail('unreadable');
    if (line === undefined || got.length < line.length + Number(size)) return;
    resolve(got.subarray(line.length, line.length + Number(size)).toString('latin1'));
  });
  return promise.finally(() => {
    signal.removeEventListener('abort', onAbort);
    socket.destroy();
  });
}

/** Parses lines like `cmdstat_config|get:calls=1,usec=20,usec_per_call=20.00,rejected_calls=0,failed_calls=0`, one per command. */
export function accountOf(text: string): Account {
  const all = new Map<string, { calls: number; seconds: number; errors: number }>();
  for (const line of text.split(/\r?\n/)) {
    const [, name, numbers = ''] = /^cmdstat_([\w.|-]{1,100}):(.{1,300})$/.exec(line) ?? [];
    if (name === undefined) continue;
    const number = (key: string): number => Number(new RegExp(`(?:^|,)${key}=(\\d{1,15})(?:,|$)`).exec(numbers)?.[1]);
    const [calls, usec] = [number('calls'), number('usec')];
    if (!Number.isFinite(calls) || !Number.isFinite(usec)) throw new ObserverError('unreadable');
    const errors = (number('rejected_calls') || 0) + (number('failed_calls') || 0);
    all.set(name.replace('|', ' ').toUpperCase(), { calls, seconds: usec / 1e6, errors });
  }
  return all;
}
