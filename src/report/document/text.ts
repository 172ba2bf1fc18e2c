/** Part of a sentence by its kind, so that each renderer escapes and emphasizes it in its own way. */
export type Span =
  /** Our own words. */
  | string
  /** A name from outside: of a variant, a channel, a phase or a meter. */
  | { readonly name: string }
  /** Something that a reader may type or search for: `batch: auto`. */
  | { readonly code: string }
  /** Our own words with a link to a web address that its creator has checked. */
  | Link
  /** The part to be emphasized. */
  | { readonly strong: Text };

export interface Link {
  readonly link: string;
  readonly href: string;
}

/** One line of running text. */
export type Text = readonly Span[];

/** A text from a template: strings are our own words, spans and texts are inserted unchanged. */
export function text(words: TemplateStringsArray, ...parts: readonly (Span | Text)[]): Text {
  const spans = words.flatMap((word, i): readonly Span[] => {
    const part = parts[i];
    if (part === undefined) return [word];
    return isText(part) ? [word, ...part] : [word, part];
  });
  return merged(spans);
}

export const name = (of: string): Span => ({ name: of });

export const code = (of: string): Span => ({ code: of });

/** Joins sentences; empty ones are left out. */
export function sentences(all: readonly Text[]): Text {
  return joined(
    all.filter((one) => one.length > 0),
    ' ',
  );
}

export function joined(all: readonly (Span | Text)[], separator: string): Text {
  return merged(all.flatMap((one, i) => [...(i === 0 ? [] : [separator]), ...(isText(one) ? one : [one])]));
}

/** `a, b, c`. */
export function listed(names: readonly string[]): Text {
  return joined(names.map(name), ', ');
}

/** `a, b and 3 more`: at most `most` of the items. */
export function listedUpTo(items: readonly (Span | Text)[], most: number): Text {
  const left = items.length - most;
  return text`${joined(items.slice(0, most), ', ')}${left > 0 ? ` and ${left} more` : ''}`;
}

/** `a`, `a and b`, `a, b and c`. */
export function listOf(items: readonly (string | Text)[]): Text {
  const texts = items.map((of) => (typeof of === 'string' ? [name(of)] : of));
  const last = texts.pop() ?? [];
  return texts.length === 0 ? last : text`${joined(texts, ', ')} and ${last}`;
}

function withFirstLetter(of: Text, change: (letter: string) => string): Text {
  const [first, ...rest] = of;
  return typeof first === 'string' ? [change(first.charAt(0)) + first.slice(1), ...rest] : of;
}

/** The text with a capital first letter. A name or code at its beginning stays as it was written. */
export const capitalized = (of: Text): Text => withFirstLetter(of, (letter) => letter.toUpperCase());

/** The text with a lower-case first letter, for use after a colon or comma; a name at its start is unchanged. */
export const uncapitalized = (of: Text): Text => withFirstLetter(of, (letter) => letter.toLowerCase());

/** The text without its full stop, as in a heading. */
export function withoutStop(sentence: Text): Text {
  const last = sentence.at(-1);
  return typeof last === 'string' ? [...sentence.slice(0, -1), last.replace(/\.$/, '')] : sentence;
}

/** The plain characters without markup; names are not escaped. */
export function plainText(of: Text): string {
  return of.map(plainSpan).join('');
}

/** A name in quotes if it has several words, such as a command. */
export function quoted(name: string): string {
  return /\s/.test(name) ? `“${name}”` : name;
}

function plainSpan(span: Span): string {
  if (typeof span === 'string') return span;
  if ('strong' in span) return plainText(span.strong);
  if ('link' in span) return span.link;
  return 'name' in span ? span.name : `\`${span.code}\``;
}

function isText(part: Span | Text): part is Text {
  return Array.isArray(part);
}

function merged(spans: readonly Span[]): Text {
  return spans.reduce<Span[]>((all, span) => {
    const before = all.at(-1);
    if (span === '') return all;
    if (typeof span === 'string' && typeof before === 'string') all[all.length - 1] = before + span;
    else all.push(span);
    return all;
  }, []);
}
