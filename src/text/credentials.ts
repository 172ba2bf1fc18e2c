/**
 * Finds credentials by names of variables that hold them, and by value formats that their makers document. All patterns read untrusted text and run
 * in linear time: a match consumes what it read, or it reads a bounded number of characters.
 */

import { sites } from './known-secrets.ts';

const NAME =
  /(?:^|_)(?:TOKEN|SECRETS?|PASSPHRASE|PASSWD|PWD|CREDENTIALS?|COOKIE|AUTH|DSN|SIGNATURE)(?:_|$)|_PASS$|^SIG$|PASSWORD|(?:ACCESS|AUTH|REFRESH|BEARER|SESSION|API)TOKEN$|CLIENTSECRET$|(?:API|ACCESS|PRIVATE|SECRET|SIGNING|ENCRYPTION|DEPLOY|ACCOUNT|SAS)_?KEY|CONNECTION_?STRING/i;
/** Variables that every shell has; their names contain PWD, but they hold no password. */
const HARMLESS = /^(?:PWD|OLDPWD)$/;

/** Whether the name of a variable, key or header suggests a credential: `API_TOKEN`, `apiToken`, `X-Api-Token`. */
export function isSecretName(name: string): boolean {
  if (name.length > MAX_NAME) return false;
  const words = name.replace(/([a-z0-9])(?=[A-Z])/g, '$1_').replace(/[-.]/g, '_');
  return (NAME.test(name) || NAME.test(words)) && !HARMLESS.test(name);
}

const MAX_NAME = 200;

