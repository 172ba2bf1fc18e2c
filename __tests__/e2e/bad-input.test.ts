// Class: system.
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { experimentFile, joulediff, temporaryFolder } from './program.ts';

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

const quick = { repetitions: 1, warmup: { runs: 0 }, rest: '100ms', guard: '50ms', meter: 'estimate' };
const two = { a: {}, b: {} };
const image = { native: {}, container: { image: 'joulediff.invalid/no-such-image:1', pull: 'never' } };

interface Bad {
  readonly what: string;
  readonly experiment?: object;
  readonly text?: string;
  readonly words?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  readonly code: number;
  readonly says: readonly (string | RegExp)[];
}

const BAD: readonly Bad[] = [
  { what: 'a file that is missing', code: 2, says: ['joulediff.yml'] },
  { what: 'YAML that is none', text: 'name: x\nvariants: [\n', code: 2, says: [/line 3|3:/] },
  {
    what: 'an unknown key',
    experiment: { ...quick, workload: { run: 'true' }, variants: two, repetitons: 3 },
    code: 2,
    says: ['repetitons', 'repetitions'],
  },
  {
    what: 'an unknown variant',
    experiment: { ...quick, workload: { run: 'true' }, variants: two, baseline: 'nativ' },
    code: 2,
    says: ['nativ'],
  },
  {
    what: 'an unknown meter',
    experiment: { ...quick, workload: { run: 'true' }, variants: two, meter: 'watt-up-pro:/dev/x' },
    code: 2,
    says: ['watts-up-pro'],
  },
  {
    what: 'zero repetitions',
    experiment: { ...quick, workload: { run: 'true' }, variants: two, repetitions: 0 },
    code: 2,
    says: ['repetitions', '0'],
  },
  {
    what: 'a guard longer than the rest',
    experiment: { ...quick, workload: { run: 'true' }, variants: two, guard: '1s' },
    code: 2,
    says: ['guard', 'rest'],
  },
  {
    what: 'an unknown option',
    experiment: { ...quick, workload: { run: 'true' }, variants: two },
    words: ['--repetition', '3'],
    code: 2,
    says: ['--repetitions'],
  },
  {
    what: 'a port that is not there',
    experiment: {
      ...quick,
      workload: { run: 'true' },
      variants: two,
      guard: '3s',
      rest: '4s',
      meter: 'watts-up-pro:/dev/ttyUSB99',
    },
    code: 3,
    says: ['/dev/ttyUSB99'],
  },
  {
    what: 'something else than a port',
    experiment: {
      ...quick,
      workload: { run: 'true' },
      variants: two,
      guard: '3s',
      rest: '4s',
      meter: 'watts-up-pro:/dev/null',
    },
    code: 3,
    says: ['/dev/null'],
  },
  {
    what: 'an image that does not exist',
    experiment: { ...quick, workload: { run: 'true' }, variants: image },
    code: 3,
    says: ['joulediff.invalid/no-such-image:1'],
  },
  {
    what: 'Docker that is not running',
    experiment: { ...quick, workload: { run: 'true' }, variants: image },
    env: { DOCKER_HOST: 'unix:///nonexistent/docker.sock' },
    code: 3,
    says: [/docker/i, '/nonexistent/docker.sock'],
  },
  {
    what: 'a workload that is not there',
    experiment: { ...quick, workload: { run: ['./no-such-program'] }, variants: two },
    code: 2,
    says: ['no-such-program'],
  },
  {
    what: 'a script that is not executable',
    experiment: { ...quick, workload: { run: './joulediff.yml --fast' }, variants: two },
    code: 2,
    says: ['joulediff.yml'],
  },
];

describe('bad input', () => {
  it.each(BAD)('gets a sentence, an exit code and leaves no trace: $what', async ({
    experiment,
    text,
    words,
    env,
    code,
    says,
  }) => {
    if (experiment) experimentFile(folder.path, experiment);
    if (text) writeFileSync(join(folder.path, 'joulediff.yml'), text);
    const before = readdirSync(folder.path);
    const ended = await joulediff(['run', ...(words ?? [])], { cwd: folder.path, ...(env ? { env } : {}) });
    expect({ code: ended.code, stderr: ended.stderr }).toMatchObject({ code });
    for (const part of says) expect(ended.stderr).toMatch(part);
    expect(ended.stderr).not.toMatch(/^\s+at /m);
    expect(ended.stdout).toBe('');
    expect(readdirSync(folder.path)).toEqual(before);
  });

  it('leaves somebody else’s files in the output folder alone', async () => {
    experimentFile(folder.path, { ...quick, workload: { run: 'true' }, variants: two });
    mkdirSync(join(folder.path, 'joulediff-out'));
    writeFileSync(join(folder.path, 'joulediff-out', 'holiday.jpg'), '');
    const ended = await joulediff(['run'], { cwd: folder.path });
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain('holiday.jpg');
    expect(existsSync(join(folder.path, 'joulediff-out', 'experiment.db'))).toBe(false);
  });

  it('keeps an earlier result when the next experiment can’t begin', async () => {
    experimentFile(folder.path, { ...quick, workload: { run: 'true' }, variants: two });
    expect((await joulediff(['measure'], { cwd: folder.path })).code).toBe(0);
    experimentFile(folder.path, { ...quick, workload: { run: 'true' }, variants: image });
    expect((await joulediff(['measure'], { cwd: folder.path })).code).toBe(3);
    expect(existsSync(join(folder.path, 'joulediff-out', 'experiment.db'))).toBe(true);
  });
});
