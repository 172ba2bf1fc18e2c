// Class: system.
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { main } from '../../src/cli.ts';
import { start } from './program.ts';

// What newcomers did wrong, or asked: each is answered with what was given, what is wrong and what to do, and the right exit code.

const { JOULEDIFF_LOCK: lock } = process.env;
let folder: string;
beforeAll(() => {
  // What other tests measure meanwhile is no business of these commands.
  process.env.JOULEDIFF_LOCK = `joulediff.test.mistakes.${process.pid}`;
  folder = mkdtempSync(join(tmpdir(), 'joulediff-mistakes-'));
});
afterAll(() => {
  if (lock === undefined) delete process.env.JOULEDIFF_LOCK;
  else process.env.JOULEDIFF_LOCK = lock;
  rmSync(folder, { recursive: true, force: true });
});

interface Reported {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The program in this process: what is refused has started nothing. */
async function reported(...words: string[]): Promise<Reported> {
  const text = { stdout: '', stderr: '' };
  const stream = (name: 'stdout' | 'stderr') => {
    const write = (chunk: string): boolean => {
      text[name] += chunk;
      return true;
    };
    return { write, isTTY: false } as unknown as NodeJS.WriteStream;
  };
  const code = await main(words, { stdout: stream('stdout'), stderr: stream('stderr') });
  return { code, ...text };
}

let files = 0;
/** A file with this content. */
function written(content: string, ending = 'yml'): string {
  const path = join(folder, `${files++}.${ending}`);
  writeFileSync(path, content);
  return path;
}

const TWO = 'workload: { run: "true" }\nvariants: { a: {}, b: {} }\n';

describe('a command that is not meant so', () => {
  it.each<[string, number, RegExp]>([
    ['rnu', 2, /^There is no command "rnu"\. Did you mean run\?\nCommands: compare, init, run, /],
    ['help rnu', 2, /^There is no command "rnu"\. Did you mean run\?/],
    ['meter chek', 2, /^There is no command "meter chek"\. Did you mean meter check\?/],
    ['anal', 2, /Did you mean analyze\?/],
    ['frobnicate', 2, /^There is no command "frobnicate"\.\nCommands:/],
    [
      'sort file',
      2,
      /^There is no command "sort"\.\nTo measure a command of your own: joulediff compare 'sort file' 'ANOTHER/,
    ],
    ['compare true --image ', 2, /^--image needs the name of an image, and nothing was given\.$/m],
    ['compare a b --rums 3', 2, /^There is no option --rums\. Did you mean --runs\?\nOptions: /],
    ['compare a b --repetitions 0', 2, /^--runs: 0 was given; it must be a whole number from 1/],
    ['compare a b --reps many', 2, /^--runs: "many" was given; it must be a whole number/],
    ['compare a b --runs', 2, /^The value of --runs is missing: --runs N\.$/m],
    ['compare a b --runs 0', 2, /^--runs: 0 was given; it must be a whole number from 1 to 10,000/],
    ['compare a b --runs many', 2, /^--runs: "many" was given; it must be a whole number/],
    ['compare a b --out', 2, /^The value of --out is missing: --out DIR\.$/m],
    ['compare', 2, /^compare needs a CMD: commands in quotes, such as 'sort file'/],
    [
      'compare true',
      2,
      /^Only "true" was given, and nothing to compare it with\.\nGive another command; or places with --native/,
    ],
    ['compare --native --image x', 2, /^compare needs a CMD/],
    ['analyze', 2, /^analyze needs a FILE: an experiment\.db, or a CSV of runs\.$/m],
    [
      'analyze no-such.db',
      2,
      /^There is no file no-such\.db\.\nGive an experiment\.db, the folder with it, or a CSV of runs\./,
    ],
    ['report no-such.db', 2, /^There is no file no-such\.db\.\nGive the folder of a result, or its experiment\.db\./],
    ['history page --file no-such.db', 2, /^There is no history no-such\.db\.\nTo begin it: joulediff history add /],
    ['frobnicate --help', 2, /^There is no command "frobnicate"\.\nCommands:/],
    ['meter check wattsup:', 2, /Did you mean "watts-up-pro"\?/],
    ['compare true false --out /proc/x', 2, /\/proc\/x.*no such file or directory/],
    ['run no-such.yml', 2, /^no-such\.yml: there is no such file\n.*`joulediff init` writes one/],
    ['plan a.yml b.yml', 2, /^"b\.yml" is one argument too many\.$/m],
    ['meter check nosuch', 2, /^Unknown meter type "nosuch" in "nosuch"\.\nPossible: watts-up-pro, /],
    ['meter check watts', 2, /Did you mean "watts-up-pro"\?/],
    ['meter check watts-up-pro', 2, /^The meter "watts-up-pro" needs its port/],
    ['meter check shelly', 2, /^The meter "shelly" does not say where it is\.\nWrite shelly:HOST/],
    ['meter check command', 2, /does not say which program to run\.\n.*one JSON object a line/],
    ['meter check rapl:0', 2, /^The meter type rapl takes no address, but "rapl:0" has "0"\.\nWrite "rapl"\.$/m],
    ['meter check estimate?idel=5', 2, /has no option "idel".*\nDid you mean "idle"\?/],
    ['meter check estimate,rapl', 2, /^Only one meter can be checked at a time\.$/m],
    ['meter emulate foo', 2, /^There is no emulator for "foo"\.\nPossible: /],
    ['history add', 2, /^history add needs a FILE/],
    ['history prune --file a.db --file b.db', 2, /^--file was given twice: "a\.db" and "b\.db"\.\nIt takes one value/],
    ['explain nowhere --trace --trace', 2, /^(?!--trace was given twice)/],
    ['explain --trace strace --trace uftrace', 2, /^--trace was given twice: "strace" and "uftrace"\./],
    ['compare a b -r 3 --runs 4', 2, /^--runs was given twice: "3" and "4"\./],
    ['compare a b --reps 3 --runs 4', 2, /^--runs 4 and --reps 3 set the same number\./],
    ['compare a --within 10 minutes', 2, /^--within 10 was given without a unit, and "minutes" is a word/],
  ])('%s', async (line, code, answer) => {
    const ended = await reported(...line.split(' '));
    expect(ended).toEqual({ code, stdout: '', stderr: expect.stringMatching(answer) });
  });

  it.each([[''], ['meter'], ['history']])('"%s" alone shows what there is', async (line) => {
    const ended = await reported(...line.split(' ').filter(Boolean));
    expect(ended).toMatchObject({
      code: 2,
      stdout: expect.stringMatching(/^(?:joulediff [\d.]+: .*\n\n)?Usage: joulediff/),
    });
  });

  it('a command to be measured in the place of one leads to compare', async () => {
    expect(await reported('sort file')).toEqual({
      code: 2,
      stdout: '',
      stderr: `"sort file" is not a joulediff command.\nTo compare it with another command: joulediff compare 'sort file' 'ANOTHER COMMAND'.\n`,
    });
  });

  it('help, a version and the help of a command are answered', async () => {
    expect(await reported('--version')).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
    expect(await reported('help', 'meter', 'check')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Usage: joulediff meter check/),
    });
    expect(await reported('-h')).toMatchObject({ code: 0, stdout: expect.stringContaining('compare [CMD…]') });
  });
});

