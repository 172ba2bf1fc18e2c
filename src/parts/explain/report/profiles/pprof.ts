import { gzipSync } from 'fflate';
import type { ProfileTree } from '../../analysis/tree.ts';
import { safeName, selfTimes } from './walk.ts';

/** A variant's processor time, or the time of its threads, for `go tool pprof`, in nanoseconds, the mean of a run; the phase is a label (github.com/google/pprof, proto/profile.proto). */
export function pprof(tree: ProfileTree, variant: number): Uint8Array {
  const strings = new Map([['', 0]]);
  const text = (of: string): number => numberOf(strings, of);
  const functions = new Map<string, number>();
  const out: number[] = [];
  const type = bytesOf(int(1, text(tree.time === 'thread' ? 'thread' : 'cpu')), int(2, text('nanoseconds')));
  part(out, 1, type);
  for (const { phase, path, seconds } of selfTimes(tree, variant)) {
    const nanos = Math.round(seconds * 1e9);
    if (nanos <= 0) continue;
    // Locations, the innermost first. Each function has one location with the same number.
    const locations = path
      .toReversed()
      .map(({ name, file }) => numberOf(functions, `${safeName(file)}\n${safeName(name)}`) + 1);
    const label = phase === null ? [] : part([], 3, bytesOf(int(1, text('phase')), int(2, text(safeName(phase)))));
    part(out, 2, bytesOf(part([], 1, locations.flatMap(varint)), part([], 2, varint(nanos)), label));
  }
  for (const [key, number] of functions) {
    const [file = '', name = ''] = key.split('\n');
    part(out, 4, bytesOf(int(1, number + 1), part([], 4, int(1, number + 1))));
    part(out, 5, bytesOf(int(1, number + 1), int(2, text(name)), int(3, text(name)), int(4, text(file))));
  }
  const period = bytesOf(part([], 11, type), int(12, 1));
  const encoder = new TextEncoder();
  for (const of of strings.keys()) part(out, 6, encoder.encode(of));
  for (const byte of period) out.push(byte);
  // A compressor in JavaScript gives the same bytes on every processor.
  return gzipSync(Uint8Array.from(out), { level: 9, mtime: 0 });
}

function numberOf(all: Map<string, number>, key: string): number {
  const found = all.get(key) ?? all.size;
  all.set(key, found);
  return found;
}

/** Base-128 varint, least significant first (protobuf.dev/programming-guides/encoding); numbers up to 2^53. */
function varint(value: number): number[] {
  const bytes: number[] = [];
  let left = value;
  for (; left >= 128; left = Math.floor(left / 128)) bytes.push((left % 128) + 128);
  return [...bytes, left];
}

const int = (field: number, value: number): number[] => (value === 0 ? [] : [field * 8, ...varint(value)]);

/** Appends a length-delimited field to `out`. */
function part(out: number[], field: number, content: Iterable<number> & { readonly length: number }): number[] {
  out.push(field * 8 + 2, ...varint(content.length));
  for (const byte of content) out.push(byte);
  return out;
}

const bytesOf = (...parts: readonly (readonly number[])[]): number[] => parts.flat();
