import type * as z from 'zod';
import { anyOf, nearest, type Path, quote, showGiven, showPath, suggest } from '../input/words.ts';
import { applyOverride, isMap, type Override, type Overrides, originOf } from './overrides.ts';
import type { Origin, Problem } from './problems.ts';
import { type CheckedFile, experimentSchema } from './schema.ts';
import { allowedAt } from './schema-walk.ts';

/** The unchecked experiment, with the origin of each part. */
export interface Draft {
  readonly value: unknown;
  readonly overrides: Overrides;
  locate(path: Path, part: 'key' | 'value'): Origin;
  order(path: Path): readonly string[];
}

export interface Validated {
  /** The valid keys, with defaults in place of invalid ones; null: too much is invalid. */
  readonly checked: CheckedFile | null;
  readonly problems: readonly Problem[];
  /** Paths of the values with problems: conflicts that follow from them are not reported as well. */
  readonly wrong: readonly Path[];
  /** Origin of a value, overrides included. */
  locate(path: Path, part?: 'key' | 'value'): Origin;
  /** The value given at a path; undefined: none. */
  given(path: Path): unknown;
}

/** Applies the overrides and checks each key by itself; finds all problems, not only the first. */
export function validate(draft: Draft): Validated {
  const problems: Problem[] = [];
  const wrong: Path[] = [];
  // An override that can't be applied changes nothing, so further problems at its path are the file's own.
  const applied: Override[] = [];
  let value = structuredClone(draft.value);
  if (isMap(value)) {
    for (const override of draft.overrides) {
      const problem = applyOverride(value, override);
      if (problem === null) applied.push(override);
      else {
        problems.push(problem);
        wrong.push(override.path);
      }
    }
  }
  const locate = (path: Path, part: 'key' | 'value' = 'value'): Origin => {
    const override = applied.findLast((candidate) => candidate.path.every((key, i) => path[i] === key));
    return override === undefined ? draft.locate(path, part) : originOf(override);
  };
  const whole = value;
  if (isMap(value) && !Object.hasOwn(value, 'variants') && isMap(value.jobs)) {
    const detail =
      'this is a workflow of a forge; its steps with joulediff name an experiment file as config, or hold the experiment as inputs';
    problems.push({ ...locate(['jobs'], 'key'), path: 'jobs', detail: `${detail}. joulediff init writes such a file` });
    return { checked: null, problems, wrong: [['jobs']], locate, given: (path) => at(whole, path) };
  }
  let result = experimentSchema.safeParse(value);
  if (!result.success) {
    for (const issue of result.error.issues) {
      for (const found of explain(issue, whole)) {
        problems.push({ ...locate(found.path, found.part), path: showPath(found.path), detail: found.detail });
        wrong.push(found.path);
      }
    }
    value = structuredClone(value);
    for (const path of wrong) remove(value, path);
    result = experimentSchema.safeParse(value);
  }
  return { checked: result.data ?? null, problems, wrong, locate, given: (path) => at(whole, path) };
}

interface Found {
  readonly path: Path;
  readonly part: 'key' | 'value';
  readonly detail: string;
}

function explain(issue: z.core.$ZodIssue, whole: unknown): Found[] {
  const path = issue.path.filter((key) => typeof key !== 'symbol');
  if (issue.code === 'invalid_union') {
    const inside = alternatives(issue).filter((issues) =>
      issues.every((one) => one.path.length > 0 && at(whole, [...path, ...(one.path as Path)]) !== undefined),
    );
    // If only one alternative matches the shape of the value, the problem is inside it.
    if (inside.length === 1) {
      return (inside[0] ?? []).flatMap((one) => explain({ ...one, path: [...path, ...one.path] }, whole));
    }
  }
  if (issue.code === 'unrecognized_keys') {
    const known = allowedAt(path)?.keys ?? [];
    return issue.keys.map((key) => ({
      path: [...path, key],
      part: 'key',
      detail: `unknown key; ${path.length === 0 ? (placeOf(key) ?? suggest(key, known)) : suggest(key, known)}`,
    }));
  }
  if (issue.code === 'invalid_key') {
    const must = issue.issues[0]?.message ?? issue.message;
    return [{ path, part: 'key', detail: `${quote(String(path.at(-1)))} cannot be a name here; it must be ${must}` }];
  }
  const given = at(whole, path);
  const factor = misspeltFactor(path, given);
  if (factor !== null) return [{ path, part: 'key', detail: factor }];
  const meant =
    issue.code === 'invalid_value' && typeof given === 'string' ? nearest(given, issue.values.map(String)) : null;
  const quoted = isQuotedNumber(given) && allowedAt(path)?.takesNumber ? ' (a number has no quotes)' : '';
  const hint = meant === null ? quoted : ` (did you mean ${anyOf([meant])}?)`;
  return [{ path, part: 'value', detail: `${showGiven(given)} was given; it must be ${issue.message}${hint}` }];
}

