import { InputError } from '../../../errors.ts';
import type { Findings } from '../../../findings/findings.ts';
import { TEXT_MARK } from '../../../system/output-folder.ts';
import { RESULT_FILES } from '../../../system/result-files.ts';
import { ResultFolder } from '../../../system/result-folder.ts';
import { refuseOther } from '../../../terminal/commands/report.ts';
import { isDatabase } from '../../../terminal/result-file.ts';
import { gatheredComment, gatheredSummary } from '../report/gathered/gathered.ts';
import { readResults } from './findings-files.ts';

/** What the action does with `mode: gather`. */
export async function reportSeveral(paths: readonly string[], outDir: string): Promise<Findings[]> {
  const database = paths.find((path) => isDatabase(path));
  if (database !== undefined) {
    throw new InputError(`${database} is a database; several experiments are shown together from their findings.json.`);
  }
  const results = readResults(paths);
  refuseOther(outDir, null);
  using folder = ResultFolder.open(outDir);
  await folder.replace(RESULT_FILES.comment, `${TEXT_MARK}\n${gatheredComment(results)}`);
  await folder.replace(RESULT_FILES.summary, `${TEXT_MARK}\n${gatheredSummary(results)}`);
  return results.map(({ findings }) => findings);
}
