// Class: system.
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { experimentFrom } from '../../src/experiment/read.ts';
import {
  compareRecords,
  holdsConcealed,
  holdsCredential,
  recordable,
  recordableMeter,
  revealed,
} from '../../src/measure/concealed.ts';
import { digestKey } from '../../src/system/digest-key.ts';

let state: string;
const before = process.env.XDG_STATE_HOME;
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), 'joulediff-state-'));
  process.env.XDG_STATE_HOME = state;
});
afterEach(() => {
  if (before === undefined) delete process.env.XDG_STATE_HOME;
  else process.env.XDG_STATE_HOME = before;
  rmSync(state, { recursive: true, force: true });
});

const experiment = (password: string, version = '1.2') =>
  experimentFrom(
    {
      workload: { run: './run.sh', env: { PASSWORD: password } },
      variants: { native: {}, container: { build: { args: { VERSION: version } } } },
    },
    { where: 'test', directory: '/somewhere' },
  );

const [KEY, OTHER_KEY] = ['11'.repeat(32), '22'.repeat(32)];

describe('What is recorded of an experiment', () => {
  it('names variables and build arguments and holds no value of them', () => {
    const text = JSON.stringify(recordable(experiment('swordfish'), 'e1'));
    expect(text).toMatch(/"env":\{"PASSWORD":"hmac-sha256:[0-9a-f]{8}:[0-9a-f]{32}"\}/);
    expect(text).toMatch(/"args":\{"VERSION":"hmac-sha256:/);
    expect(text).not.toMatch(/swordfish|1\.2/);
  });

  it('holds no credential of a meter, in its name or in what that is repeated in', () => {
    const line = "curl -H 'Authorization: Bearer S3cretKey12345' http://there/power";
    const asked = { ...experiment('swordfish'), meters: [`command:${line}`, 'rapl'] };
    expect(holdsCredential(asked)).toBe(true);
    const { meters } = recordable(asked, 'e1', KEY);
    const meter = recordableMeter({ name: meters[0]!, address: line, remarks: [`As reported by “${line}”.`] });
    expect(JSON.stringify([meters, meter])).not.toContain('S3cret');
    expect(meters[1]).toBe('rapl');
    expect(meter.address).toContain('http://there/power');
  });

  it('gets its values back from experiments that have them, each proved by its digest', () => {
    const recorded = recordable(experiment('swordfish'), 'e1', KEY);
    const [other, right] = [experiment('trout'), experiment('swordfish', '9')];
    expect(revealed(recorded, 'e1', [other], KEY).missing).toEqual(new Set(['PASSWORD']));
    const { experiment: found, missing } = revealed(recorded, 'e1', [right, other], KEY);
    expect([found, missing]).toEqual([experiment('swordfish'), new Set()]);
    // Another key, or another experiment, proves nothing.
    expect(revealed(recorded, 'e1', [right, other], OTHER_KEY).missing).toEqual(new Set(['PASSWORD', 'VERSION']));
    expect(revealed(recorded, 'e2', [right, other], KEY).missing).toEqual(new Set(['PASSWORD', 'VERSION']));
  });

  it('holds no credential that is written into a command, and one that was rotated is no change', () => {
    const commanding = (token: string) =>
      experimentFrom(
        {
          workload: { run: `curl -H 'Authorization: Bearer ${token}' http://there/`, version: ['tool', token] },
          services: {
            web: { run: `API_KEY=${token} ./serve`, ready: { command: ['ask', token] } },
            db: { run: ':', ready: { http: `http://me:${token}@localhost/` } },
          },
          hooks: { 'before-all': `login ${token}` },
          variants: { native: { prepare: `fetch https://me:${token}@there/` }, container: { image: 'web' } },
        },
        { where: 'test', directory: '/somewhere' },
      );
    const [token, rotated] = ['a', 'b'].map((letter) => `ghp_${letter.repeat(36)}`) as [string, string];
    const before = recordable(commanding(token), 'e1', KEY);
    const text = JSON.stringify(before);
    expect(text).not.toContain(token);
    expect(text).toContain("curl -H 'Authorization: Bearer ***' http://there/");
    expect(text).toContain('https://me:***@there/');
    expect(compareRecords(before, recordable(commanding(rotated), 'e1', KEY)).isSame).toBe(true);
    expect([holdsCredential(commanding(token)), holdsConcealed(before)]).toEqual([true, true]);
    const harmless = commanding('usual');
    expect([holdsCredential(experiment('x')), holdsConcealed(harmless)]).toEqual([false, false]);
  });

  it('shows that a value has changed, and nothing else about it', () => {
    const record = (password: string, id = 'e1', version = '1.2') =>
      recordable(experiment(password, version), id, KEY).variants;
    expect(compareRecords(record('a'), record('a'))).toEqual({ isSame: true, isKnown: true });
    expect(compareRecords(record('a'), record('b'))).toEqual({ isSame: false, isKnown: true });
    expect(compareRecords(record('a'), record('a', 'e1', '1.3'))).toEqual({ isSame: false, isKnown: true });
    // The same value of another experiment, or another variant of the same one, looks different.
    expect(compareRecords(record('a'), record('a', 'e2')).isSame).toBe(false);
    const [native, container] = record('a');
    expect(native?.workload.env).not.toEqual(container?.workload.env);
  });

  it('is the same in whatever order its keys are read', () => {
    const revision = { name: 'main', commit: 'c' };
    const other = { commit: 'c', name: 'main' };
    expect(compareRecords([{ name: 'a', revision }], [{ revision: other, name: 'a' }]).isSame).toBe(true);
    expect(compareRecords(['a', 'b'], ['b', 'a']).isSame).toBe(false);
    expect(compareRecords(undefined, null).isSame).toBe(true);
  });

  it('can be compared but for the values where the key is another', () => {
    const record = (password: string, key: string) => recordable(experiment(password), 'e1', key).variants;
    expect(compareRecords(record('a', KEY), record('b', OTHER_KEY))).toEqual({ isSame: true, isKnown: false });
    const renamed = record('a', OTHER_KEY).map((variant) => ({ ...variant, name: `${variant.name}2` }));
    expect(compareRecords(record('a', KEY), renamed).isSame).toBe(false);
  });
});

describe('The key', () => {
  it('is made once, for this user alone', () => {
    const key = digestKey();
    expect(key).toMatch(/^[0-9a-f]{64}$/);
    expect(digestKey()).toBe(key);
    const path = join(state, 'joulediff', 'digest-key');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readFileSync(path, 'utf8')).toBe(`${key}\n`);
  });

  it('is that of this process where none can be kept', () => {
    const file = join(state, 'file');
    writeFileSync(file, '');
    process.env.XDG_STATE_HOME = file;
    expect(digestKey()).toMatch(/^[0-9a-f]{64}$/);
    expect(digestKey()).toBe(digestKey());
    expect(existsSync(join(file, 'joulediff'))).toBe(false);
  });
});
