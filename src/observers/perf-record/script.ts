import type { Frame, StackSample, Window } from '../observer.ts';

/** A stack of a program that never ends calling itself is kept to this. */
const MOST_FRAMES = 200;
const MOST_NAME = 300;
/** An hour of a processor: what has more is not what the extra runs are for. */
const MOST_SAMPLES = 2_000_000;

/**
 * Takes the lines of `perf script --ns -F time,period,ip,sym,dso` apart: a sample is its time and the nanoseconds that it stands for, a line for each
 * frame, the innermost first, and an empty line. What is outside the window is left out. Every frame, and every stack, is one object however often it comes.
 */
export class ScriptReader {
  readonly samples: StackSample[] = [];
  readonly #window: Window;
  readonly #most: number;
  #isFull = false;
  readonly #frames = new Map<string, { readonly frame: Frame; readonly number: number }>();
  readonly #stacks = new Map<string, readonly Frame[]>();
  #head: { readonly tNs: bigint; readonly weightNs: number } | null = null;
  #lines: string[] = [];

  constructor(window: Window, most = MOST_SAMPLES) {
    this.#window = window;
    this.#most = most;
  }

  /** There were more samples than are kept. */
  get isFull(): boolean {
    return this.#isFull;
  }

  take(line: string): void {
    if (line.trim() === '') {
      this.end();
      return;
    }
    const head = line.startsWith('\t') ? null : /^\s*(\d+)\.(\d{9}):\s+(\d+)/.exec(line);
    if (head !== null) {
      this.end();
      const [, s = '', ns = '', period = ''] = head;
      this.#head = { tNs: BigInt(s) * 1_000_000_000n + BigInt(ns), weightNs: Number(period) };
      return;
    }
    if (this.#head !== null && this.#lines.length < MOST_FRAMES) this.#lines.push(line.replace(/^\s*[0-9a-f]+ /, ''));
  }

  /** There is no more of the last sample. */
  end(): void {
    const head = this.#head;
    if (head !== null && this.#lines.length > 0 && this.#isInside(head.tNs)) {
      if (this.samples.length < this.#most) this.samples.push({ ...head, frames: this.#stackOf(this.#lines) });
      else this.#isFull = true;
    }
    this.#head = null;
    this.#lines = [];
  }

  #isInside(tNs: bigint): boolean {
    return tNs >= this.#window.startNs && tNs <= this.#window.endNs;
  }

  #stackOf(lines: readonly string[]): readonly Frame[] {
    const frames = lines.map((line) => this.#frameOf(line));
    // Of many deep stacks the texts would fill the memory.
    const key = frames.map(({ number }) => number).join();
    const known = this.#stacks.get(key);
    if (known !== undefined) return known;
    const stack = frames.toReversed().map(({ frame }) => frame);
    this.#stacks.set(key, stack);
    return stack;
  }

  #frameOf(line: string): { readonly frame: Frame; readonly number: number } {
    const known = this.#frames.get(line);
    if (known !== undefined) return known;
    const text = line.replace(/ \(deleted\)\)$/, ')');
    // A path may have parentheses, and so may a name; a path begins with a slash.
    const path = text.search(/ \([/[]/);
    const at = path < 0 ? text.lastIndexOf(' (') : path;
    const library = at < 0 ? '' : text.slice(at + 2).replace(/\)$/, '');
    const name = (at < 0 ? text : text.slice(0, at)).slice(0, MOST_NAME);
    const isKnown = library !== '' && library !== '[unknown]';
    const frame = { name: name === '' ? '[unknown]' : name, library: isKnown ? library.slice(0, MOST_NAME) : null };
    const made = { frame, number: this.#frames.size };
    this.#frames.set(line, made);
    return made;
  }
}
