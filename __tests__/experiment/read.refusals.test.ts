// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { ExperimentError } from '../../src/experiment/problems.ts';
import { experimentSchema } from '../../src/experiment/schema.ts';
import { allowedAt } from '../../src/experiment/schema-walk.ts';
import { parse, refusal, TWO } from './support.ts';

/** A wrong line 5 after the right TWO, and the sentence that it gets. */
const LINES: [string, string][] = [
  ['repetitions: 0', '5:14: repetitions: 0 was given; it must be a whole number from 1 to 10,000'],
  [
    'repetitions: 2.5',
    '5:14: repetitions: 2.5 was given; it must be a whole number from 1 to 10,000, "auto", or a map such as { least: 10, most: 60 }, { want: 1%, within: 15min } or { looks: [30, 45, 60] }',
  ],
  [
    'repetitions: many',
    '5:14: repetitions: "many" was given; it must be a whole number from 1 to 10,000, "auto", or a map such as { least: 10, most: 60 }, { want: 1%, within: 15min } or { looks: [30, 45, 60] }',
  ],
  [
    'repetitions:',
    '5:1: repetitions: nothing was given; it must be a whole number from 1 to 10,000, "auto", or a map such as { least: 10, most: 60 }, { want: 1%, within: 15min } or { looks: [30, 45, 60] }',
  ],
  [
    'repetitions: { looks: [45, 30] }',
    '5:23: repetitions.looks: a list was given; it must be a list of 2 to 10 increasing whole numbers, such as [30, 45, 60]',
  ],
  [
    'repetitions: { looks: [30] }',
    '5:23: repetitions.looks: a list was given; it must be a list of 2 to 10 increasing whole numbers, such as [30, 45, 60]',
  ],
  ['repetitions: { look: [30, 45] }', '5:16: repetitions.look: unknown key; did you mean "looks"?'],
  [
    'repetitions: often',
    '5:14: repetitions: "often" was given; it must be a whole number from 1 to 10,000, "auto", or a map such as { least: 10, most: 60 }, { want: 1%, within: 15min } or { looks: [30, 45, 60] }',
  ],
  ['repetitions: { auto: false }', '5:22: repetitions.auto: false was given; it must be true'],
  ['repetitions: { least: 5 }', '5:23: repetitions.least: 5 was given; it must be a whole number from 6 to 10,000'],
  [
    'repetitions: { least: 40, most: 20 }',
    '5:23: repetitions.least: 40 was given, more than most (20); give a smaller least or a larger most',
  ],
  [
    'repetitions: { want: 0% }',
    '5:22: repetitions.want: "0%" was given; it must be a percentage above 0% and up to 50%, with its sign, such as 1%',
  ],
  [
    'repetitions: { within: 5s }',
    '5:24: repetitions.within: "5s" was given; it must be a time from 10s to 24h, such as 60s or 15min, such as 20s, 500ms, 2m, 1h or a number of seconds',
  ],
  [
    'repetitions: { looks: [30, 45], most: 60 }',
    '5:33: repetitions.most: looks and most were both given; keep only one: looks fix the blocks after which it may end',
  ],
  ['repetition: 5', '5:1: repetition: unknown key; did you mean "repetitions"?'],
  ['warmup: 3', '5:9: warmup: 3 was given; it must be a map such as { runs: 2 }'],
  ['warmup: { run: 3 }', '5:11: warmup.run: unknown key; did you mean "runs"?'],
  ['warmup: { runs: -1 }', '5:17: warmup.runs: -1 was given; it must be a whole number from 0 to 1,000'],
  [
    'rest: 20 sec',
    '5:7: rest: "20 sec" was given; it must be "auto", or a time from 0 to 1h, such as 20s, 500ms, 2m, 1h or a number of seconds',
  ],
  [
    'guard: -3',
    '5:8: guard: -3 was given; it must be a time from 0 to 1h, such as 20s, 500ms, 2m, 1h or a number of seconds',
  ],
  [
    'rest: 20s\nguard: 30s',
    '6:8: guard: "30s" was given, longer than the rest ("20s") that it lies in; give a shorter guard or a longer rest',
  ],
  [
    'batch: { executions: 3, window: 2s }',
    '5:25: batch.window: 3 executions and a length of the window were both given; keep only one',
  ],
  [
    'rest: 1',
    '5:7: rest: 1 was given, shorter than the guard (3 s, the default), which lies inside the rest; give a longer rest or a shorter guard',
  ],
  ['batch: 0', '5:8: batch: 0 was given; it must be "auto", or a whole number from 1 to 10,000'],
  [
    'batch: atuo',
    '5:8: batch: "atuo" was given; it must be "auto", or a whole number from 1 to 10,000, or a map such as { executions: auto, starts: true }',
  ],
  [
    'batch: auto\nwarmup: { runs: 0 }',
    '5:8: batch: with "auto", the number is found from the warm-up, and there is none; give warmup.runs of 1 or more, or a number',
  ],
  [
    'batch: { executions: 0 }',
    '5:22: batch.executions: 0 was given; it must be "auto", or a whole number from 1 to 10,000',
  ],
  ['batch: { starts: maybe }', '5:18: batch.starts: "maybe" was given; it must be true or false'],
  [
    'batch: { starts: true }\nwarmup: { runs: 0 }',
    '5:8: batch.executions: with "auto", the number is found from the warm-up, and there is none; give warmup.runs of 1 or more, or a number',
  ],
  ['seed: 4294967296', '5:7: seed: 4294967296 was given; it must be a whole number from 0 to 4,294,967,295'],
  ['margin: 80%', '5:9: margin: "80%" was given; it must be a percentage from 0% to 50%, with its sign, such as 1%'],
  ['margin: 1', '5:9: margin: "1" was given; it must be a percentage from 0% to 50%, with its sign, such as 1%'],
  ['run: sort', '5:1: run: unknown key; it belongs in workload: { run: … }'],
  ['seed: "5"', '5:7: seed: "5" was given; it must be a whole number from 0 to 4,294,967,295 (a number has no quotes)'],
  ['reps: 5', '5:1: reps: unknown key; did you mean "repetitions"?'],
  ['runs: 5', '5:1: runs: unknown key; did you mean "repetitions"?'],
  ['comment: false', '5:1: comment: unknown key; it belongs in the workflow, under with: as an input of the action'],
  [
    'out: results',
    '5:1: out: unknown key; it belongs on the command line (--out DIR) or among the inputs of the action',
  ],
  [
    'image: debian',
    '5:1: image: unknown key; it belongs in a variant: variants: { native: {}, container: { image: … } }',
  ],
  [
    'base: true',
    '5:1: base: unknown key; two commits are two variants: { base: { revision: main...HEAD }, head: { revision: HEAD } }',
  ],
  [
    'dockerfile: a',
    '5:1: dockerfile: unknown key; it belongs in a variant: variants: { native: {}, container: { build: { dockerfile: … } } }',
  ],
  [
    'history: {}',
    '5:1: history: it names no place; give file (a path on this runner) or branch (a branch of the repository)',
  ],
  [
    'history: { branch: b, alert: mail }',
    '5:30: history.alert: "mail" was given; it must be issue, or a map such as { webhook: $ALERT_URL }',
  ],
  [
    'history: { branch: b, alert: { webhook: https://example.test/x } }',
    '5:41: history.alert.webhook: "https://example.test/x" was given; it must be an environment variable that holds the address, such as $ALERT_URL',
  ],
  ['history: { file: /a.db, branch: b }', '5:25: history.branch: file and branch were both given; keep only one'],
  [
    'history: { branch: main, track: main }',
    '5:20: history.branch: "main" is given as the branch that is tracked too; the history needs a branch of its own',
  ],
  [
    'history: { branch: ../main }',
    '5:20: history.branch: "../main" was given; it must be the name of a branch, such as joulediff-history',
  ],
  [
    'history: { file: history.db }',
    '5:18: history.file: "history.db" was given; it must be the path of a file outside the checkout, starting with "/" or "~/", such as ~/.local/state/joulediff/history.db',
  ],
  ['baseline: natve', '5:11: baseline: "natve" was given, which is no variant; did you mean "native"?'],
  ['baseline: qqq', '5:11: baseline: "qqq" was given, which is no variant; it must be one of "native", "container"'],
  [
    'meter: [rapl, ""]',
    '5:15: meter[1]: "" was given; it must be a meter such as "auto", "rapl" or "watts-up-pro:/dev/serial/by-id/…"; several as a list or separated by commas',
  ],
  [
    'name: "two\\nlines"',
    '5:7: name: "two\\nlines" was given; it must be 1 to 100 printable characters, without spaces at the ends',
  ],
  ['__proto__: { polluted: true }', '5:1: "__proto__" cannot be a name'],
  ['workload: {}', '5:1: the key "workload" appears twice; keep one'],
  ['\tname: x', '5:1: this is not YAML: Tabs are not allowed as indentation'],
  ['name: a: b', '5:7: this is not YAML: Nested mappings are not allowed in compact mappings'],
  ['name: !secret x', '5:7: this is not YAML: Unresolved tag: !secret'],
  ['---', '5:1: a second YAML document starts here; one file is one experiment'],
];

