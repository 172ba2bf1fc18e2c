import { engineName } from '../executors/engine-key.ts';
import { isFindPhases } from '../executors/phases/phase-lines.ts';
import { placeConflicts, selectKind } from '../executors/registry.ts';
import { loopsItself } from '../executors/repeat.ts';
import type { Conflict } from '../input/conflict.ts';
import { type Path, quote, showGiven } from '../input/words.ts';
import { leftOut } from './as-written.ts';
import { clientConflicts } from './client-checks.ts';
import { MAX_VARIANTS } from './experiment.ts';
import { budgetConflicts, costConflicts, thresholdConflicts, unknownVariant } from './goal-checks.ts';
import { hostConflicts } from './host-checks.ts';
import { machineConflicts } from './machine-checks.ts';
import { type GivenVariant, givenVariants, type Written } from './matrix.ts';
import { matrixProblems } from './matrix-problems.ts';
import { mergeMetrics, resolveMetrics } from './metrics.ts';
import { pinConflicts } from './pin-checks.ts';
import { profileConflicts } from './profiles.ts';
import { defaultBaseline, USUAL_GUARD_S } from './resolve.ts';
import type { CheckedFile } from './schema.ts';
import { serviceConflicts } from './service-checks.ts';
import { givenBenchmarks, harnessProblem, loops, toListing } from './suite.ts';

export function findConflicts(file: CheckedFile, written: Written): Conflict[] {
  const { given } = written;
  const conflicts = matrixConflicts(file, written);
  const isMatrixRight = conflicts.length === 0;
  const variants = givenVariants(isMatrixRight ? file : { variants: file.variants }, written);
  const names = variants.map(({ name }) => name);
  conflicts.push(...variants.flatMap((variant) => variantConflicts(file, variant, given)));
  const follows: Path[] = [['variants'], ['matrix']];
  const place = [file.variants === undefined ? 'matrix' : 'variants'];
  if (isMatrixRight && names.length < 2) {
    const detail = `${names.length === 0 ? 'no variant' : `only ${quote(names[0] ?? '')}`} was given; a comparison needs at least two variants`;
    conflicts.push({ path: place, part: 'key', detail, follows });
  }
  for (const name of Object.keys(file.variants ?? {})) {
    if (names.indexOf(name) === names.lastIndexOf(name)) continue;
    const detail = `two variants are named ${quote(name)}, here and in the matrix; rename one of them`;
    conflicts.push({ path: ['variants', name], part: 'key', detail, follows });
  }
  if (names.length > MAX_VARIANTS) {
    const detail = `${names.length.toLocaleString('en-US')} variants were given; it must be ${MAX_VARIANTS} at most`;
    conflicts.push({ path: [file.matrix === undefined ? 'variants' : 'matrix'], part: 'key', detail, follows });
  }
  const known = isMatrixRight ? names : [];
  const wrongBaseline = file.baseline === undefined ? null : unknownVariant(file.baseline, known);
  if (wrongBaseline !== null) {
    conflicts.push({ path: ['baseline'], detail: wrongBaseline, follows: [['baseline'], ...follows] });
  }
  const { executions, path } =
    typeof file.batch === 'object'
      ? { executions: file.batch.executions, path: ['batch', 'executions'] }
      : { executions: file.batch, path: ['batch'] };
  // With `auto`, a benchmark that prints a metric is executed once in a window, unless it repeats itself.
  const isPrinted = file.suite === undefined || (executions !== 'auto' && loops(file.suite).includes(false));
  if (file.metrics !== undefined && executions !== 1 && isPrinted) {
    conflicts.push({ path, detail: SEVERAL_PRINT, follows: [path, ['batch'], ['metrics']] });
  }
  if (isFindPhases(file.phases) && executions !== 1) {
    const detail =
      'with phases: auto, a phase begins with a line that is printed once, and a window would hold several executions; leave batch out, or name the lines';
    conflicts.push({ path, detail, follows: [path, ['batch'], ['phases']] });
  }
  if (executions !== 'auto' && typeof file.batch === 'object' && file.batch.window !== undefined) {
    const detail = `${executions} executions and a length of the window were both given; keep only one`;
    conflicts.push({ path: ['batch', 'window'], part: 'key', detail, follows: [path, ['batch'], ['batch', 'window']] });
  }
  if (executions === 'auto' && file.warmup.runs === 0) {
    const detail =
      'with "auto", the number is found from the warm-up, and there is none; give warmup.runs of 1 or more, or a number';
    conflicts.push({ path, detail, follows: [path, ['batch'], ['warmup'], ['warmup', 'runs']] });
  }
  conflicts.push(
    ...serviceConflicts(file, variants),
    ...profileConflicts(file),
    ...engineConflicts(file, variants),
    ...hostConflicts(file, variants),
    ...clientConflicts(file, variants),
    ...machineConflicts(file, variants),
    ...hookConflicts(file, variants),
    ...refusedKeys(file, variants),
    ...pinConflicts(file, variants, ({ variant }) => selectKind(variant).holdsPins === true),
    ...costConflicts(file),
    ...thresholdConflicts(file, known, file.baseline ?? defaultBaseline(file, variants)),
    ...budgetConflicts(file, known),
  );
  conflicts.push(...suiteConflicts(file, variants), ...benchmarkConflicts(file), ...guardConflicts(file, given));
  conflicts.push(...comparisonConflicts(file, known), ...repetitionConflicts(file), ...leftOut(file));
  if (file.history !== undefined) conflicts.push(...historyConflicts(file.history));
  // A conflict in a level appears in every cell with that level; only the first is kept.
  return conflicts.filter((one, i) => conflicts.findIndex((other) => isSame(one, other)) === i);
}

