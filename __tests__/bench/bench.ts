// Prints figures of speed and memory beside what they are compared with, measured in the same run, each as soon as it is there. It judges
// nothing; a part that fails is told, and the others go on. `npm run bench -- history` runs the parts that are named.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { MeasureError } from '../../src/errors.ts';
import { lockMachine } from '../../src/measure/lock.ts';
import { type Figure, figureText } from './figure.ts';

const PARTS = ['windows', 'records', 'analysis', 'report-page', 'history', 'export', 'sampling', 'observing', 'rungs'];

/** Each part is a file with this function; the folder is its own, and is removed afterwards. */
interface Part {
  figures(folder: string): AsyncIterable<Figure>;
}

/** Holds the machine for the whole bench: no experiment measures it, and it disturbs none. */
async function waitForMachine(): Promise<Disposable> {
  for (let tries = 0; ; tries++) {
    try {
      return lockMachine('a benchmark');
    } catch (error) {
      if (!(error instanceof MeasureError)) throw error;
      if (tries === 0) process.stderr.write('waiting until the experiment on this machine has ended\n');
      await sleep(1000);
    }
  }
}

async function run(name: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), `joulediff-bench-${name}-`));
  try {
    const part = (await import(`./${name}.ts`)) as Part;
    for await (const figure of part.figures(folder)) process.stdout.write(figureText(figure));
  } catch (error) {
    process.exitCode = 1;
    process.stdout.write(`${name} failed\n`);
    console.error(error);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !PARTS.includes(name));
if (unknown.length > 0) {
  process.stderr.write(`There is no part ${unknown.join(', ')}. Parts: ${PARTS.join(', ')}\n`);
  process.exit(2);
}
using _machine = await waitForMachine();
// The bench's own experiments take a lock of their own beside the one that is held here.
process.env.JOULEDIFF_LOCK = `joulediff.bench.${process.pid}`;
for (const name of asked.length > 0 ? asked : PARTS) await run(name);
