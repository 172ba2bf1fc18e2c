import { resolve } from 'node:path';
import { InputError } from '../../errors.ts';
import type { Findings } from '../../findings/findings.ts';
import { plainText } from '../../report/document/text.ts';
import { perExecution } from '../../report/per-execution.ts';
import { methodsPlain } from '../../report/sections/methods.ts';
import { resultsLatex } from '../../report/sections/paper-tables.ts';
import { failing } from '../../report/verdict.ts';
import { thresholdText } from '../../report/words/threshold.ts';
import { reportOn } from '../../run/run.ts';
import { experimentIn } from '../../store/found-experiment.ts';
import { withStore } from '../../store/reader.ts';
import { checkOutputFolder } from '../../system/output-folder.ts';
import { plain } from '../../text/plain.ts';
import { command } from '../command.ts';
import { OUT } from '../options.ts';
import { readResult } from '../read-result.ts';
import { databaseIn, isDatabase } from '../result-file.ts';
import { ability, exitCodeOf, printAnswer, runPart, type Terminal } from '../terminal.ts';
import { linesOf } from '../verdict-line.ts';

const SUMMARY =
  'write the full report of an experiment.db (or the folder with it) to DIR, or one comment.md and summary.md for several findings.json (or folders with one)';

export function reportCommand(terminal: Terminal) {
  const { stdout, stderr } = terminal;
  return command('report', SUMMARY, ['joulediff report joulediff-out', 'joulediff report joulediff-out --methods'])
    .argument('<FILE...>', 'an experiment.db, or one or more findings.json')
    .option(...OUT)
    .option('--methods', 'only print how to describe the measurement in a paper')
    .option('--latex', 'only print the results as LaTeX tables')
    .action(async (files, { out, methods = false, latex = false, json = false }) => {
      if (methods || latex) {
        const findings = files.map((file) => perExecution(readResult(databaseIn(file))));
        const texts = findings.map((one) => `${methods ? methodsPlain(one) : ''}${latex ? resultsLatex(one) : ''}`);
        if (json)
          printAnswer(terminal, 'report', { folder: null, text: texts.join('\n'), results: findings.flatMap(linesOf) });
        else stdout.write(texts.join('\n'));
        return;
      }
      const outDir = resolve(out);
      checkOutputFolder(outDir);
      const shown = await writeReports(terminal, files, outDir);
      if (json) printAnswer(terminal, 'report', { folder: outDir, text: null, results: shown.flatMap(linesOf) });
      else stdout.write(`${outDir}\n`);
      for (const findings of shown) {
        for (const result of failing(findings))
          stderr.write(`${plain(plainText(thresholdText(findings, result)), 1000)}\n`);
      }
      terminal.exitCode = Math.max(...shown.map(exitCodeOf));
    });
}

async function writeReports(
  terminal: Terminal,
  files: readonly string[],
  outDir: string,
): Promise<readonly Findings[]> {
  const file = databaseIn(files[0]!);
  if (files.length > 1 || !isDatabase(file)) {
    const reportSeveral = ability(terminal, 'reportSeveral', 'show several results together');
    return reportSeveral(files.length > 1 ? files : [file], outDir);
  }
  refuseOther(
    outDir,
    withStore(file, (reader) => reader.experiment().id),
  );
  return [(await reportOn(file, outDir, await runPart(terminal))).analysis.findings];
}

/** Throws if the folder has another experiment's files, since the report would mix both. */
export function refuseOther(outDir: string, id: string | null): void {
  const there = experimentIn(outDir);
  if (there === null || there === id) return;
  throw new InputError(
    `The output folder ${outDir} holds the result of ${id === null ? 'an' : 'another'} experiment.`,
    {
      advice: 'Choose another folder with --out.',
    },
  );
}
