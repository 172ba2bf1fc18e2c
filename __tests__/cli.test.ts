// Class: system.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { main } from '../src/cli.ts';
import { VERSION } from '../src/version.ts';

async function joulediff(...words: string[]) {
  let stdout = '';
  let stderr = '';
  const streams = {
    stdout: { write: (text: string) => (stdout += text) },
    stderr: { write: (text: string) => (stderr += text) },
  };
  return { code: await main(words, streams), stdout, stderr };
}

const SORT = new URL('../examples/sort/joulediff.yml', import.meta.url).pathname;
const METER_COMMANDS = ['meter list', 'meter watch', 'meter check', 'meter compare', 'meter learn', 'meter emulate'];

describe('the terminal program', () => {
  it('tells its version, which is the package’s', async () => {
    const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
    expect(manifest.version).toBe(VERSION);
    expect(await joulediff('--version')).toEqual({ code: 0, stdout: `${VERSION}\n`, stderr: '' });
  });

  it('explains each of its commands', async () => {
    const { stdout } = await joulediff('--help');
    const commands = [...stdout.matchAll(/^ {2}((?:meter|history) \w+|\w+) /gm)].map((match) => match[1] as string);
    expect(commands).toEqual([
      ...['compare', 'init', 'run', 'bisect', 'backfill', 'measure', 'analyze', 'report'],
      ...['merge', 'export', 'plan', 'noise', 'doctor', 'explain', 'clean'],
      'history add',
      'history note',
      'history page',
      'history prune',
      ...METER_COMMANDS,
    ]);
    for (const command of commands) {
      const help = await joulediff(...command.split(' '), '--help');
      expect(help).toMatchObject({ code: 0, stderr: '' });
      expect(help.stdout).toContain(`joulediff ${command}`);
      expect(help.stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
    }
  });

  it('explains the commands of a group', async () => {
    const { code, stdout, stderr } = await joulediff('meter', '--help');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const command of METER_COMMANDS) expect(stdout).toContain(`\n  ${command} `);
    expect(await joulediff('meter')).toEqual({ code: 2, stdout, stderr: '' });
  });

  it.each([
    [['mesure'], 'There is no command "mesure". Did you mean measure?'],
    [['meter', 'emulat'], 'There is no command "meter emulat". Did you mean meter emulate?'],
    [['metre', 'emulate'], 'There is no command "metre"'],
    [['meter', 'emulate'], 'meter emulate needs a TYPE: watts-up-pro, '],
    [['meter', 'emulate', 'wats-up-pro'], 'There is no emulator for "wats-up-pro".'],
    [['meter', 'emulate', 'watts-up-pro', '--idle', '4o'], '--idle 4o is not possible: it must be 0 to 5000 watts.'],
    [['run', '--repetition', '3'], 'There is no option --repetition. Did you mean --repetitions?'],
    [['run', '--resume=yes'], '--resume'],
    [['run', 'a.yml', 'b.yml'], '"b.yml" is one argument too many.'],
    [['analyze'], 'analyze needs a FILE'],
    [['analyze', '/nonexistent/experiment.db'], 'There is no file /nonexistent/experiment.db.'],
    [['report', '/nonexistent/experiment.db'], 'There is no file /nonexistent/experiment.db.'],
    [['plan', '/nonexistent.yml'], '/nonexistent.yml'],
    [['noise', '/nonexistent.yml'], '/nonexistent.yml'],
    [['plan', SORT, '--meter', 'estmate'], 'Did you mean "estimate"?'],
  ])('answers %j with a sentence and exit code 2', async (words, sentence) => {
    const ended = await joulediff(...words);
    expect({ code: ended.code, stdout: ended.stdout }).toEqual({ code: 2, stdout: '' });
    expect(ended.stderr).toContain(sentence);
  });

  it('shows a plan without starting anything', async () => {
    const first = await joulediff('plan', SORT, '--seed', '3', '--repetitions', '4', '--offline', '--order');
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(first.stdout).toMatch(/sort: 12 runs in randomized blocks \(seed 3\)/);
    expect(first.stdout.match(/^block \d+ +(native · container|container · native)$/gm)).toHaveLength(4);
    expect((await joulediff('plan', SORT, '--seed', '3', '--repetitions', '4', '--offline', '--order')).stdout).toBe(
      first.stdout,
    );
  });
});
