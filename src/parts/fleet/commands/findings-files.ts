import { readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { analyzeStore } from '../../../analysis/analyze.ts';
import { InputError, messageOf } from '../../../errors.ts';
import type { Findings } from '../../../findings/findings.ts';
import { LIMITS, readFindings } from '../../../findings/read-findings.ts';
import { withStore } from '../../../store/reader.ts';
import { RESULT_FILES } from '../../../system/result-files.ts';
import { isDatabase } from '../../../terminal/result-file.ts';
import type { Result } from '../report/gathered/result.ts';

const FILE = RESULT_FILES.findings;

/** Behind a byte order mark, where there is one. */
const BEGINS_AN_OBJECT = /^(?:\xef\xbb\xbf)?\s*\{/;

/**
 * Findings in files, in the findings.json of folders, or of databases; each is called by its folder, by its own name where that tells more, or by
 * its path where two would have the same name. Throws InputError.
 */
export function readResults(paths: readonly string[]): Result[] {
  const names = paths.map(nameOf);
  return paths.map((path, i) => {
    const name = names[i]!;
    return { name: names.indexOf(name) === names.lastIndexOf(name) ? name : path, findings: readResult(path) };
  });
}

function nameOf(path: string): string {
  const isOfItsFolder = [RESULT_FILES.findings, RESULT_FILES.database].some((file) => file === basename(path));
  return basename(isOfItsFolder ? dirname(resolve(path)) : resolve(path));
}

/** The findings of one file, folder or database. Throws InputError. */
export function readResult(given: string): Findings {
  const path = isFolder(given) ? join(given, FILE) : given;
  if (isDatabase(path)) return withStore(path, analyzeStore).findings;
  const bytes = readBounded(path);
  if (!BEGINS_AN_OBJECT.test(bytes.subarray(0, 64).toString('latin1'))) {
    throw new InputError(`${path} is neither an experiment.db nor a findings.json.`, {
      advice: 'A CSV of runs is for joulediff analyze.',
    });
  }
  try {
    return readFindings(bytes);
  } catch (cause) {
    const advice = cause instanceof InputError ? (cause.advice ?? undefined) : undefined;
    throw new InputError(`${path}: ${messageOf(cause)}`, { advice, cause });
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function readBounded(path: string): Buffer {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) {
    throw new InputError(`There is no file ${path}.`, {
      advice:
        'Give the folder of a result, or its experiment.db. joulediff run and joulediff compare write theirs into joulediff-out.',
    });
  }
  // A pipe or a device could keep us waiting for ever.
  if (!stats.isFile()) throw new InputError(`${path} is not a file.`);
  if (stats.size > LIMITS.bytes)
    throw new InputError(`${path} has ${stats.size} bytes; the limit for findings is ${LIMITS.bytes}.`);
  return readFileSync(path);
}
