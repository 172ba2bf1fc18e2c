import type { Frame } from '../../../contracts/observation.ts';

/** Maximum number of functions: more than real programs have, so further names are made up and only cost memory. */
const MAX_NAMES = 500_000;
/** Maximum total length of distinct stacks, in functions. */
const MAX_PARTS = 10_000_000;

/** Interns functions and stacks up to a size limit: each is one object, however often it occurs. */
export class KnownStacks {
  readonly #frameOf: (reported: string) => Frame;
  readonly #mostNames: number;
  readonly #mostParts: number;
  readonly #frames = new Map<string, { readonly frame: Frame; readonly number: number }>();
  readonly #stacks = new Map<string, readonly Frame[]>();
  #parts = 0;

  /** `frameOf`: parses a sampler's text of a function. */
  constructor(frameOf: (reported: string) => Frame, mostNames = MAX_NAMES, mostParts = MAX_PARTS) {
    this.#frameOf = frameOf;
    this.#mostNames = mostNames;
    this.#mostParts = mostParts;
  }

  /** Stack from the texts of its functions, outermost first; null: no room for another. */
  of(reported: readonly string[]): readonly Frame[] | null {
    const frames: Frame[] = [];
    const numbers: number[] = [];
    for (const text of reported) {
      const known = this.#frames.get(text) ?? this.#made(text);
      if (known === null) return null;
      frames.push(known.frame);
      numbers.push(known.number);
    }
    // Numbers instead of texts: those of many deep stacks would fill the memory.
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