/** Formats of credentials, recognized anywhere in a text. With two groups, the second is the credential and the first is kept. */
const VALUES: readonly RegExp[] = [
  /gh[oprsu]_[\w.-]{20,}/g, // GitHub
  /github_pat_\w{20,}/g,
  /gl(?:pat|ptt|rt|soat|cbt)-[\w.-]{20,}/g, // GitLab
  /(?<![A-Za-z0-9])(?:npm_[A-Za-z0-9]{36}|hf_[A-Za-z0-9]{30,}|dckr_pat_[\w-]{20,}|shpat_[0-9a-f]{32})(?![A-Za-z0-9])/g,
  /(?<![A-Za-z0-9])(?:pypi-AgE|[sr]k_live_)[\w-]{20,}/g,
  /(?<![A-Za-z0-9])xox[abeoprs]-[\w-]{10,}/g, // Slack
  /(?<![A-Za-z0-9])(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])/g, // AWS
  /(?<![A-Za-z0-9])AIza[\w-]{35}/g, // Google
  /(?<![\w-])eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}/g, // JSON Web Token
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[^-]{1,16000}(?:-----END [A-Z ]{0,40}PRIVATE KEY-----)?/g,
  /(:\/\/[^\s:/@]{0,200}:)([^\s/]{1,500})(?=@)/g, // https://user:password@host
  /(:\/\/)([\w.~%+-]{20,500})(?=@)/g, // https://token@host
  /(authorization["']{0,2}\s{0,5}[:=]\s{0,5}["']?(?:(?:basic|bearer|token)\s{1,5})?)([\w.~+/=-]{8,})/gi,
  /(\blogin\s{1,5}\S{1,100}\s{1,5}password\s{1,5})(\S{4,})/g, // .netrc
];
/** API keys of OpenAI and others. A match counts only if it has a digit, unlike hyphenated words; a lookahead for the digit would be quadratic. */
const KEYS = /(?<![A-Za-z0-9])sk-[\w-]{20,}/g;

/** Whether the format of a value shows that it is a credential. */
export function isSecretValue(value: string): boolean {
  return (
    VALUES.some((pattern) => value.search(pattern) >= 0) || (value.match(KEYS) ?? []).some((key) => /\d/.test(key))
  );
}

/**
 * Masks every credential in a text. `known`: secret values without a recognizable format, in addition to those of `rememberSecrets`.
 * `mask`: gives the replacement of a secret; one of equal length keeps the positions in a file.
 */
export function maskSecrets(
  text: string,
  known: readonly string[] = [],
  mask: (secret: string) => string = () => '***',
): string {
  let masked = replaceAt(text, sites(text, known), mask);
  for (const pattern of VALUES) {
    masked = masked.replace(pattern, (all, before: unknown, secret: unknown) => {
      if (typeof before !== 'string' || typeof secret !== 'string') return mask(all);
      return before + (isMasked(secret) ? secret : mask(secret));
    });
  }
  masked = masked.replace(KEYS, (key) => (/\d/.test(key) ? mask(key) : key));
  return replaceAt(masked, namedValues(masked), mask);
}

/** Ranges of a text, [start, end), ascending and without overlap. */
export type Sites = readonly (readonly [number, number])[];

function replaceAt(text: string, places: Sites, mask: (secret: string) => string): string {
  if (places.length === 0) return text;
  const parts: string[] = [];
  let at = 0;
  for (const [start, end] of places) {
    parts.push(text.slice(at, start), mask(text.slice(start, end)));
    at = end;
  }
  return parts.join('') + text.slice(at);
}

const isMasked = (value: string): boolean => /^\*+$/.test(value);

/** Names that mention a credential but hold something else, such as its file or length. */
const ABOUT = /(?:^|[_.-])(?:FILE|PATH|DIR|COUNT|LIMIT|LENGTH|SIZE|TYPE|NAME)$/i;
/** A word, and the sign that assigns it a value: `=`, `:`, `=>`, `:=`, also in quotes, in JSON inside a string, or percent-encoded in a query. */
const WORD =
  /%[0-9A-Fa-f]{2}|([\w-]{1,200})((?:\\{0,3}["'`]|%22)?\]?[ \t]{0,8}(?:=>|:=|==?|:(?!\/\/)|%3[DdAa])[ \t]{0,8}(?:\\?\r?\n[ \t]{1,20})?|>)?/g;
const QUOTE = /(\\{0,3})(["'`])|%22/y;
const BODIES: Readonly<Record<string, RegExp>> = {
  '"': /(?:[^"\\\n]|\\[^\n]){1,8000}/y,
  "'": /(?:[^'\\\n]|\\[^\n]){1,8000}/y,
  '`': /(?:[^`\\\n]|\\[^\n]){1,8000}/y,
  escaped: /[^"'`\\\n]{1,8000}/y,
  '%22': /[^%\s"'`]{1,8000}/y,
  '=': /[^\s"'`<>\\]{1,8000}/y,
  ':': /[^\s"'`<>\\,;&}\]]{1,8000}/y,
};
/** Words that are no secrets although the name of a credential precedes them, in prose and in settings. */
const NO_SECRET =
  /^(?:true|false|null|none|undefined|string|number|expired|invalid|required|missing|enabled|disabled|[|>][+-]?)$/i;
const MIN_VALUE = 4;

/** Ranges of values that follow the name of a credential: in lines of `env` and `set -x`, queries, headers, JSON, YAML, XML, options. */
function namedValues(text: string): (readonly [number, number])[] {
  const found: (readonly [number, number])[] = [];
  WORD.lastIndex = 0;
  for (let match = WORD.exec(text); match !== null; match = WORD.exec(text)) {
    const [all, word, between] = match;
    if (word === undefined) continue;
    const isOption = between === undefined && word.startsWith('--') && text[match.index + all.length] === ' ';
    const name = word.replace(/^-+/, '');
    if ((between === undefined && !isOption) || (between === '>' && text[match.index - 1] !== '<')) continue;
    let value: readonly [number, number] | null = null;
    if (isSecretName(name) && !ABOUT.test(name))
      value = valueAt(text, match.index + all.length + (isOption ? 1 : 0), between ?? '=', name);
    else if (/^name$/i.test(name)) value = valueOfPair(text, match.index + all.length);
    if (value === null) continue;
    found.push(value);
    WORD.lastIndex = value[1];
  }
  return found;
}

function valueAt(text: string, from: number, between: string, name: string): readonly [number, number] | null {
  const isAssignment = between.includes('=') || /%3d/i.test(between);
  if (/cookie$/i.test(name) && !isAssignment) {
    const line = lineAt(text, from);
    return line > from ? [from, line] : null;
  }
  let [start, at] = [from, from];
  const opening = sticky(QUOTE, text, at);
  if (opening !== null) {
    at += opening[0].length;
    start = at;
    const kind = opening[0] === '%22' ? '%22' : opening[1] !== '' ? 'escaped' : (opening[2] as string);
    at += sticky(BODIES[kind] as RegExp, text, at)?.[0].length ?? 0;
  } else {
    at += sticky(BODIES[isAssignment ? '=' : ':'] as RegExp, text, at)?.[0].length ?? 0;
    // A shell joins adjacent words and quoted parts into one value: TOKEN=ab"cd ef".
    const quoted = isAssignment && at > start ? sticky(QUOTE, text, at) : null;
    const body =
      quoted?.[2] !== undefined && quoted[1] === '' ? sticky(BODIES[quoted[2]] as RegExp, text, at + 1) : null;
    if (body !== null) at += 1 + body[0].length;
  }
  const value = text.slice(start, at);
  return at - start < MIN_VALUE || isMasked(value) || NO_SECRET.test(value) ? null : [start, at];
}

/** `name: API_TOKEN`, and `value: …` beside it, as in manifests. */
function valueOfPair(text: string, from: number): readonly [number, number] | null {
  const pair = sticky(PAIR, text, from);
  return pair !== null && isSecretName(pair[1] as string) ? valueAt(text, from + pair[0].length, ':', 'value') : null;
}
const PAIR = /["']?([\w-]{1,100})["']?[\s,]{1,40}["']?value["']?[ \t]{0,8}:[ \t]{0,8}/iy;

function sticky(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

function lineAt(text: string, from: number): number {
  const end = text.slice(from, from + 8000).search(/[\r\n"']/);
  return end < 0 ? Math.min(text.length, from + 8000) : from + end;
}
