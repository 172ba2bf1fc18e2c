/** Cleans text from any source so that it fits into a sentence. Each output format adds its own escaping. */

/** C0 and C1 controls, line and paragraph separators. */
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/gu;
/** Marks that turn the direction of text, or that cannot be seen: they make one text look like another. */
const INVISIBLE =
  /[\u034f\ufe00-\ufe0f]|[\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e0fff}]/gu;

/** Visible characters on one line: controls become a space, invisible and direction-turning characters go, broken UTF-16 becomes U+FFFD. */
export function visible(text: string): string {
  return text.toWellFormed().replace(CONTROLS, ' ').replace(INVISIBLE, '');
}

/** Like `visible`, but trimmed, and at most `limit` characters long. */
export function plain(text: string, limit = 500): string {
  return shorten(visible(text).trim(), limit);
}

/** At most `limit` characters (code points), with … in the middle, because names often differ in their ends. */
export function shorten(text: string, limit: number): string {
  const characters = [...text];
  return characters.length <= limit ? text : withoutMiddle(characters, limit - 1);
}

/** Like `shorten`, to the longest text that `fits`, of at least `least` characters of the original; else just …. */
export function shortenUntil(text: string, fits: (shorter: string) => boolean, least = 1): string {
  if (fits(text)) return text;
  const characters = [...text];
  for (let keep = characters.length - 1; keep >= least; keep--) {
    const shorter = withoutMiddle(characters, keep);
    if (fits(shorter)) return shorter;
  }
  return '…';
}

function withoutMiddle(characters: readonly string[], keep: number): string {
  const head = Math.ceil(keep * 0.6);
  return `${characters.slice(0, head).join('')}…${characters.slice(characters.length - (keep - head)).join('')}`;
}

/** `1 block`, `2 blocks`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** Joins the parts that are known and not empty. */
export function joinKnown(parts: readonly (string | number | false | null | undefined)[], separator = ', '): string {
  return parts.filter(Boolean).join(separator);
}

/** `a`, `a and b`, `a, b and c`. */
export function listed(parts: readonly string[], word: 'and' | 'or' = 'and'): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} ${word} ${parts.at(-1)}`;
}

/**
 * Labels that are short and still differ: the beginning that all long names share is cut off
 * first, then the middle of each; labels that are still equal get a number.
 * `shorten` returns a name that fits unchanged.
 */
export function distinctLabels(names: readonly string[], shorten: (name: string) => string): string[] {
  const plain = names.map(shorten);
  if (new Set(plain).size === plain.length) return plain;
  const long = names.filter((name, i) => plain[i] !== name);
  const prefix = commonPrefix(long);
  const bared = names.map((name, i) =>
    plain[i] === name ? name : shorten(prefix < 4 ? name : `…${name.slice(prefix)}`),
  );
  const seen = new Map<string, number>();
  return bared.map((label) => {
    const count = (seen.get(label) ?? 0) + 1;
    seen.set(label, count);
    return count === 1 ? label : `${label} (${count})`;
  });
}

/** Length of the beginning that all names share, back to the last separator in it, so that words stay whole. */
function commonPrefix(names: readonly string[]): number {
  const first = names[0] ?? '';
  let length = 0;
  while (length < first.length && names.every((name) => name[length] === first[length])) length++;
  return Math.max(first.slice(0, length).search(/[^/:.\-_ ]*$/), 0);
}

/** The same JSON value with control characters escaped, so that no terminal obeys them. */
export function screenJson(json: string): string {
  // In a job's log, ##[ begins a command anywhere in a line.
  return json.replace(
    /[\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]|(?<=#)#(?=\[)/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
