/** A stretch of a sentence by what it is, so that each renderer escapes and emphasizes in its own way. */
export type Span =
  /** Words of ours. */
  | string
  /** A name from outside: of a variant, a channel, a phase, a meter. */
  | { readonly name: string }
  /** What a reader may type or look for: `batch: auto`. */
  | { readonly code: string }
  /** Words of ours that lead to an address of the web, which whoever makes it has checked. */
  | Link
  /** The part that a reader is meant to see first. */
  | { readonly strong: Text };

export interface Link {
  readonly link: string;
  readonly href: string;
}

/** One line of running text. */
export type Text = readonly Span[];
