/** Finds known secret values in a text, also wrapped over lines, in base64, percent-encoded or escaped as in JSON. */

/** Minimum length of a secret: shorter values occur everywhere as words. */
const MIN_KNOWN = 6;
/** Minimum length for finding a value across white space and in base64, where shorter ones would match by chance. */
const MIN_DISGUISED = 8;
/** Maximum characters of a value that are searched for; the rest is compared at each match. Bounds the time for hostile texts. */
const MAX_NEEDLE = 128;

const given = new Set<string>();

/** Remembers values that this process was given as secrets: from now on, everything that it shows or stores has them masked. */
export function rememberSecrets(values: readonly (string | undefined)[]): void {
  for (const value of values) if (value !== undefined && value.length >= MIN_KNOWN) given.add(value);
}

export const rememberedSecrets = (): string[] => [...given];

/** Ranges, [start, end), of these values and of the remembered ones in a text, ascending and without overlap. */
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

/** Encoded forms of a value, without white space: its lines, percent-encoding, JSON and base64. */
function disguises(value: string): string[] {
  const bytes = Buffer.from(value);
  const encoded = [0, 1, 2].map((before) => {
    const whole = Buffer.concat([Buffer.alloc(before), bytes]);
    // The first and last base64 characters are dropped where they share bits with neighboring text.
    return whole.toString('base64').slice(Math.ceil((before * 8) / 6), Math.floor((whole.length * 8) / 6));
  });
  const urls = encoded.map((form) => form.replaceAll('+', '-').replaceAll('/', '_'));
  const lines = value.split(/\r?\n/).filter((line) => line.length >= 16);
  const escaped = [encodeURIComponent(value.toWellFormed()), JSON.stringify(value).slice(1, -1)];
  return [value, ...lines, ...escaped, ...encoded, ...urls]
    .map((form) => form.replace(/\s+/g, ''))
    .filter((form) => form.length >= MIN_DISGUISED);
}

/** The text without white space and line-continuing backslashes, and the original index of each remaining character. */
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