describe('one wrong line', () => {
  it.each(LINES)('%s', (line, expected) => {
    expect(refusal(() => parse(`${TWO}${line}\n`))).toBe(`joulediff.yml:${expected}`);
  });
});

/** All that there are: a new one needs no change here. */
const KEYS_OF_VARIANTS = allowedAt(['variants', 'x'])?.keys?.join(', ');
const VOLUME =
  '"host:container" or "host:container:ro": host a path that starts with / or ./ or ../ (named volumes are not supported), container a path that starts with /';

/** A wrong second variant, on line 4, and the sentence that it gets. */
const VARIANTS: [string, string][] = [
  [
    '{ cpuset: 0 }',
    '4:8: variants.x.cpuset: cpuset is for containers, and without image or build this variant runs on the host; give an image or leave cpuset out',
  ],
  [
    '{ image: a, build: {} }',
    '4:18: variants.x.build: image and build were both given; keep the one that the image comes from',
  ],
  [
    '{ build: {}, pull: always }',
    '4:19: variants.x.pull: pull is for an image, and this variant builds its own; leave pull out',
  ],
  [
    '{ image: Debian }',
    '4:15: variants.x.image: "Debian" was given; it must be the reference of an image, such as debian:12 or registry.example/team/app@sha256:…, in lower case',
  ],
  [
    '{ image: a, pull: alway }',
    '4:24: variants.x.pull: "alway" was given; it must be "missing", "always" or "never" (did you mean "always"?)',
  ],
  ['{ image: a, volumes: [data:/data] }', `4:28: variants.x.volumes[0]: "data:/data" was given; it must be ${VOLUME}`],
  [
    '{ image: a, volumes: [./data:data] }',
    `4:28: variants.x.volumes[0]: "./data:data" was given; it must be ${VOLUME}`,
  ],
  [
    '{ image: a, volumes: ["./a:/b:rw,exec"] }',
    `4:28: variants.x.volumes[0]: "./a:/b:rw,exec" was given; it must be ${VOLUME}`,
  ],
  [
    '{ image: a, volumes: [./a:/x, ./b:/x] }',
    '4:36: variants.x.volumes[1]: "./b:/x" was given, and "/x" in the container is taken already',
  ],
  [
    '{ image: a, volumes: [./a:/x], tmpfs: ["/y", "/x:size=1m"] }',
    '4:51: variants.x.tmpfs[1]: "/x:size=1m" was given, and "/x" in the container is taken already',
  ],
  [
    '{ image: a, tmpfs: [scratch] }',
    '4:26: variants.x.tmpfs[0]: "scratch" was given; it must be "/path" or "/path:options", such as "/tmp" or "/data:size=512m,mode=1777": a path of the container that starts with /',
  ],
  ['{ image: a, ulimits: { nofiles: 1 } }', '4:29: variants.x.ulimits.nofiles: unknown key; did you mean "nofile"?'],
  [
    '{ image: a, ulimits: { nofile: many } }',
    '4:37: variants.x.ulimits.nofile: "many" was given; it must be a whole number, "unlimited", or { soft: 1024, hard: 4096 }',
  ],
  [
    '{ image: a, ulimits: { nofile: { soft: 2, hard: 1 } } }',
    '4:37: variants.x.ulimits.nofile: a map was given; it must be a map of soft and hard limits, of which the soft one is not the higher',
  ],
  [
    '{ image: a, security: [privileged] }',
    '4:29: variants.x.security[0]: "privileged" was given; it must be "seccomp=unconfined", "systempaths=unconfined", "apparmor=PROFILE" or "label=OPTION" (no-new-privileges holds anyway: see new-privileges)',
  ],
  [
    '{ image: a, platform: arm64 }',
    '4:28: variants.x.platform: "arm64" was given; it must be a platform such as linux/amd64 or linux/arm64/v8',
  ],
  [
    '{ tmpfs: ["/tmp"] }',
    '4:8: variants.x.tmpfs: tmpfs is for containers, and without image or build this variant runs on the host; give an image or leave tmpfs out',
  ],
  [
    '{ image: a, memory: 1m }',
    '4:26: variants.x.memory: "1m" was given; it must be a size of at least 6m, such as 512m, 2g or a number of bytes',
  ],
  [
    '{ image: a, cpuset: first }',
    '4:26: variants.x.cpuset: "first" was given; it must be processors such as "0", "0-3" or "0,2-5"',
  ],
  ['{ image: a, cpus: 0 }', '4:24: variants.x.cpus: 0 was given; it must be a number of processors from 0.01 to 4096'],
  ['{ image: a, workdir: sub }', '4:27: variants.x.workdir: "sub" was given; in a container it must start with "/"'],
  ['{ imagee: a }', '4:8: variants.x.imagee: unknown key; did you mean "image"?'],
  [
    '{ run: "  " }',
    '4:13: variants.x.run: "  " was given; it must be a command: text for "sh -c", or a list with the program first and then its arguments',
  ],
  [
    '{ run: [] }',
    '4:13: variants.x.run: an empty list was given; it must be a command (text for "sh -c", or a list with the program first and then its arguments), or { idle: 10m } for nothing at all',
  ],
  [
    '{ env: { A: } }',
    '4:15: variants.x.env.A: nothing was given; it must be text without NUL, shorter than 128 KiB; "" for an empty one',
  ],
  ['[]', `4:6: variants.x: an empty list was given; it must be a map of ${KEYS_OF_VARIANTS}`],
];

