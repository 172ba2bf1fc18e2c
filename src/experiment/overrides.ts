import { InputError } from '../errors.ts';
import { nearest, quote, showPath, suggest } from '../input/words.ts';
import type { Origin, Problem } from './problems.ts';
import { allowedAt } from './schema-walk.ts';
import { parseYaml } from './yaml.ts';

/** A key given outside the file: by `--set`, a flag, or an input of the action. */
export interface Override {
  readonly path: readonly string[];
  /** The value's text, which is parsed like the file at this place. */
  readonly text: string;
  /** Where it was given, for messages: `--set rest=1s`, `--seed`, `input "rest"`. */
  readonly where: string;
}

/** Overrides in order; a later one wins. */
export type Overrides = readonly Override[];

/** Parses `warmup.runs=1` or `variants."debian 12".cpuset=0`. Throws InputError if it is not `key=value`. */
export function overrideFromSetting(setting: string, flag = '--set'): Override {
  const key = keyPart(setting);
  if (key === null) {
    throw new InputError(`${flag}: ${quote(setting)} was given; it must be key=value, such as warmup.runs=1`);
  }
  return { path: key.path, text: setting.slice(key.length + 1), where: `${flag} ${oneLine(setting)}` };
}

/** An override from a flag or input that stands for one key; `path` is dotted. */
export function overrideFromFlag(flag: string, path: string, text: string | number): Override {
  return { path: path.split('.'), text: String(text), where: flag };
}

/** Overrides from the terminal's flags. Named flags win over `--set`. */
export function overridesFromFlags(flags: {
  readonly set?: readonly string[] | undefined;
  readonly meter?: string | undefined;
  readonly repetitions?: string | number | undefined;
  readonly seed?: string | number | undefined;
}): Overrides {
  const overrides = (flags.set ?? []).map((setting) => overrideFromSetting(setting));
  for (const name of ['meter', 'repetitions', 'seed'] as const) {
    const given = flags[name];
    if (given !== undefined) overrides.push(overrideFromFlag(`--${name}`, name, given));
  }
  return overrides;
}

/** Applies an override to the file's value, in place; or changes nothing and returns why it can't be applied. */
export function applyOverride(root: Record<string, unknown>, override: Override): Problem | null {
  const { path } = override;
  const problem = pathProblem(root, path);
  if (problem !== null) return { ...originOf(override), ...problem };
  const parsed = readValue(override);
  if ('detail' in parsed) return { ...originOf(override), path: showPath(path), detail: parsed.detail };
  let holder = root;
  for (const key of path.slice(0, -1)) {
    const next = Object.hasOwn(holder, key) ? holder[key] : undefined;
    // A copy, because a YAML alias shares the same map with other places, which must keep their values.
    const copy = isMap(next) ? { ...next } : {};
    holder[key] = copy;
    holder = copy;
  }
  holder[path.at(-1) ?? ''] = parsed.value;
  return null;
}

function pathProblem(root: Record<string, unknown>, path: readonly string[]): Pick<Problem, 'path' | 'detail'> | null {
  let holder: Record<string, unknown> = root;
  for (const [depth, key] of path.entries()) {
    const refuse = (length: number, detail: string) => ({ path: showPath(path.slice(0, length)), detail });
    const allowed = allowedAt(path.slice(0, depth));
    if (allowed?.keys && !allowed.keys.includes(key)) {
      return refuse(depth + 1, `unknown key; ${suggest(key, allowed.keys)}`);
    }
    if (!allowed?.keys && !allowed?.open) return refuse(depth, `it has no keys, so there is no ${quote(key)} in it`);
    if (key === '__proto__') return refuse(depth + 1, '"__proto__" cannot be a name');
    const next = Object.hasOwn(holder, key) ? holder[key] : undefined;
    const isLast = depth === path.length - 1;
    if (allowed.open && next === undefined && !isLast) return refuse(depth + 1, unknownName(key, Object.keys(holder)));
    holder = isMap(next) ? next : {};
  }
  return null;
}

export function originOf(override: Override): Origin {
  return { where: override.where, file: null, line: null, column: null, names: showPath(override.path) };
}

function unknownName(name: string, known: readonly string[]): string {
  const meant = nearest(name, known);
  if (known.length === 0) return 'the file has no such name';
  return `the file has no such name; ${meant === null ? `it has ${known.map(quote).join(', ')}` : `did you mean ${quote(meant)}?`}`;
}

/** Parses the override's text; where only text is allowed, it is taken literally: `run=echo a: b # c` needs no quotes. */
function readValue(override: Override): { value: unknown } | { detail: string } {
  const allowed = allowedAt(override.path);
  const text = override.text.trim();
  if (allowed?.takesNothing && ['', '~', 'null'].includes(text)) return { value: null };
  const isTruth = allowed?.takesTruth === true && /^(?:true|false)$/.test(text);
  const plain = allowed?.takesText && !allowed.takesNumber && !isTruth;
  if (plain && !/^["'[{]/.test(text)) return { value: override.text };
  const parsed = parseYaml(override.text, override.where, override.path);
  const error = parsed.errors[0];
  if (error !== undefined) {
    return plain ? { value: override.text } : { detail: `${quote(text)} was given; ${error.detail}` };
  }
  return { value: plain && isMap(parsed.value) && !allowed.keys ? override.text : parsed.value };
}

/** Parses the dotted key before "=", whose segments are quoted, as by `showPath`, if they have dots, spaces or "=". */
function keyPart(setting: string): { path: string[]; length: number } | null {
  const segment = /(?:"((?:[^"\\]|\\.)*)"|([^".=]+))([.=])/y;
  const path: string[] = [];
  while (true) {
    const match = segment.exec(setting);
    if (match === null) return null;
    path.push(match[1]?.replace(/\\(.)/g, '$1') ?? (match[2] ?? '').trim());
    if (match[3] === '=') return { path, length: segment.lastIndex - 1 };
  }
}

export function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function oneLine(text: string): string {
  const plain = /^[\x20-\x7e]*$/.test(text) && text.length <= 80;
  return plain ? text : quote(text);
}