describe('an experiment file that is not meant so', () => {
  it.each<[string, RegExp]>([
    ['', /: nothing was given; it must be a map of name, workload/],
    ['[]', /:1:1: an empty list was given; it must be a map of/],
    ['workload:\n\trun: x\n', /:2:1: this is not YAML: Tabs are not allowed as indentation/],
    ['workload: { run: "true" \n', /: this is not YAML: /],
    ['workload: sort\n', /workload: "sort" was given; it must be a map of run, prepare/],
    [
      'workload: { run: "true" }\n',
      /variants: nothing was given; it must be a map of names and variants, such as \{ native: \{\}/,
    ],
    [
      'run: "true"\nimage: debian\n',
      /run: unknown key; it belongs in workload: \{ run: … \}[\s\S]*image: unknown key; it belongs in a variant/,
    ],
    ['workload: { run: "true" }\nvariants: [native, container]\n', /variants: a list was given; it must be a map/],
    [
      'workload: { run: "true" }\nvariants: { a: {}, b: { imgae: x } }\n',
      /variants\.b\.imgae: unknown key; did you mean "image"\?/,
    ],
    [
      'workload: { run: "true" }\nvariants: { a: {}, b: { build: . } }\n',
      /variants\.b\.build: "\." was given; it must be a map of context/,
    ],
    [
      'workload: { run: "true", timeout: 0 }\nvariants: { a: {}, b: {} }\n',
      /workload\.timeout: 0 was given; it must be "none", or a time above 0/,
    ],
    [`${TWO}margin: 1\n`, /margin: "1" was given; it must be a percentage from 0% to 50%, with its sign, such as 1%/],
    [`${TWO}margin: -1%\n`, /margin: "-1%" was given; it must be a percentage/],
    [`${TWO}guard: 30s\nrest: 5s\n`, /guard: "30s" was given, longer than the rest \("5s"\) that it lies in/],
    [`${TWO}repetitions: many\n`, /repetitions: "many" was given; it must be a whole number from 1 to 10,000/],
    [`${TWO}repetitons: 3\n`, /repetitons: unknown key; did you mean "repetitions"\?/],
    [`${TWO}baseline: c\n`, /baseline: "c" was given, which is no variant/],
    [`${TWO}meter: shelly\n`, /The meter "shelly" does not say where it is\./],
    [`${TWO}meter: watt-up-pro\n`, /Unknown meter type "watt-up-pro".*\nDid you mean "watts-up-pro"\?/],
    [`${TWO}fail-on: huge\n`, /fail-on: "huge" was given; it must be/],
  ])('%j', async (content, answer) => {
    const path = written(content);
    const ended = await reported('plan', '--offline', path);
    expect(ended).toEqual({ code: 2, stdout: '', stderr: expect.stringMatching(answer) });
    // Where there is a place in the file, it is told as file:line:column.
    expect(ended.stderr).toMatch(/(?:\.yml:|meter)/i);
  });

  it.each<[string[], RegExp]>([
    [['--set', 'rest'], /^--set: "rest" was given; it must be key=value, such as warmup\.runs=1/],
    [['--set', 'nosuch=1'], /^--set nosuch=1: unknown key; possible: "name"/],
    [
      ['--set', 'rest=soon'],
      /^--set rest=soon: "soon" was given; it must be "auto", or a time from 0 to 1h, such as 20s/,
    ],
    [['--set', 'margin=1'], /^--set margin=1: "1" was given; it must be a percentage/],
    [['--meter', ''], /^--meter: "" was given; it must be a meter such as "auto"/],
    [['--seed', 'x'], /^--seed: "x" was given; it must be a whole number/],
    [['--repetitions', '1.5'], /^--repetitions: /],
  ])('with %j', async (options, answer) => {
    const ended = await reported('plan', '--offline', written(TWO), ...options);
    expect(ended).toEqual({ code: 2, stdout: '', stderr: expect.stringMatching(answer) });
  });
});

it('a proposed experiment is not moved aside with the result that holds it', async () => {
  const out = join(folder, 'explained');
  const file = join(out, 'confirm.yml');
  mkdirSync(out);
  writeFileSync(join(out, 'findings.json'), '{ "schema": "joulediff/findings/1" }');
  writeFileSync(file, TWO);
  expect(await reported('run', file, '--out', out, '--meter', 'estimate')).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/is the folder of the experiment.*\nGive another folder with --out/),
  });
  expect(existsSync(file)).toBe(true);
});

