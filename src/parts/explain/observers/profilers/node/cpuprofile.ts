import type { Frame, StackSample, Window } from '../../../../../contracts/observation.ts';
import { ObserverError } from '../../tool.ts';

/** Maximum nodes, more than real programs have; each costs memory. */
const MAX_NODES = 200_000;
const MAX_SAMPLES = 2_000_000;
const MAX_FRAMES = 200;
const MAX_NAME = 300;
/** Maximum microseconds whose nanoseconds a double holds exactly: 104 days of uptime. */
const LATEST_US = Number.MAX_SAFE_INTEGER / 1000;

/** V8's name for an idle thread. */
const IDLE = '(idle)';
const ROOT = '(root)';
/** Library name for code of the runtime: Node.js modules, V8 functions, garbage collection, and native code. */
export const INTERNAL = 'node:internal';

/**
 * Samples of a `.cpuprofile` (Profiler.Profile of the Chrome DevTools Protocol) in the window; each represents the time until the next. Times
 * are CLOCK_MONOTONIC microseconds (base::TimeTicks). Idle is left out. Throws ObserverError if it is malformed.
 */
export function samplesOf(profile: unknown, { startNs, endNs }: Window): StackSample[] {
  const { nodes, samples, timeDeltas, startTime, endTime } = (profile ?? {}) as Record<string, unknown>;
  if (!Array.isArray(nodes) || !Array.isArray(samples) || !Array.isArray(timeDeltas)) throw unreadable();
  if (!isTime(startTime) || !isTime(endTime) || nodes.length > MAX_NODES) throw unreadable();
  if (samples.length > MAX_SAMPLES) throw new ObserverError('wrote-too-much');
  const stacks = new Stacks(nodes);
  const all: StackSample[] = [];
  let atUs = startTime;
  for (let i = 0; i < samples.length; i++) {
    const [delta, next = 0] = [timeDeltas[i], timeDeltas[i + 1]];
    if (typeof delta !== 'number' || typeof next !== 'number') throw unreadable();
    atUs += delta;
    const untilUs = i + 1 < samples.length ? atUs + next : endTime;
    if (!isTime(atUs) || !isTime(untilUs)) throw unreadable();
    const from = later(usToNs(atUs), startNs);
    const to = usToNs(untilUs) < endNs ? usToNs(untilUs) : endNs;
    if (to <= from) continue;
    const frames = stacks.of(samples[i]);
    if (frames.length > 0) all.push({ tNs: from, weightNs: Number(to - from), frames });
  }
  return all;
}

const unreadable = (): ObserverError => new ObserverError('unreadable');
const isTime = (us: unknown): us is number => typeof us === 'number' && us >= 0 && us < LATEST_US;
const usToNs = (us: number): bigint => BigInt(Math.round(us * 1000));
const later = (a: bigint, b: bigint): bigint => (a > b ? a : b);

/** Stacks of a profile's nodes, cached. */
class Stacks {
  readonly #frames = new Map<unknown, Frame | null>();
  readonly #parents = new Map<unknown, unknown>();
  readonly #stacks = new Map<unknown, readonly Frame[]>();

  constructor(nodes: readonly unknown[]) {
    for (const node of nodes) {
      const { id, callFrame, children = [] } = (node ?? {}) as Record<string, unknown>;
      if (typeof id !== 'number' || !Array.isArray(children)) throw unreadable();
      this.#frames.set(id, frameOf(callFrame));
      for (const child of children) this.#parents.set(child, id);
    }
  }

  /** Frames, the outermost first; empty: idle. A made-up profile may have a cycle, which ends at the maximum depth. */
  of(id: unknown): readonly Frame[] {
    const known = this.#stacks.get(id);
    if (known !== undefined) return known;
    const frames: Frame[] = [];
    for (let at = id; at !== undefined && frames.length < MAX_FRAMES; at = this.#parents.get(at)) {
      const frame = this.#frames.get(at);
      if (frame === undefined) throw unreadable();
      if (frame?.name === IDLE) break;
      if (frame !== null) frames.push(frame);
    }
    frames.reverse();
    this.#stacks.set(id, frames);
    return frames;
  }
}

/** Function of a node of the call tree; null: it is the root, which is no function. */
function frameOf(given: unknown): Frame | null {
  const { functionName, url, lineNumber } = (given ?? {}) as Record<string, unknown>;
  if (typeof functionName !== 'string' || typeof url !== 'string') throw unreadable();
  if (functionName === ROOT) return null;
  if (url === '') return { name: functionName.slice(0, MAX_NAME) || '(anonymous)', library: INTERNAL };
  const isOwn = !url.startsWith('node:');
  const path = url.replace(/^file:\/\//, '');
  const file = isOwn ? path.replace(/^.*\//, '') : url;
  // An anonymous function is identified by its line.
  const line = typeof lineNumber === 'number' ? `:${lineNumber + 1}` : '';
  const name = functionName === '' ? `(anonymous) (${file}${line})` : `${functionName} (${file})`;
  return { name: name.slice(0, MAX_NAME), library: isOwn ? path.slice(0, MAX_NAME) : INTERNAL };
}