describe('one wrong variant', () => {
  it.each(VARIANTS)('%s', (variant, expected) => {
    const text = `workload: { run: ./bench.sh }\nvariants:\n  native: {}\n  x: ${variant}\n`;
    expect(refusal(() => parse(text))).toBe(`joulediff.yml:${expected}`);
  });

  it.each([
    ['control characters', '"a\\u0007b"', 'variants."a\\u0007b": "a\\u0007b"'],
    ['characters that turn text around', '"a\\u202Eb"', 'variants."a\\u{202e}b": "a\\u{202e}b"'],
    ['spaces at an end', '"a "', 'variants."a ": "a "'],
    ['more than 100 characters', 'a'.repeat(101), `variants.${'a'.repeat(101)}: "${'a'.repeat(80)}…"`],
  ])('a name with %s', (_, name, shown) => {
    const message = refusal(() => parse(`workload: { run: x }\nvariants:\n  native: {}\n  b: {}\n  ${name}: {}\n`));
    const must = 'cannot be a name here; it must be 1 to 100 printable characters, without spaces at the ends';
    expect(message).toBe(`joulediff.yml:5:3: ${shown} ${must}`);
  });
});

describe('what is missing', () => {
  it.each([
    ['no variant', 'variants: {}', '2:1: variants: no variant was given; a comparison needs at least two variants'],
    [
      'one variant',
      'variants: { n: {} }',
      '2:1: variants: only "n" was given; a comparison needs at least two variants',
    ],
  ])('%s', (_, text, expected) => {
    expect(refusal(() => parse(`workload: { run: x }\n${text}`))).toBe(`joulediff.yml:${expected}`);
  });

  it('a command, when neither the workload nor a variant has one', () => {
    const message = refusal(() => parse('variants:\n  a: { run: ./a.sh }\n  b: {}\n'));
    expect(message).toBe('joulediff.yml:3:3: variants.b: there is no command to run; give workload.run, or run here');
    const stack = refusal(() => parse('variants:\n  a: { run: ./a.sh }\n  b: { compose: {} }\n'));
    expect(stack).toBe(`${message}, or compose.service alone to run the command of that service`);
    const beside = 'workload: { place: host }\nvariants:\n  a: { run: x }\n  b: { compose: { service: web } }\n';
    expect(refusal(() => parse(beside))).toBe(message.replace(':3:', ':4:'));
  });

  it('everything', () => {
    const keys = Object.keys(experimentSchema.shape).join(', ');
    expect(refusal(() => parse(''))).toBe(`joulediff.yml: nothing was given; it must be a map of ${keys}`);
    expect(refusal(() => parse('- a'))).toBe(`joulediff.yml:1:1: a list was given; it must be a map of ${keys}`);
  });
});