describe('a file that is not what analyze reads', () => {
  it.each<[string, string, RegExp]>([
    [
      'csv',
      'variant,energy\na,1\n',
      /line 1: there is no column energy_j; the columns are: variant, energy\.\nRename "energy" to energy_j/,
    ],
    ['csv', 'variant,energy_j\na,1\nb,x\n', /line 3: energy_j is "x", which is not a number\./],
    ['csv', '', /empty/],
    ['db', 'not a database', /./],
    ['yml', TWO, /./],
  ])('.%s with %j', async (ending, content, answer) => {
    const ended = await reported('analyze', written(content, ending));
    expect(ended).toEqual({ code: 2, stdout: '', stderr: expect.stringMatching(answer) });
    expect(ended.stderr).not.toMatch(/joulediff is broken|\n\s+at /);
  });
});

describe('a workload that can’t be measured', () => {
  const QUICK = 'meter: estimate\nrest: 0s\nguard: 0s\nrepetitions: 1\nwarmup: { runs: 0 }\n';
  const env = () => ({
    JOULEDIFF_LOCK: `joulediff.test.${process.pid}`,
    XDG_STATE_HOME: join(folder, 'state'),
    NO_COLOR: '1',
  });

  it.each<[string, string, number, RegExp]>([
    [
      'a command that is not there',
      'workload: { run: nosuchcommand }\nvariants: { a: {}, b: {} }\n',
      3,
      /failed: exit code 127\.[\s\S]*nosuchcommand: not found[\s\S]*The workload failed twice in variant "[ab]"/,
    ],
    ['a command that fails', 'workload: { run: "exit 3" }\nvariants: { a: {}, b: {} }\n', 3, /failed: exit code 3\./],
    [
      'a prepare that fails',
      'workload: { run: "true", prepare: "false" }\nvariants: { a: {}, b: {} }\n',
      3,
      /The prepare command of variant "[ab]" ended with exit code 1\./,
    ],
    [
      'a command that takes too long',
      'workload: { run: "sleep 60", timeout: 500ms }\nvariants: { a: {}, b: {} }\n',
      3,
      /took longer than its timeout[\s\S]*none instead of a time lifts it/,
    ],
    [
      'a user that is not there',
      'workload: { run: "true" }\nvariants: { a: {}, b: { user: nosuchuser } }\n',
      2,
      /There is no user "nosuchuser" on this machine\./,
    ],
  ])('%s', async (what, content, code, answer) => {
    const out = join(folder, what.replaceAll(' ', '-'));
    const ended = await start(['run', written(content + QUICK), '--out', out], env()).ended;
    expect(ended).toMatchObject({ code, stderr: expect.stringMatching(answer) });
  });

  it('a result in the place of a file', async () => {
    mkdirSync(join(folder, 'taken'), { recursive: true });
    const path = join(folder, 'taken', 'file');
    writeFileSync(path, 'mine');
    const ended = await start(['run', written(TWO + QUICK), '--out', path], env()).ended;
    expect(ended).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^The output folder .*file is a file\.\nGive a folder with --out\./m),
    });
  });
});
