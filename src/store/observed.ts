import type Database from 'better-sqlite3';
import type { PhaseMark } from '../contracts/execution.ts';
import type { Frame, StackSample, StretchCount } from '../contracts/observation.ts';
import { InputError } from '../errors.ts';
import {
  FRAME,
  MAX_FRAMES,
  OBSERVED_BY,
  OBSERVED_COUNT,
  OBSERVED_MARK,
  OBSERVED_RUN,
  OBSERVED_SAMPLE,
  OBSERVER,
  STACK,
} from './observed-tables.ts';
import { inserter, type Row, selectAll } from './table.ts';

/** An observer, and the limitation that it has on this machine. */
export type ObserverRecord = Omit<Row<typeof OBSERVER.columns>, 'position'>;

/** An extra run that was observed. */
export interface ObservedRecord extends Omit<Row<typeof OBSERVED_RUN.columns>, 'observed'> {
  readonly marks: readonly PhaseMark[];
  /** The observers of this run. */
  readonly by: readonly Omit<Row<typeof OBSERVED_BY.columns>, 'observed'>[];
  readonly counts: readonly StretchCount[];
  readonly samples: readonly StackSample[];
}

/** Records observers with the result of their latest test. Earlier ones stay, since runs refer to them. */
export function writeObservers(db: Database.Database, observers: readonly ObserverRecord[]): void {
  const write = db.prepare(
    `INSERT INTO ${OBSERVER.name} (name, position, missing) VALUES (@name, @position, @missing)
     ON CONFLICT (name) DO UPDATE SET position = @position, missing = @missing`,
  );
  observers.forEach((observer, i) => {
    write.run({ ...observer, position: i + 1 });
  });
}

/** `room`: other size limits, for tests. */
export function writeObserved(
  db: Database.Database,
  { marks, by, counts, samples, ...run }: ObservedRecord,
  room: Room = ROOM,
): void {
  const last = db.prepare<[], { last: number | null }>('SELECT max(observed) AS last FROM observed_run').get();
  const observed = (last?.last ?? 0) + 1;
  inserter(db, OBSERVED_RUN)({ ...run, observed });
  const insertMark = inserter(db, OBSERVED_MARK);
  marks.forEach((mark, i) => {
    insertMark({ ...mark, observed, mark: i + 1 });
  });
  const insertBy = inserter(db, OBSERVED_BY);
  for (const one of by) insertBy({ ...one, observed });
  const insertCount = inserter(db, OBSERVED_COUNT);
  for (const count of counts) insertCount({ ...count, observed });
  const insertSample = inserter(db, OBSERVED_SAMPLE);
  const stacks = new Stacks(db, room);
  for (const { tNs, weightNs, frames } of samples) {
    insertSample({ observed, tNs, weightNs: Math.round(weightNs), stack: stacks.numberOf(frames) });
  }
}

const keyOf = ({ name, library }: Frame): string => JSON.stringify([name, library]);

/** Size limits of the dictionary of stacks in the database. */
interface Room {
  readonly rows: number;
  /** Bytes of its texts. */
  readonly bytes: number;
}

/** Limits for whole stacks. Truncated stacks may use twice as much, single frames have no limit: the sum stays below LIMITS. */
const ROOM: Room = { rows: 300_000, bytes: 40 * 2 ** 20 };
/** Number of innermost frames that are kept when whole stacks exceed their limit. */
const FEW_FRAMES = 8;
const NO_ROOM: Frame = { name: '[unknown]', library: null };

/** The dictionary of stacks: gives each new stack a number, within the size limits. */
class Stacks {
  readonly #frames: Map<string, number>;
  readonly #stacks: Map<string, number>;
  readonly #room: Room;
  #frameBytes = 0;
  #stackBytes = 0;
  readonly #insertFrame: (row: Row<typeof FRAME.columns>) => void;
  readonly #insertStack: (row: Row<typeof STACK.columns>) => void;

