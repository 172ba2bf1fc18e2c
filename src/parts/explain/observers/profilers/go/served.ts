import { type IncomingMessage, request } from 'node:http';
import { nowNs } from '../../../../../system/clock.ts';
import { ObserverError } from '../../tool.ts';
import type { Polled, Server } from '../profiler.ts';
import { cpuProfile } from './pprof.ts';
import { samplesOf } from './samples.ts';

/** Minimum duration that net/http/pprof accepts. */
const SECONDS = 1;
const PATH = `/debug/pprof/profile?seconds=${SECONDS}`;
const ANSWER_MS = 15_000;
const MAX_BYTES = 32 * 2 ** 20;

/** Profile of a server with net/http/pprof during the next second. Throws ObserverError, or the signal's reason. */
export async function pollOnce(where: Server, signal: AbortSignal): Promise<Polled> {
  const askedNs = nowNs();
  const content = await answer(where, signal);
  const answeredNs = nowNs();
  const { durationNs, stacks } = await cpuProfile(content);
  // The profile begins on request, and the answer comes slightly after its second.
  const latestNs = answeredNs - askedNs;
  const toNs = askedNs + (durationNs > 0n && durationNs < latestNs ? durationNs : latestNs);
  return { fromNs: askedNs, toNs, samples: samplesOf(stacks) };
}

function answer({ host, port }: Server, stop: AbortSignal): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const late = AbortSignal.timeout(ANSWER_MS);
  const fail = (limitation: 'no-answer' | 'refused' | 'wrote-too-much', cause?: unknown) =>
    reject(stop.aborted ? stop.reason : new ObserverError(limitation, { cause }));
  const asked = request(
    { host, port, path: PATH, agent: false, signal: AbortSignal.any([stop, late]) },
    (answered: IncomingMessage) => {
      if (answered.statusCode !== 200) {
        fail('refused');
        asked.destroy();
        return;
      }
      const parts: Buffer[] = [];
      let size = 0;
      answered.on('data', (part: Buffer) => {
        size += part.length;
        parts.push(part);
        if (size <= MAX_BYTES) return;
        fail('wrote-too-much');
        asked.destroy();
      });
      answered.once('end', () => resolve(Buffer.concat(parts)));
      answered.once('error', (cause) => fail('no-answer', cause));
      // A truncated answer has no `end` event.
      answered.once('close', () => fail('no-answer'));
    },
  );
  asked.once('error', (cause) => fail('no-answer', cause));
  asked.end();
  return promise;
}
