import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { analyzeStore } from '../analysis/analyze.ts';
import { InputError, messageOf } from '../errors.ts';
import type { Findings } from '../findings/findings.ts';
import { LIMITS, readFindings } from '../findings/read-findings.ts';
import { withStore } from '../store/reader.ts';
import { RESULT_FILES } from '../system/result-files.ts';
import { isDatabase } from './result-file.ts';

/** Start of a JSON object, after an optional byte order mark. */
const BEGINS_AN_OBJECT = /^(?:\xef\xbb\xbf)?\s*\{/;

/** The findings of one file, folder or database. Throws InputError. */
export function readResult(given: string): Findings {
  const path = isFolder(given) ? join(given, RESULT_FILES.findings) : given;
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
  // Opening a pipe or a device could block for ever.
  if (!stats.isFile()) throw new InputError(`${path} is not a file.`);
  if (stats.size > LIMITS.bytes)
    throw new InputError(`${path} has ${stats.size} bytes; the limit for findings is ${LIMITS.bytes}.`);
  return readFileSync(path);
}
