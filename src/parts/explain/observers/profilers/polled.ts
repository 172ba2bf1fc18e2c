import type { StackSample, Window } from '../../../../contracts/observation.ts';
import type { Profile } from '../../../../contracts/profilers.ts';
import type { Observation } from '../observer.ts';
import { ObserverError } from '../tool.ts';
import type { Polled, PolledProfiler, Server } from './profiler.ts';

const MAX_SAMPLES = 2_000_000;
/** Maximum ratio of the time that a poll represents to its own duration. */
const MAX_STRETCH = 2;

/** Polls a service while the client runs, and waits for the last answer. */
export function polling(
  kind: PolledProfiler,
  profile: Profile & { readonly port: number },
  signal: AbortSignal,
): Observation {
  const reported: Polled[] = [];
  let count = 0;
  let isOver = false;
  let failure: unknown = null;
  let asking: Promise<void> | null = null;
  const cancelled = new AbortController();
  const stop = AbortSignal.any([signal, cancelled.signal]);

  const ask = async (server: Server): Promise<void> => {
    try {
      while (!isOver) {
        const answer = await kind.poll(server, stop);
        count += answer.samples.length;
        if (count > MAX_SAMPLES) throw new ObserverError('wrote-too-much');
        reported.push(answer);
      }
    } catch (thrown) {
      failure = thrown;
      reported.length = 0;
    }
  };
  return {
    around: {
      async begin(findAddresses) {
        const addresses = await findAddresses(profile.of ?? '').catch((thrown: unknown) => {
          failure = thrown;
          return null;
        });
        if (addresses === null) return;
        asking = ask({ host: addresses[0] ?? '127.0.0.1', port: profile.port, user: null, database: null });
      },
      async end() {
        isOver = true;
        await asking;
      },
    },
    async cancel() {
      isOver = true;
      cancelled.abort(new ObserverError('ended'));
      await asking;
    },
    async end(window) {
      if (failure !== null) throw failure;
      if (asking === null) throw new ObserverError('place-not-seen');
      return { counts: [], samples: spread(reported, window) };
    },
  };
}

/**
 * Distributes the samples of each answer evenly over its stretch, inside the window, since their times are unknown. Each answer also represents
 * the time until the next one begins.
 */
export function spread(reported: readonly Polled[], { startNs, endNs }: Window): StackSample[] {
  const all: StackSample[] = [];
  for (const [i, { fromNs, toNs, samples }] of reported.entries()) {
    const [from, to] = [fromNs > startNs ? fromNs : startNs, toNs < endNs ? toNs : endNs];
    if (to <= from || samples.length === 0) continue;
    const nextNs = reported[i + 1]?.fromNs ?? toNs;
    const factor = Math.min(MAX_STRETCH, Math.max(1, Number(nextNs - fromNs) / Number(toNs - fromNs)));
    if (all.length + samples.length > MAX_SAMPLES) throw new ObserverError('wrote-too-much');
    const step = coprime(Math.round(samples.length * GOLDEN), samples.length);
    for (const [k, { weightNs, frames }] of samples.entries()) {
      const place = (k * step) % samples.length;
      const tNs = from + ((to - from) * BigInt(2 * place + 1)) / BigInt(2 * samples.length);
      all.push({ tNs, weightNs: weightNs * factor, frames });
    }
  }
  return all;
}

/** Spacing that distributes samples of different stacks evenly (golden ratio), since equal stacks are adjacent. */
const GOLDEN = 0.618;

function coprime(step: number, of: number): number {
  let found = Math.max(1, step);
  while (gcd(found, of) !== 1) found++;
  return found;
}

const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b));
