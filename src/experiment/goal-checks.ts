import { type Conflict, refusals } from '../input/conflict.ts';
import { nearest, quote } from '../input/words.ts';
import { cellName } from './matrix-schema.ts';
import type { CheckedFile } from './schema.ts';
import { givenBenchmarks, patternProblem, toListing } from './suite.ts';

/** Conflicts between the keys of `cost`. */
export function costConflicts({ cost }: CheckedFile): Conflict[] {
  if (cost === undefined) return [];
  const { found, refuse } = refusals();
  if (cost.price === undefined && cost.intensity === undefined) {
    refuse(['cost'], 'neither price nor intensity was given; give price, such as 0.30 EUR/kWh, or intensity, or both');
  }
  if (cost.task !== undefined) {
    const { runs, 'per-run': perRun, total } = cost.task;
    const path = ['cost', 'task'];
    if (runs !== undefined && (perRun !== undefined || total !== undefined)) {
      refuse(path, 'runs was given together with per-run or total; keep one of the two');
    } else if (runs === undefined && (perRun === undefined || total === undefined)) {
      refuse(path, 'it does not say how many runs make up the task; give runs, or per-run and total');
    }
  }
  return found;
}

/** Says that no variant has this name; null: one has it, or `names` is empty because the variants can't be resolved. */
export function unknownVariant(name: string, names: readonly string[]): string | null {
  if (names.length === 0 || names.includes(name)) return null;
  const meant = nearest(name, names);
  const hint = meant === null ? `it must be one of ${names.map(quote).join(', ')}` : `did you mean ${quote(meant)}?`;
  return `${quote(name)} was given, which is no variant; ${hint}`;
}

/** Conflicts of `budget`: keys that match nothing. Benchmarks listed later are checked then. `variants`: names of the variants in the file. */
export function budgetConflicts({ budget = {}, suite }: CheckedFile, variants: readonly string[]): Conflict[] {
  if (variants.length === 0 || (suite !== undefined && toListing(suite) !== null)) return [];
  const benchmarks = suite === undefined ? [] : givenBenchmarks(suite, []).map(({ name }) => name);
  const cells = suite === undefined ? variants : benchmarks.flatMap((of) => variants.map((one) => cellName(of, one)));
  return Object.keys(budget).flatMap((pattern): Conflict[] => {
    const path = ['budget', pattern];
    const detail = patternProblem(pattern, [...benchmarks, ...cells]);
    return detail === null ? [] : [{ path, part: 'key', detail, follows: [path, ['suite'], ['variants'], ['matrix']] }];
  });
}

/** Conflicts inside `fail-on`, and between it and the variants. `baseline`: its name, given or by default. */
export function thresholdConflicts(
  file: CheckedFile,
  names: readonly string[],
  baseline: string | undefined,
): Conflict[] {
  const given = file['fail-on'];
  if (given === undefined) return [];
  return [given].flat().flatMap((threshold, i): Conflict[] => {
    if ('text' in threshold) return [];
    const path = Array.isArray(given) ? ['fail-on', i] : ['fail-on'];
    const { above, below, variant, suite, channel } = threshold;
    const conflicts: Conflict[] = [];
    if (suite !== undefined && file.suite === undefined) {
      const detail = 'there is no suite whose mean could be judged; leave it out';
      conflicts.push({ path: [...path, 'suite'], part: 'key', detail, follows: [path, ['suite']] });
    }
    if (suite !== undefined && (above ?? below)?.metric === 'joules') {
      const detail = `${quote((above ?? below)!.text)} was given; a geometric mean is of ratios, so its limit is in percent, such as 1%`;
      conflicts.push({ path: [...path, above === undefined ? 'below' : 'above'], detail, follows: [path] });
    }
    if (suite !== undefined && channel !== undefined) {
      const detail = 'the mean of a suite is that of the primary channel; leave it out';
      conflicts.push({ path: [...path, 'channel'], part: 'key', detail, follows: [path] });
    }
    if ((above === undefined) === (below === undefined)) {
      const detail =
        above === undefined
          ? 'neither above nor below was given; give one of them, such as above: 5%'
          : 'above and below were both given; give one of them here and the other in a second threshold';
      conflicts.push({ path, part: 'key', detail, follows: [path] });
    }
    const wrong = variant === undefined ? null : wrongVariant(variant, baseline, names, file.comparisons);
    if (wrong === null) return conflicts;
    const place = [...path, 'variant'];
    return [
      ...conflicts,
      { path: place, detail: wrong, follows: [place, ['variants'], ['matrix'], ['baseline'], ['comparisons']] },
    ];
  });
}

function wrongVariant(
  variant: string,
  baseline: string | undefined,
  names: readonly string[],
  comparisons: CheckedFile['comparisons'],
): string | null {
  const measured = Array.isArray(comparisons) ? comparisons.map(([one]) => one) : null;
  if (measured === null && variant === baseline) {
    return `${quote(variant)} was given, which is the baseline; name a variant that is compared with it`;
  }
  const unknown = unknownVariant(variant, names);
  return unknown === null && measured?.includes(variant) === false
    ? `${quote(variant)} was given, which comparisons compare with no other; it must be the first of a pair, such as ${quote(measured[0]!)}`
    : unknown;
}
