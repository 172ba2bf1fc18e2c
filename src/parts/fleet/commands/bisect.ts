import { relative, resolve } from 'node:path';
import { failedChecks, primaryComparisons } from '../../../report/verdict.ts';
import { replaceFile } from '../../../system/replace-file.ts';
import { terminalProgress } from '../../../terminal/progress.ts';
import { stopSignal } from '../../../terminal/stop.ts';
import { printAnswer, type Terminal, useColor } from '../../../terminal/terminal.ts';
import { cameBy } from '../../../text/way-in.ts';
import { bisect } from '../bisect/bisect.ts';
import { bisectMarkdown, bisectTerminal } from '../bisect/report.ts';
import { commitCommand, commitExperiment, parseWithin } from './commit-command.ts';

const SUMMARY = 'find the commit at which the energy changed';
const EXAMPLES = [
  'joulediff bisect v1.2 HEAD -- ./bench.sh',
  "joulediff bisect v1.2 HEAD --build 'make -j4' -- ./bench",
  'joulediff bisect v1.2 HEAD --config joulediff.yml --variant container',
];

export function bisectCommand(terminal: Terminal) {
  return commitCommand('bisect', SUMMARY, EXAMPLES)
    .argument('<GOOD>', 'the older commit, such as a tag')
    .argument('<BAD>', 'the newer commit, with a different energy')
    .argument('[CMD...]', 'command to run at each commit, after --')
    .option('--out <DIR>', 'output folder', 'joulediff-bisect')
    .option('--resume', 'continue the unfinished bisection in DIR')
    .action(async (good, bad, words, { firstParent = false, resume = false, json = false, ...options }) => {
      cameBy({ keys: 'options' });
      const { stdout, stderr } = terminal;
      const outDir = resolve(options.out);
      const withinS = parseWithin(options.within);
      const progress = terminalProgress(stderr);
      const signal = stopSignal(terminal, true);
      const experiment = await commitExperiment(terminal, [good, words], options, { progress, signal });
      const found = await bisect({
        good,
        bad,
        firstParent,
        resume,
        experiment,
        variant: options.variant ?? null,
        outDir,
        withinS,
        progress,
        signal,
      });
      const folder = relative('.', outDir) || '.';
      await replaceFile(resolve(outDir, 'bisect.md'), bisectMarkdown(found, folder));
      if (!json) return void stdout.write(bisectTerminal(found, folder, { color: useColor(stdout) }));
      const { range, believed, findings, outcome, untrusted } = found;
      const sha = (of: number): string => range.commits[of]?.sha as string;
      const [comparison] = primaryComparisons(findings);
      printAnswer(terminal, 'bisect', {
        outcome,
        good: sha(0),
        bad: sha(range.commits.length - 1),
        commits: range.commits.length - 1,
        found: outcome === 'found' ? (believed?.suspects.commits ?? []).map(sha) : [],
        probability: outcome === 'found' ? (believed?.suspects.probability ?? null) : null,
        credible: (believed?.credible ?? []).map(sha),
        skipped: [...found.skipped.keys()].map(sha),
        delta_percent: comparison?.percent.estimate ?? null,
        ci95: comparison?.percent.ci95 ?? null,
        trusted: untrusted.length === 0 && failedChecks(findings).length === 0,
        source: findings.meter.source,
        folder,
      });
    });
}
