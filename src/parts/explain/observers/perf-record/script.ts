import type { Frame, StackSample, Window } from '../../../../contracts/observation.ts';
import { KnownStacks } from '../stacks.ts';

/** Maximum frames of a stack, for endless recursion. */
const MAX_FRAMES = 200;
const MAX_NAME = 300;
/** Maximum samples, about an hour of processor time. */
const MAX_SAMPLES = 2_000_000;

/**
 * Takes the lines of `perf script --ns -F time,period,ip,sym,dso` apart: a sample is its time and the nanoseconds that it stands for, a line for each
 * frame, the innermost first, and an empty line. What is outside the window is left out. Every frame, and every stack, is one object however often it comes; of more than can be kept `isFull` tells.
 */
export class ScriptReader {
  readonly samples: StackSample[] = [];
  readonly #window: Window;
  readonly #most: number;
  #isFull = false;
  readonly #stacks = new KnownStacks(frameOf);
  #head: { readonly tNs: bigint; readonly weightNs: number } | null = null;
  #lines: string[] = [];

  constructor(window: Window, most = MAX_SAMPLES) {
    this.#window = window;
    this.#most = most;
  }

  /** Whether samples or functions were dropped because of a limit. */
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
    if (this.#head !== null && this.#lines.length < MAX_FRAMES) this.#lines.push(line.replace(/^\s*[0-9a-f]+ /, ''));
  }

  /** Completes the last sample. */
  end(): void {
    const head = this.#head;
    if (head !== null && this.#lines.length > 0 && this.#isInside(head.tNs) && !this.#isFull) {
      const frames = this.samples.length < this.#most ? this.#stacks.of(this.#lines.toReversed()) : null;
      if (frames === null) this.#isFull = true;
      else this.samples.push({ ...head, frames });
    }
    this.#head = null;
    this.#lines = [];
  }

  #isInside(tNs: bigint): boolean {
    return tNs >= this.#window.startNs && tNs <= this.#window.endNs;
  }
}

function frameOf(line: string): Frame {
  const text = line.replace(/ \(deleted\)\)$/, ')');
  // Names and paths may have parentheses; a path begins with a slash.
  const path = text.search(/ \([/[]/);
  const at = path < 0 ? text.lastIndexOf(' (') : path;
  const library = at < 0 ? '' : text.slice(at + 2).replace(/\)$/, '');
  const name = (at < 0 ? text : text.slice(0, at)).slice(0, MAX_NAME);
  const isKnown = library !== '' && library !== '[unknown]';
  return { name: name === '' ? '[unknown]' : name, library: isKnown ? library.slice(0, MAX_NAME) : null };
}