function isSame(a: Conflict, b: Conflict): boolean {
  return a.detail === b.detail && a.path.join('\0') === b.path.join('\0');
}

/** Refuses keys that a variant does not support, instead of silently ignoring them for this variant. */
function refusedKeys(file: CheckedFile, variants: readonly GivenVariant[]): Conflict[] {
  const isAsked = {
    phases: (file.phases ?? null) !== null,
    explain: file.explain.when !== 'never' || (file.explain.trace ?? false) !== false,
    output: file.output !== 'memory',
  };
  return (['phases', 'explain', 'output'] as const).flatMap((key): Conflict[] => {
    const found = variants.find(({ variant }) => selectKind(variant).refuses?.includes(key));
    if (found === undefined || !isAsked[key]) return [];
    const where = `${quote(found.name)} runs ${selectKind(found.variant).where}`;
    const detail = `${key} can't be had for all variants, because ${where}; leave one of them out`;
    return [{ path: [key], part: 'key', detail, follows: [[key], found.pathOf()] }];
  });
}

/** Conflicts of `repetitions`: a matrix takes a number, given blocks exclude the other keys, and the maximum must not be below the minimum. */
function repetitionConflicts({ repetitions: given, matrix }: CheckedFile): Conflict[] {
  if (typeof given === 'number') return [];
  const path: Path = ['repetitions'];
  const { looks, ...auto } = given === 'auto' ? {} : given;
  if (matrix !== undefined) {
    const detail = `${looks ? 'looks' : 'auto'} cannot be combined with a matrix: the experiment could end before its interactions are known; give a number`;
    return [{ path: looks ? [...path, 'looks'] : path, part: 'key', detail, follows: [path, ['matrix']] }];
  }
  const [key] = Object.keys(auto);
  if (looks !== undefined && key !== undefined) {
    const detail = `looks and ${key} were both given; keep only one: looks fix the blocks after which it may end`;
    return [{ path: [...path, key], part: 'key', detail, follows: [path, [...path, key], [...path, 'looks']] }];
  }
  const { least, most } = auto;
  if (least === undefined || most === undefined || least <= most) return [];
  const detail = `${least} was given, more than most (${most}); give a smaller least or a larger most`;
  return [{ path: [...path, 'least'], detail, follows: [path, [...path, 'least'], [...path, 'most']] }];
}

/** Conflicts inside `comparisons`: each must name two different, existing variants, once. */
function comparisonConflicts({ comparisons, suite }: CheckedFile, names: readonly string[]): Conflict[] {
  if (comparisons === undefined) return [];
  const path: Path = ['comparisons'];
  if (suite !== undefined) {
    const detail = 'comparisons and suite were both given; a suite compares each benchmark with its own baseline';
    return [{ path, part: 'key', detail, follows: [path, ['suite']] }];
  }
  if (comparisons === 'all') return [];
  const seen = new Set<string>();
  return comparisons.flatMap(([variant, to], i): Conflict[] => {
    const pair = JSON.stringify([variant, to].toSorted());
    const isAgain = seen.has(pair);
    seen.add(pair);
    const detail =
      unknownVariant(variant, names) ??
      unknownVariant(to, names) ??
      (variant === to
        ? `${quote(variant)} was given twice; a comparison needs two variants`
        : isAgain
          ? `${quote(variant)} and ${quote(to)} are compared already; keep the pair once`
          : null);
    return detail === null ? [] : [{ path: [...path, i], detail, follows: [path, ['variants'], ['matrix']] }];
  });
}

