import { basename, dirname, resolve } from 'node:path';
import { RESULT_FILES } from '../../../system/result-files.ts';
import { readResult } from '../../../terminal/read-result.ts';
import type { Result } from '../report/gathered/result.ts';

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
