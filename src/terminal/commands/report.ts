import { resolve } from 'node:path';
import { InputError } from '../../errors.ts';
import type { Findings } from '../../findings/findings.ts';
import { plainText } from '../../report/document/text.ts';
import { gatheredComment, gatheredSummary } from '../../report/gathered/gathered.ts';
import { failing } from '../../report/verdict.ts';
import { thresholdText } from '../../report/words/threshold.ts';
import { reportOn } from '../../run/run.ts';
import { experimentIn } from '../../store/found-experiment.ts';
import { withStore } from '../../store/reader.ts';
import { checkOutputFolder, TEXT_MARK } from '../../system/output-folder.ts';
import { RESULT_FILES } from '../../system/result-files.ts';
import { ResultFolder } from '../../system/result-folder.ts';
import { plain } from '../../text/plain.ts';
import { command } from '../command.ts';
import { readResults } from '../findings-files.ts';
import { OUT } from '../options.ts';
import { databaseIn, isDatabase } from '../result-file.ts';
import { exitCodeOf, type Terminal } from '../terminal.ts';

const SUMMARY =
  'write the full report of an experiment.db (or the folder with it) to DIR, or one comment.md and summary.md for several findings.json (or folders with one)';

export function reportCommand(terminal: Terminal) {
  const { stdout, stderr } = terminal;
  return command('report', SUMMARY)
    .argument('<FILE...>', 'an experiment.db, or one or more findings.json')
    .option(...OUT)
    .action(async (files, { out }) => {
      const outDir = resolve(out);
      checkOutputFolder(outDir);
      const shown = await writeReports(files, outDir);
      stdout.write(`${outDir}\n`);
      for (const findings of shown) {
        for (const result of failing(findings))
          stderr.write(`${plain(plainText(thresholdText(findings, result)), 1000)}\n`);
      }
      terminal.exitCode = Math.max(...shown.map(exitCodeOf));
    });
}

async function writeReports(files: readonly string[], outDir: string): Promise<Findings[]> {
  const file = databaseIn(files[0]!);
  if (files.length > 1 || !isDatabase(file)) return gather(files.length > 1 ? files : [file], outDir);
  refuseOther(
    outDir,
    withStore(file, (reader) => reader.experiment().id),
  );
  return [(await reportOn(file, outDir)).analysis.findings];
}

/** What the action does with `mode: gather`. */
async function gather(paths: readonly string[], outDir: string): Promise<Findings[]> {
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

/** The report of one experiment among the files of another would be neither's. */
function refuseOther(outDir: string, id: string | null): void {
  const there = experimentIn(outDir);
  if (there === null || there === id) return;
  throw new InputError(
    `The output folder ${outDir} holds the result of ${id === null ? 'an' : 'another'} experiment.`,
    {
      advice: 'Choose another folder with --out.',
    },
  );
}
