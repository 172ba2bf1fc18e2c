/** Secrets by their value: where they stand in a text, also wrapped over lines, in base64, in a query and in JSON. */

/** Shorter values are words that stand everywhere. */
const MIN_KNOWN = 6;
/** From here on, a value is found across white space and in base64, where short ones would be found by chance. */
const MIN_DISGUISED = 8;
/** Characters by which a value is looked for; the rest is compared where they were found. Bounds the time for a text that was made for it. */
const MAX_NEEDLE = 128;

const given = new Set<string>();

/** Values that this process was given as secrets: from now on they are masked in everything that it shows or stores. */
export function rememberSecrets(values: readonly (string | undefined)[]): void {
  for (const value of values) if (value !== undefined && value.length >= MIN_KNOWN) given.add(value);
}

export const rememberedSecrets = (): string[] => [...given];

/** Where these values and those that were remembered stand: [start, end), in order and apart. */
export function sites(text: string, known: readonly string[]): (readonly [number, number])[] {
  const values = [...new Set([...known, ...given])].filter((value) => value.length >= MIN_KNOWN);
  if (values.length === 0) return [];
  const found = values.flatMap((value) => search(text, value));
  const forms = new Set(values.filter((value) => value.length >= MIN_DISGUISED).flatMap(disguises));
  const { squeezed, places } = squeeze(text);
  for (const form of forms) {
    for (const [start, end] of search(squeezed, form)) {
      found.push([places[start] as number, (places[end - 1] as number) + 1]);
    }
  }
  return merged(found);
}

/** The value as it is written in other places, without white space. */
function disguises(value: string): string[] {
  const bytes = Buffer.from(value);
  const encoded = [0, 1, 2].map((before) => {
    const whole = Buffer.concat([Buffer.alloc(before), bytes]);
    // Characters that hold bits of what stands before or after are left out.
    return whole.toString('base64').slice(Math.ceil((before * 8) / 6), Math.floor((whole.length * 8) / 6));
  });
  const urls = encoded.map((form) => form.replaceAll('+', '-').replaceAll('/', '_'));
  const lines = value.split(/\r?\n/).filter((line) => line.length >= 16);
  const escaped = [encodeURIComponent(value.toWellFormed()), JSON.stringify(value).slice(1, -1)];
  return [value, ...lines, ...escaped, ...encoded, ...urls]
    .map((form) => form.replace(/\s+/g, ''))
    .filter((form) => form.length >= MIN_DISGUISED);
}

/** The text without white space and without the backslash that continues a line, and where each of its characters stood. */
function squeeze(text: string): { readonly squeezed: string; readonly places: Uint32Array } {
  const places = new Uint32Array(text.length);
  const parts: string[] = [];
  let length = 0;
  for (const { 0: part, index } of text.matchAll(/(?:[^\s\\]|\\(?![\r\n]))+/g)) {
    for (let i = 0; i < part.length; i++) places[length++] = index + i;
    parts.push(part);
  }
  return { squeezed: parts.join(''), places };
}

function search(text: string, value: string): [number, number][] {
  const found: [number, number][] = [];
  const needle = value.slice(0, MAX_NEEDLE);
  for (let at = text.indexOf(needle); at >= 0; ) {
    let end = at + needle.length;
    while (end - at < value.length && text[end] === value[end - at]) end++;
    found.push([at, end]);
    at = text.indexOf(needle, end);
  }
  return found;
}

function merged(found: (readonly [number, number])[]): (readonly [number, number])[] {
  const all: [number, number][] = [];
  for (const [start, end] of [...found].sort((a, b) => a[0] - b[0])) {
    const last = all.at(-1);
    if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], end);
    else all.push([start, end]);
  }
  return all;
}