/** Message for a list in a matrix below an unknown factor that resembles a key of variants; null: no key is similar, or it is no list. */
function misspeltFactor([top, name, ...below]: Path, given: unknown): string | null {
  if (top !== 'matrix' || typeof name !== 'string' || below.length > 0 || isMap(given)) return null;
  const known = [...(allowedAt(['variants', ''])?.keys ?? []), 'exclude'];
  const meant = known.includes(name) ? null : nearest(name, known);
  return (
    meant && `a list holds values of a key of variants, and there is no ${quote(name)}; did you mean ${quote(meant)}?`
  );
}

function isQuotedNumber(given: unknown): boolean {
  return typeof given === 'string' && /^\d+(\.\d+)?$/.test(given);
}

/** The issues of each alternative of a union, nested unions flattened. */
function alternatives({ errors }: z.core.$ZodIssueInvalidUnion): z.core.$ZodIssue[][] {
  return errors.flatMap((issues) => {
    const [only, ...others] = issues;
    const nested = only?.code === 'invalid_union' && only.path.length === 0 && others.length === 0;
    return nested ? alternatives(only) : [issues];
  });
}

function at(value: unknown, path: Path): unknown {
  let here = value;
  for (const key of path) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, key)) return undefined;
    here = (here as Record<string | number, unknown>)[key];
  }
  return here;
}

function remove(value: unknown, path: Path): void {
  // A list must not get a hole, so it is removed as a whole.
  const list = path.findIndex((key) => typeof key === 'number');
  const keys = list < 0 ? path : path.slice(0, list);
  const holder = at(value, keys.slice(0, -1));
  const key = keys.at(-1);
  if (key !== undefined && isMap(holder)) delete holder[key];
}

/** Names of other tools for `repetitions`, and inputs of the action that are no keys of an experiment. */
const REPETITIONS: ReadonlySet<string> = new Set(['reps', 'runs', 'iterations']);
const OF_ACTION: ReadonlySet<string> = new Set([
  'mode',
  'results',
  'config',
  'history',
  'github-token',
  'comment',
  'comment-key',
  'artifact',
]);

/** Advice on where a key at the top level belongs, such as an input of the action; null: unknown. */
function placeOf(key: string): string | null {
  const at = (text: string) => `it belongs ${text}`;
  if (REPETITIONS.has(key)) return 'did you mean "repetitions"?';
  if (OF_ACTION.has(key)) return at('in the workflow, under with: as an input of the action');
  if (key === 'out') return at('on the command line (--out DIR) or among the inputs of the action');
  if (key === 'base')
    return 'two commits are two variants: { base: { revision: main...HEAD }, head: { revision: HEAD } }';
  if (key === 'exclude') return at('in matrix: { …, exclude: [ … ] }');
  if (allowedAt(['workload'])?.keys?.includes(key)) return at(`in workload: { ${key}: … }`);
  if (allowedAt(['variants', '', 'build'])?.keys?.includes(key)) {
    return at(`in a variant: variants: { native: {}, container: { build: { ${key}: … } } }`);
  }
  if (!allowedAt(['variants', ''])?.keys?.includes(key)) return null;
  return at(`in a variant: variants: { native: {}, container: { ${key}: … } }`);
}