it('a workflow of a forge is called one, instead of each of its keys unknown', () => {
  const workflow = 'name: Energy\non: pull_request\njobs:\n  energy: { runs-on: self-hosted, steps: [] }\n';
  expect(refusal(() => parse(workflow))).toMatch(/^joulediff\.yml:3:1: jobs: this is a workflow of a forge; /);
});

describe('many problems', () => {
  it('are told together, in the order of the file, and are there for annotations', () => {
    const text = `${TWO}repetitions: 0\nrest: 20s\nguard: 1m\nbaselin: native\nbaseline: natve\n`;
    let thrown: unknown;
    try {
      parse(text);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(ExperimentError);
    const { message, problems, exitCode } = thrown as ExperimentError;
    expect(exitCode).toBe(2);
    expect(message.split('\n').map((line) => line.trim().split(': ').slice(0, 2).join(': '))).toEqual([
      '4 problems:',
      'joulediff.yml:5:14: repetitions',
      'joulediff.yml:7:8: guard',
      'joulediff.yml:8:1: baselin',
      'joulediff.yml:9:11: baseline',
    ]);
    expect(problems[0]).toMatchObject({ file: 'joulediff.yml', line: 5, column: 14, path: 'repetitions' });
  });

  it('are cut after ten, with the number of the others', () => {
    const wrong = Array.from({ length: 14 }, (_, i) => `zzzzzzzz${i}: 1`).join('\n');
    const lines = refusal(() => parse(`${TWO}${wrong}`)).split('\n');
    expect(lines).toHaveLength(12);
    expect(lines[0]).toBe('14 problems:');
    expect(lines.at(-1)).toBe('  … and 4 more');
  });

  it('do not tell what only follows from another one', () => {
    const message = refusal(() => parse(`${TWO}guard: 30s\nrest: soon\n`));
    expect(message).toMatch(/^joulediff\.yml:6:7: rest: "soon" was given/);
  });
});

describe('files that are made to do harm', () => {
  const nested = (open: string, levels: number) => `name: ${open.repeat(levels)}`;
  it.each([
    ['nesting of many levels', nested('[', 100_000)],
    [
      'aliases that multiply',
      `a: &a [${'x,'.repeat(9)}]\n${['b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'].map((name, i) => `${name}: &${name} [${`*${'abcdefgh'[i]},`.repeat(9)}]`).join('\n')}`,
    ],
    ['an alias to itself', 'variants: &v { a: *v }'],
    ['an alias to nothing', 'variants: *nothing'],
    ['a path that goes on and on', `workload: { run: x, workdir: "${'a'.repeat(200_000)}\\n" }`],
    ['an image that goes on and on', `variants: { a: { image: "${'a-'.repeat(100_000)}" } }`],
    ['a list in a list in a list', `workload: { run: ${'['.repeat(700)}${']'.repeat(700)} }`],
    ['closed nesting of many levels', `name: ${'['.repeat(20_000)}${']'.repeat(20_000)}`],
    ['a merge', 'workload: &w { run: x }\nvariants: { a: { <<: *w }, b: {} }'],
    ['escapes in what is quoted', '"\\e[31mred\\u202E": 1'],
  ])('%s', (_, text) => {
    const message = refusal(() => parse(text));
    expect(message.length).toBeLessThan(4000);
    expect(message).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f\u202e]/);
  });

  it('leave the prototypes of this program alone', () => {
    refusal(() => parse(`${TWO}__proto__: { polluted: true }\n`));
    refusal(() => parse('variants: { __proto__: { run: x }, b: {} }'));
    refusal(() => parse('workload: { env: { __proto__: x } }'));
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});