const SEVERAL_PRINT =
  'metrics are what one execution prints, and a window would hold several; leave batch or metrics out, or have the command repeat itself with {executions}';

/** Conflicts in a benchmark's own batch, metrics and services, with each other and with the rest of the file. */
function benchmarkConflicts({ suite, services = {}, warmup, phases, host, metrics }: CheckedFile): Conflict[] {
  if (suite === undefined || toListing(suite) !== null) return [];
  const common = resolveMetrics(metrics);
  return givenBenchmarks(suite, []).flatMap(({ name, workload }): Conflict[] => {
    const { run, batch = 1, services: needed = [] } = workload;
    const isPrinted = mergeMetrics(common, workload).length > 0;
    const refuse = (key: string, detail: string): Conflict[] => [
      { path: ['suite', name, key], detail, follows: [['suite', name, key], ['suite', name], ['suite']] },
    ];
    const unknown = needed.find((one) => services[one]?.lifetime !== 'run');
    return [
      ...(batch !== 1 && isPrinted && !loopsItself(run) ? refuse('batch', SEVERAL_PRINT) : []),
      ...(batch === 'auto' && warmup.runs === 0
        ? refuse('batch', 'with "auto", the number is found from the warm-up, and there is none; give warmup.runs')
        : []),
      ...(batch !== 1 && (isFindPhases(phases) || host !== undefined)
        ? refuse(
            'batch',
            `${isFindPhases(phases) ? 'phases: auto' : 'host'} takes one execution in a window; leave batch out`,
          )
        : []),
      ...(unknown === undefined
        ? []
        : refuse('services', `${quote(unknown)} was given, which is no service of this file with lifetime: run`)),
    ];
  });
}

/** Conflicts of a suite: its benchmarks replace the workload's command, and it has its own rules for the baseline. */
function suiteConflicts(
  { suite, workload, matrix, noise, host, explain }: CheckedFile,
  variants: readonly GivenVariant[],
): Conflict[] {
  if (suite === undefined) return [];
  const beside = (path: Path, what: string): Conflict => {
    const detail = `${what} and suite were both given; keep only one`;
    return { path, part: 'key', detail, follows: [path, ['suite']] };
  };
  const target = harnessProblem(suite);
  const given = toListing(suite) === null ? givenBenchmarks(suite, []).length : 1;
  const cells = given * variants.length;
  return [
    ...(workload.run === undefined ? [] : [beside(['workload', 'run'], 'a command of the workload')]),
    ...variants.flatMap(({ variant, pathOf }) =>
      variant.run === undefined ? [] : [beside(pathOf('run'), 'a command of a variant')],
    ),
    ...(matrix === undefined ? [] : [beside(['matrix'], 'a matrix')]),
    ...(noise === 'inline' ? [beside(['noise'], 'noise: inline')] : []),
    ...(explain.when !== 'never' ? [beside(['explain'], 'explain')] : []),
    ...(host !== undefined && toListing(suite) !== null
      ? [beside(['host'], 'a host whose benchmarks nobody can list')]
      : []),
    ...(target === null
      ? []
      : [{ path: ['suite'], part: 'key' as const, detail: target, follows: [['suite'], ['suite', 'target']] }]),
    ...(cells <= MAX_VARIANTS
      ? []
      : [
          {
            path: ['suite'],
            part: 'key' as const,
            detail: `${given} benchmarks with ${variants.length} variants each were given; together it must be ${MAX_VARIANTS} at most`,
            follows: [['suite']],
          },
        ]),
  ];
}

function historyConflicts({ file, branch, track }: NonNullable<CheckedFile['history']>): Conflict[] {
  const path: Path = ['history'];
  const follows: Path[] = [path, [...path, 'file'], [...path, 'branch'], [...path, 'track']];
  if (file === undefined && branch === undefined) {
    const detail = 'it names no place; give file (a path on this runner) or branch (a branch of the repository)';
    return [{ path, part: 'key', detail, follows }];
  }
  if (file !== undefined && branch !== undefined) {
    const detail = 'file and branch were both given; keep only one';
    return [{ path: [...path, 'branch'], part: 'key', detail, follows }];
  }
  if (branch === undefined || branch !== track) return [];
  const detail = `${quote(branch)} is given as the branch that is tracked too; the history needs a branch of its own`;
  return [{ path: [...path, 'branch'], detail, follows }];
}

