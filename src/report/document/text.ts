import { visible } from '../../text/plain.ts';

/** A stretch of a sentence by what it is, so that each renderer escapes and emphasizes in its own way. */
export type Span =
  /** Words of ours. */
  | string
  /** A name from outside: of a variant, a channel, a phase, a meter. */
  | { readonly name: string }
  /** What a reader may type or look for: `batch: auto`. */
  | { readonly code: string }
  /** The part that a reader is meant to see first. */
  | { readonly strong: Text };

/** One line of running text. */
export type Text = readonly Span[];

export function name(text: string): { readonly name: string } {
  return { name: text };
}

/** Texts with words between them. */
export function joined(texts: readonly Text[], separator: string): Text {
  return texts.flatMap((text, i) => (i === 0 ? text : [separator, ...text]));
}

/** For where there is no emphasis: an annotation, a title of a window. Not escaped. */
export function plainText(text: Text): string {
  return text
    .map((span) => {
      if (typeof span === 'string') return visible(span);
      if ('strong' in span) return plainText(span.strong);
      return visible('name' in span ? span.name : span.code);
    })
    .join('');
}
