// Class: system.
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { maskFile } from '../../src/executors/discreet.ts';
import { makeExecutor } from '../../src/executors/registry.ts';
import { Bench, native } from './bench.ts';

let bench: Bench;
beforeEach(() => {
  bench = new Bench();
});
afterEach(() => bench.close());

const TOKEN = `ghs_${'a1B2'.repeat(9)}`;

/** An executor to which the job passes a value that nothing gives away as a credential. */
async function ready(given: Parameters<typeof native>[0]) {
  const environment = { ...bench.environment(), passedEnv: { NICKNAME: 'swordfish' } };
  environment.inheritedEnv = { ...environment.inheritedEnv, NICKNAME: 'swordfish' };
  const executor = await makeExecutor(native(given), environment);
  await executor.setup(bench.stop.signal);
  return executor;
}

const SAID = `printf '\\033]0;owned\\007\\033[31mred\\033[0m %s %s %s\\n' "$NICKNAME" ${TOKEN} "$DB_PASSWORD"`;
const env = { DB_PASSWORD: 'correct horse' };

describe('What a command prints', () => {
  it('has no credentials and nothing that a terminal obeys when it is told why it failed', async () => {
    const executor = await ready({ env, prepare: `${SAID}; exit 3` });
    const error: Error = await executor.prepare(bench.context()).then(
      () => new Error('it did not fail'),
      (thrown) => thrown,
    );
    expect(error.message).toBe(
      'The prepare command of variant "native" ended with exit code 3.\nIts last output:\n  red *** *** ***',
    );
    expect(bench.log()).toMatch(/red\S* \*{9} \*{40} \*{13}\n$/);
  });

  it('is stored without credentials, in as many bytes', async () => {
    const executor = await ready({ env, run: `${SAID}; echo "::joulediff phase $NICKNAME"; exit 4`, cleanup: SAID });
    const run = await executor.prepare(bench.context());
    const { outputTail } = await run.execute({ onEdge() {} });
    expect(outputTail).toBe('red *** *** ***\n::joulediff phase ***\n');
    expect((await run.telemetry?.())?.marks.map(({ phase }) => phase)).toEqual(['***']);
    const size = statSync(bench.logFile).size;
    await run.dispose();
    expect(bench.log()).not.toMatch(/swordfish|correct horse|ghs_/);
    // The clean-up printed the line once more, without the phase.
    expect(statSync(bench.logFile).size).toBe(2 * size - '::joulediff phase swordfish\n'.length);
  });
});

describe('A log', () => {
  it('is masked where a credential lies across two of the parts that it is read in', () => {
    const filler = 'x'.repeat(4 * 2 ** 20 - 10);
    writeFileSync(bench.logFile, `é${filler} ${TOKEN} ${filler} swordfish\n`);
    maskFile(bench.logFile, ['swordfish']);
    expect(readFileSync(bench.logFile, 'utf8') === `é${filler} ${'*'.repeat(40)} ${filler} *********\n`).toBe(true);
  });

  it('that is not there is none to mask', () => {
    expect(() => maskFile(bench.path('nothing'), [])).not.toThrow();
  });
});
