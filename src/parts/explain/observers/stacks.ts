import type { Frame } from '../../../contracts/observation.ts';

/** More functions than programs have: whoever sees more sees names that were made up, and each costs memory. */
const MAX_NAMES = 500_000;
/** Functions on stacks that differ, together. */
const MAX_PARTS = 10_000_000;

/** What was seen, with each function and each stack one object however often it comes; so much of it as can be kept. */
export class KnownStacks {
  readonly #frameOf: (told: string) => Frame;
  readonly #mostNames: number;
  readonly #mostParts: number;
  readonly #frames = new Map<string, { readonly frame: Frame; readonly number: number }>();
  readonly #stacks = new Map<string, readonly Frame[]>();
  #parts = 0;

  /** `frameOf`: what a sampler's text of a function says. */
  constructor(frameOf: (told: string) => Frame, mostNames = MAX_NAMES, mostParts = MAX_PARTS) {
    this.#frameOf = frameOf;
    this.#mostNames = mostNames;
    this.#mostParts = mostParts;
  }

  /** Gives a stack by the texts of its functions, outermost first; null: there is no room for another. */
  of(told: readonly string[]): readonly Frame[] | null {
    const frames: Frame[] = [];
    const numbers: number[] = [];
    for (const text of told) {
      const known = this.#frames.get(text) ?? this.#made(text);
      if (known === null) return null;
      frames.push(known.frame);
      numbers.push(known.number);
    }
    // Of many deep stacks the texts would fill the memory.
    const key = numbers.join();
    const known = this.#stacks.get(key);
    if (known !== undefined) return known;
    if (this.#parts + frames.length > this.#mostParts) return null;
    this.#parts += frames.length;
    this.#stacks.set(key, frames);
    return frames;
  }

  #made(text: string): { readonly frame: Frame; readonly number: number } | null {
    if (this.#frames.size >= this.#mostNames) return null;
    const made = { frame: this.#frameOf(text), number: this.#frames.size };
    this.#frames.set(text, made);
    return made;
  }
}
