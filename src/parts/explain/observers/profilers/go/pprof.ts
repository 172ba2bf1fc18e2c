import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Frame } from '../../../../../contracts/observation.ts';
import { ObserverError } from '../../tool.ts';
import { fieldsOf, numbersOf } from './fields.ts';

/** Maximum uncompressed bytes; profiles of an hour have a few megabytes. */
const MAX_BYTES = 256 * 2 ** 20;
const MAX_STACKS = 500_000;
/** Maximum numbers, names and stack frames together: decoded data may take a hundred times the memory of its file. */
const MAX_PARTS = 10_000_000;
const MAX_FRAMES = 200;
const MAX_NAME = 300;
/** Maximum nanoseconds that a double holds exactly. */
const LONGEST_NS = BigInt(Number.MAX_SAFE_INTEGER);

/** Processor time on one stack. */
export interface CpuStack {
  /** Stack frames, the outermost first. */
  readonly frames: readonly Frame[];
  readonly samples: number;
  readonly cpuNs: number;
}

/** A CPU profile (`profile.proto` of github.com/google/pprof). */
export interface CpuProfile {
  /** Start, wall clock; 0: unknown. */
  readonly startUnixNs: bigint;
  readonly durationNs: bigint;
  readonly stacks: readonly CpuStack[];
}

/** Decodes a file or answer, compressed or not, which may be made up. Throws ObserverError if it is no CPU profile. */
export async function cpuProfile(content: Uint8Array, mostBytes = MAX_BYTES): Promise<CpuProfile> {
  return parsed(content[0] === 0x1f && content[1] === 0x8b ? await unpacked(content, mostBytes) : content);
}

async function unpacked(content: Uint8Array, maxOutputLength: number): Promise<Uint8Array> {
  try {
    return await promisify(gunzip)(content, { maxOutputLength });
  } catch (cause) {
    const isLarge = cause instanceof RangeError;
    throw new ObserverError(isLarge ? 'wrote-too-much' : 'unreadable', { cause });
  }
}

/** Remaining capacity for decoding a profile. */
class Room {
  #left = MAX_PARTS;

  /** Uses capacity. Throws ObserverError if none is left. */
  take(parts = 1): void {
    this.#left -= parts;
    if (this.#left < 0) throw new ObserverError('wrote-too-much');
  }
}

interface Parts {
  readonly room: Room;
  readonly types: { readonly type: number; readonly unit: number }[];
  readonly samples: { readonly locations: readonly bigint[]; readonly values: readonly bigint[] }[];
  /** Function ids of each location, the innermost inlined function first. */
  readonly locations: Map<bigint, readonly bigint[]>;
  readonly functions: Map<bigint, { readonly name: number; readonly file: number }>;
  readonly strings: string[];
}

function parsed(message: Uint8Array): CpuProfile {
  const parts: Parts = {
    room: new Room(),
    types: [],
    samples: [],
    locations: new Map(),
    functions: new Map(),
    strings: [],
  };
  let [startUnixNs, durationNs] = [0n, 0n];
  for (const { field, value, bytes } of fieldsOf(message)) {
    if (bytes !== null) take(parts, field, bytes);
    else if (field === 9) startUnixNs = value;
    else if (field === 10) durationNs = value;
  }
  if (startUnixNs > 2n ** 63n || durationNs > LONGEST_NS) throw new ObserverError('unreadable');
  return { startUnixNs, durationNs, stacks: toStacks(parts) };
}

function take({ room, types, samples, locations, functions, strings }: Parts, field: number, bytes: Uint8Array): void {
  room.take();
  switch (field) {
    case 1: {
      const { numbers } = messageOf(bytes, room);
      types.push({ type: Number(numbers.get(1)?.[0] ?? 0n), unit: Number(numbers.get(2)?.[0] ?? 0n) });
      return;
    }
    case 2: {
      const { numbers } = messageOf(bytes, room, [1, 2]);
      if (samples.length === MAX_STACKS) throw new ObserverError('wrote-too-much');
      samples.push({ locations: numbers.get(1) ?? [], values: numbers.get(2) ?? [] });
      return;
    }
    case 4: {
      const { numbers, messages } = messageOf(bytes, room);
      const lines = messages.get(4) ?? [];
      const id = numbers.get(1)?.[0] ?? 0n;
      locations.set(
        id,
        lines.map((line) => messageOf(line, room).numbers.get(1)?.[0] ?? 0n),
      );
      return;
    }
    case 5: {
      const { numbers } = messageOf(bytes, room);
      const [name, file] = [numbers.get(2)?.[0] ?? 0n, numbers.get(4)?.[0] ?? 0n];
      functions.set(numbers.get(1)?.[0] ?? 0n, { name: Number(name), file: Number(file) });
      return;
    }
    case 6:
      strings.push(
        Buffer.from(bytes.subarray(0, 4 * MAX_NAME))
          .toString()
          .slice(0, MAX_NAME),
      );
  }
}

/** Numbers and byte fields of a message, by field; `packed`: number fields that may be packed. */
function messageOf(bytes: Uint8Array, room: Room, packed: readonly number[] = []) {
  const numbers = new Map<number, bigint[]>();
  const messages = new Map<number, Uint8Array[]>();
  for (const one of fieldsOf(bytes)) {
    if (one.value === null && !packed.includes(one.field)) {
      room.take();
      const parts = messages.get(one.field) ?? [];
      parts.push(one.bytes);
      messages.set(one.field, parts);
      continue;
    }
    const list = numbers.get(one.field) ?? [];
    for (const number of numbersOf(one)) {
      room.take();
      list.push(number);
    }
    numbers.set(one.field, list);
  }
  return { numbers, messages };
}

function toStacks({ room, types, samples, locations, functions, strings }: Parts): CpuStack[] {
  const isType = (type: string, unit: string) =>
    types.findIndex((one) => strings[one.type] === type && strings[one.unit] === unit);
  const [samplesAt, cpuAt] = [isType('samples', 'count'), isType('cpu', 'nanoseconds')];
  if (samplesAt < 0 || cpuAt < 0) throw new ObserverError('unreadable');
  const known = new Map<bigint, Frame>();
  const frameOf = (id: bigint): Frame => {
    const before = known.get(id);
    if (before !== undefined) return before;
    const { name, file } = functions.get(id) ?? { name: 0, file: 0 };
    const frame = { name: strings[name] || '[unknown]', library: strings[file] || null };
    known.set(id, frame);
    return frame;
  };
  return samples.map(({ locations: places, values }) => {
    const [samples, cpuNs] = [values[samplesAt] ?? 0n, values[cpuAt] ?? 0n];
    if (samples > LONGEST_NS || cpuNs > LONGEST_NS) throw new ObserverError('unreadable');
    const frames: Frame[] = [];
    for (const place of places) {
      const inlined = locations.get(place) ?? [];
      for (const id of inlined.length === 0 ? [0n] : inlined) {
        if (frames.length < MAX_FRAMES) frames.push(frameOf(id));
      }
    }
    room.take(frames.length);
    return { frames: frames.reverse(), samples: Number(samples), cpuNs: Number(cpuNs) };
  });
}
