import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { writeSimulatedStore } from '../analysis/simulated-store.ts';
import { type Figure, ms } from './figure.ts';

const RESULTS = 300;
const BLOCKS = 15;
const CLI = fileURLToPath(new URL('../../src/cli.ts', import.meta.url));

/** Results of many experiments as tables, by a process of their own. */
export async function* figures(folder: string): AsyncGenerator<Figure> {
  const model = join(folder, 'model.db');
  const run = (variant: string, loadW: number) => ({ variant, lengthS: 5, loadW });
  const blocks = Array.from({ length: BLOCKS }, (_, i) => [
    run('native', 60 + ((7 * i) % 11) / 5),
    run('container', 61 + ((5 * i) % 13) / 6),
  ]);
  writeSimulatedStore(model, { blocks });
  const results = Array.from({ length: RESULTS }, (_, i) => {
    const result = join(folder, `result-${i}`);
    mkdirSync(result);
    copyFileSync(model, join(result, 'experiment.db'));
    const db = new Database(join(result, 'experiment.db'));
    db.pragma('synchronous = OFF');
    db.prepare('UPDATE experiment SET id = ?').run(`result-${i}`);
    db.close();
    return result;
  });
  const startMs = performance.now();
  const script = `const { main } = await import(process.argv[1]);
    process.exitCode = await main(process.argv.slice(2), { stdout: { write() {} }, stderr: process.stderr });
    console.log(process.resourceUsage().maxRSS);`;
  const words = ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', script, CLI, 'export'];
  const reported = execFileSync(process.execPath, [...words, ...results, '--out', join(folder, 'tables')], {
    encoding: 'utf8',
    cwd: folder,
  });
  yield {
    what: `results of ${2 * BLOCKS} runs exported as Parquet, ${RESULTS} of them`,
    joulediff: `${ms((performance.now() - startMs) / 1000 / RESULTS)} each`,
    beside: `${(Number(reported) / 1024).toFixed(0)} MiB at most`,
    goal: '',
  };
}
