import {
  type Document,
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  visit,
} from 'yaml';
import { messageOf } from '../errors.ts';
import { type Path, quote } from '../input/words.ts';
import { fileOrigin, type Origin } from './problems.ts';
import { allowedAt } from './schema-walk.ts';

/** Maximum number of aliases: a few nested ones can expand to gigabytes, and no real experiment has many. */
const MAX_ALIASES = 50;

export interface YamlText {
  readonly value: unknown;
  readonly errors: readonly { readonly origin: Origin; readonly detail: string }[];
  /** Origin of a key's value (or the key itself); if it is missing, of the nearest map around it. */
  locate(path: Path, part: 'key' | 'value'): Origin;
  /** Keys of a map in the order of the file, since JavaScript puts "1" before "b". */
  order(path: Path): readonly string[];
}

/**
 * Parses YAML 1.2 and never throws. Scalars keep their literal text where the schema wants text (`VERSION: 1.10`
 * is "1.10"). `base`: path of the text in the experiment, if it is only a part.
 */
export function parseYaml(text: string, file: string, base: Path = []): YamlText {
  const lines = new LineCounter();
  const at = (offset: number): Origin => {
    const { line, col } = lines.linePos(offset);
    return fileOrigin(file, Math.max(1, line), Math.max(1, col));
  };
  const errors: { origin: Origin; detail: string }[] = [];
  let document: Document.Parsed;
  let value: unknown;
  try {
    document = parseDocument(text, { lineCounter: lines, prettyErrors: false, stringKeys: true, version: '1.2' });
    const deepest = document.errors.find((error) => /call stack/i.test(error.message));
    for (const problem of deepest ? [deepest] : [...document.errors, ...document.warnings]) {
      errors.push({
        origin: at(problem.pos[0]),
        detail: explain(problem.code, problem.message, text.slice(problem.pos[0])),
      });
    }
    if (errors.length === 0) {
      errors.push(...keepLetters(document, base).map((offset) => ({ origin: at(offset), detail: FORBIDDEN_NAME })));
      value = document.toJS({ maxAliasCount: MAX_ALIASES });
    }
  } catch (thrown) {
    // The parser recurses: this stops deep nesting and cyclic or excessive aliases.
    return {
      value: undefined,
      errors: [{ origin: fileOrigin(file), detail: tooMuch(thrown) }],
      locate: () => fileOrigin(file),
      order: () => [],
    };
  }
  return {
    value,
    errors,
    locate(path, part) {
      const offset = offsetOf(document, path, part);
      return offset === null ? fileOrigin(file) : at(offset);
    },
    order: (path) => keysAt(document, path),
  };
}

const FORBIDDEN_NAME = '"__proto__" cannot be a name';

function tooMuch(thrown: unknown): string {
  const message = messageOf(thrown);
  if (/alias count/i.test(message)) return `more than ${MAX_ALIASES} aliases (*name) are not read`;
  const unresolved = /Unresolved alias .*: (.+)$/.exec(message)?.[1];
  if (unresolved !== undefined) {
    return `the alias ${quote(`*${unresolved}`)} stands for nothing: no &${unresolved} comes before it`;
  }
  return `this YAML cannot be read: it is nested too deeply, or refers to itself (${message})`;
}

function explain(code: string, message: string, rest: string): string {
  if (code === 'DUPLICATE_KEY') return `the key ${quote(/^[^\s:]*/.exec(rest)?.[0] ?? '')} appears twice; keep one`;
  if (code === 'MULTIPLE_DOCS') return 'a second YAML document starts here; one file is one experiment';
  if (/call stack/i.test(message)) return 'the YAML is nested too deeply';
  return `this is not YAML: ${message}`;
}

/** Keeps the literal text of scalars. Returns the offsets of names that can't be used. */
function keepLetters(document: Document.Parsed, base: Path): number[] {
  const forbidden: number[] = [];
  const places = new Map<unknown, number>();
  visit(document, {
    Collection(key, node) {
      if (typeof key === 'number') places.set(node, key);
    },
    Scalar(key, node, ancestors) {
      if (key === 'key') {
        if (node.value === '__proto__') forbidden.push(node.range?.[0] ?? 0);
        return;
      }
      if (typeof node.value !== 'number' && typeof node.value !== 'boolean' && typeof node.value !== 'bigint') return;
      const path: (string | number)[] = [...base];
      for (const ancestor of ancestors) {
        const place = places.get(ancestor);
        if (place !== undefined) path.push(place);
        if (isPair(ancestor)) path.push(String(isScalar(ancestor.key) ? ancestor.key.value : ''));
      }
      if (typeof key === 'number') path.push(key);
      const allowed = allowedAt(path);
      const isTruth = allowed?.takesTruth === true && typeof node.value === 'boolean';
      // There, a number is the name of a level: 1.20 is another one than 1.2.
      const namesLevel = path[0] === 'matrix' && path[1] === 'exclude';
      const isText = allowed?.takesText === true && !allowed.takesNumber && !isTruth;
      if ((isText || namesLevel) && node.source !== undefined) node.value = node.source;
    },
  });
  return forbidden;
}

function resolved(document: Document.Parsed, node: unknown): unknown {
  return isAlias(node) ? node.resolve(document) : node;
}

function offsetOf(document: Document.Parsed, path: Path, part: 'key' | 'value'): number | null {
  let node: unknown = document.contents;
  let offset = (document.contents as Node | null)?.range?.[0] ?? null;
  for (const [depth, step] of path.entries()) {
    const holder = resolved(document, node);
    if (isMap(holder)) {
      const pair = holder.items.find((item) => isScalar(item.key) && String(item.key.value) === step);
      if (pair === undefined) return offset;
      const key = (pair.key as Node).range?.[0];
      const value = (pair.value as Node | null)?.range;
      const last = depth === path.length - 1;
      node = pair.value;
      // An empty value has no text to point at.
      const shown = (last && part === 'key') || value == null || value[0] === value[1] ? key : value[0];
      offset = shown ?? offset;
    } else if (isSeq(holder) && typeof step === 'number' && holder.items[step] !== undefined) {
      node = holder.items[step];
      offset = (node as Node).range?.[0] ?? offset;
    } else return offset;
  }
  return offset;
}

function keysAt(document: Document.Parsed, path: Path): string[] {
  let node = resolved(document, document.contents);
  for (const step of path) {
    if (!isMap(node)) return [];
    node = resolved(document, node.items.find((item) => isScalar(item.key) && String(item.key.value) === step)?.value);
  }
  return isMap(node) ? node.items.map((item) => String(isScalar(item.key) ? item.key.value : '')) : [];
}