/** Conflicts of the guard: a rest that ends by itself must be at least as long as the guard. */
function guardConflicts(
  { rest: restS, guard = USUAL_GUARD_S }: CheckedFile,
  given: (path: Path) => unknown,
): Conflict[] {
  if (restS === 'auto' || guard <= restS) return [];
  const rest = showGiven(given(['rest']));
  const follows: Path[] = [['guard'], ['rest']];
  if (given(['guard']) === undefined) {
    const detail = `${rest} was given, shorter than the guard (${guard} s, the default), which lies inside the rest; give a longer rest or a shorter guard`;
    return [{ path: ['rest'], detail, follows }];
  }
  const detail = `${showGiven(given(['guard']))} was given, longer than the rest (${rest}) that it lies in; give a shorter guard or a longer rest`;
  return [{ path: ['guard'], detail, follows }];
}

function variantConflicts(
  { workload, suite }: CheckedFile,
  { name, variant, who, otherwise, pathOf }: GivenVariant,
  given: (path: Path) => unknown,
): Conflict[] {
  const isOwn = variant.workdir !== undefined;
  const workdir = isOwn
    ? { value: variant.workdir, path: pathOf('workdir'), isOwn }
    : { value: workload.workdir, path: ['workload', 'workdir'], isOwn };
  const conflicts = placeConflicts({ name, file: variant, who, workdir, pathOf, given }).map(
    (conflict): Conflict => ({ ...conflict, detail: conflict.detail + otherwise }),
  );
  const { ownCommand } = selectKind(variant);
  const hasOwn = workload.place === 'variant' && ownCommand?.isThere(variant) === true;
  if ((variant.run ?? workload.run ?? suite) === undefined && !hasOwn) {
    const own = ownCommand === undefined || workload.place !== 'variant' ? '' : `, or ${ownCommand.advice}`;
    const detail = `there is no command to run; give workload.run, or run here${own}`;
    const follows = [pathOf(), ['workload', 'run'], ['workload'], pathOf('run')];
    conflicts.push({ path: pathOf(), part: 'key', detail, follows });
  }
  return conflicts;
}

/** Conflicts inside the matrix; neither variants nor a matrix is one as well. */
function matrixConflicts({ variants, matrix }: CheckedFile, written: Written): Conflict[] {
  if (matrix === undefined) {
    if (variants !== undefined) return [];
    const detail = `${showGiven(written.given(['variants']))} was given; it must be a map of names and variants, such as { native: {}, container: { image: debian } }, or give a matrix`;
    return [{ path: ['variants'], detail, follows: [['variants'], ['matrix']] }];
  }
  return matrixProblems(matrix, written).map(
    ({ path, detail }): Conflict => ({ path, part: 'key', detail, follows: [path, ['matrix']] }),
  );
}

/** Hooks with `place: variant` need a place that exists between runs; a Compose project exists only during its run. */
function hookConflicts({ hooks = {} }: CheckedFile, variants: readonly GivenVariant[]): Conflict[] {
  const elsewhere = variants.find(({ variant }) => selectKind(variant).runsHooks !== true);
  if (elsewhere === undefined) return [];
  return Object.entries(hooks).flatMap(([name, hook]): Conflict[] => {
    if (typeof hook !== 'object' || !('place' in hook) || hook.place !== 'variant') return [];
    const path: Path = ['hooks', name, 'place'];
    const detail = `"variant" was given, and no hook can run in the place of ${quote(elsewhere.name)}; give host`;
    return [{ path, part: 'key', detail, follows: [path, ['hooks'], elsewhere.pathOf()] }];
  });
}

/** Stopping an engine needs explicit permission in the file. */
function engineConflicts({ allow, workload }: CheckedFile, variants: readonly GivenVariant[]): Conflict[] {
  return variants.flatMap(({ variant: { engine }, pathOf }): Conflict[] => {
    const path = pathOf('engine');
    if (engine !== undefined && engineName(engine) === null && workload.place !== 'variant') {
      const detail = `the engine is stopped beside runs in the place of the variant, and workload.place is ${quote(workload.place)}; leave that out`;
      return [{ path, part: 'key', detail, follows: [pathOf(), ['workload'], ['workload', 'place']] }];
    }
    const state = typeof engine === 'string' ? engine : engine?.state;
    if (state !== 'stopped' || allow === 'engine-stop') return [];
    const detail =
      "Docker's engine of this machine would be stopped for each run and started again after it, which has to be allowed: give allow: engine-stop, or --set allow=engine-stop";
    return [{ path, part: 'key', detail, follows: [pathOf(), ['allow']] }];
  });
}