  constructor(db: Database.Database, room: Room) {
    this.#room = room;
    this.#frames = new Map(selectAll(db, FRAME).map(({ frame, ...found }) => [keyOf(found), frame]));
    this.#stacks = new Map(selectAll(db, STACK).map(({ stack, frames }) => [frames.join(), stack]));
    for (const key of this.#frames.keys()) this.#frameBytes += Buffer.byteLength(key);
    for (const key of this.#stacks.keys()) this.#stackBytes += key.length + 2;
    this.#insertFrame = inserter(db, FRAME);
    this.#insertStack = inserter(db, STACK);
  }

  numberOf(given: readonly Frame[]): number {
    const frames = given.slice(-MAX_FRAMES).map((frame) => this.#frameOf(frame));
    return (
      this.#stackOf(frames, this.#room) ??
      this.#stackOf(frames.slice(-FEW_FRAMES), { rows: 2 * this.#room.rows, bytes: 2 * this.#room.bytes }) ??
      (this.#stackOf(frames.slice(-1), null) as number)
    );
  }

  /** Number of a stack; null: it is new and exceeds the limits. `room` null: no limits. */
  #stackOf(frames: readonly number[], room: Room | null): number | null {
    const key = frames.join();
    const known = this.#stacks.get(key);
    if (known !== undefined) return known;
    const bytes = this.#stackBytes + key.length + 2;
    if (room !== null && (this.#stacks.size >= room.rows || bytes > room.bytes)) return null;
    const stack = this.#stacks.size + 1;
    this.#stacks.set(key, stack);
    this.#stackBytes = bytes;
    this.#insertStack({ stack, frames });
    return stack;
  }

  #frameOf({ name, library }: Frame): number {
    const key = keyOf({ name, library });
    const known = this.#frames.get(key);
    if (known !== undefined) return known;
    const bytes = this.#frameBytes + Buffer.byteLength(key);
    const hasRoom = this.#frames.size < this.#room.rows && bytes <= this.#room.bytes;
    if (!hasRoom && key !== keyOf(NO_ROOM)) return this.#frameOf(NO_ROOM);
    const frame = this.#frames.size + 1;
    this.#frames.set(key, frame);
    this.#frameBytes = bytes;
    this.#insertFrame({ frame, name, library });
    return frame;
  }
}

export const readObservers = (db: Database.Database): ObserverRecord[] =>
  selectAll(db, OBSERVER)
    .toSorted((a, b) => a.position - b.position)
    .map(({ name, missing }) => ({ name, missing }));

/** Observed runs in the order of execution. Throws InputError if the file is not one that joulediff wrote. */
export function readObserved(db: Database.Database): ObservedRecord[] {
  const runs = selectAll(db, OBSERVED_RUN);
  if (runs.length === 0) return [];
  const stacks = readStacks(db);
  const ofRun = <T extends { readonly observed: number }>(rows: readonly T[]) => {
    const found = Map.groupBy(rows, ({ observed }) => observed);
    return (run: number): Omit<T, 'observed'>[] => (found.get(run) ?? []).map(({ observed: _, ...row }) => row);
  };
  const marks = ofRun(selectAll(db, OBSERVED_MARK));
  const by = ofRun(selectAll(db, OBSERVED_BY));
  const counts = ofRun(selectAll(db, OBSERVED_COUNT));
  const samples = ofRun(selectAll(db, OBSERVED_SAMPLE));
  return runs.map(({ observed, ...run }) => ({
    ...run,
    marks: marks(observed).map(({ mark: _, ...mark }) => mark),
    by: by(observed),
    counts: counts(observed),
    samples: samples(observed).map(({ stack, ...sample }) => ({
      ...sample,
      frames: stacks.get(stack) as readonly Frame[],
    })),
  }));
}

function readStacks(db: Database.Database): ReadonlyMap<number, readonly Frame[]> {
  const frames = new Map(selectAll(db, FRAME).map(({ frame, ...found }) => [frame, found satisfies Frame]));
  return new Map(
    selectAll(db, STACK).map(({ stack, frames: numbers }) => [
      stack,
      numbers.map((number) => {
        const frame = frames.get(number);
        if (frame !== undefined) return frame;
        throw new InputError(`${db.name} is damaged or made up: its stack ${stack} names a frame that is not there.`);
      }),
    ]),
  );
}
