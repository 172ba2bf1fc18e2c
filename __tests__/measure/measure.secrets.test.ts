import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from '@jest/globals';
import type { EmulatedDevice, ServedDevice } from '../../src/meters/emulator/http-device.ts';
import { serveDevice } from '../../src/meters/emulator/http-device.ts';
import { RedfishEmulator, USER } from '../../src/meters/redfish/emulator.ts';
import { ShellyEmulator } from '../../src/meters/shelly/emulator.ts';
import { TasmotaEmulator } from '../../src/meters/tasmota/emulator.ts';
import { start } from '../terminal/program.ts';

// Experiments with meters that take a secret, on real sockets: what they leave behind, and what a workload can see of them, is searched byte by byte.

/** Its name gives nothing away. */
const VARIABLE = 'JOULEDIFF_TEST_PLUG';
const settings = () => ({
  energyJ: (from: bigint, to: bigint) => (40 * Number(to - from)) / 1e9,
  originNs: process.hrtime.bigint() - 5_000_000_000n,
  seed: 1,
  latencyNs: 0n,
});

const bearer = (secret: string): EmulatedDevice => ({
  delayMs: () => 5,
  answer: ({ headers }) =>
    headers.authorization === `Bearer ${secret}` ? { status: 200, body: '40.1' } : { status: 401, body: '' },
});

interface Meter {
  readonly type: string;
  readonly make: (secret: string) => EmulatedDevice;
  readonly scheme?: string;
  readonly options: string;
}

const PLUGS: readonly Meter[] = [
  {
    type: 'shelly',
    make: (password) => new ShellyEmulator(settings(), { password }),
    options: `password-env=${VARIABLE}`,
  },
  {
    type: 'shelly',
    make: (password) => new ShellyEmulator(settings(), { password, generation: 1 }),
    options: `password-env=${VARIABLE}`,
  },
  {
    type: 'tasmota',
    make: (password) => new TasmotaEmulator(settings(), { password }),
    options: `password-env=${VARIABLE}`,
  },
  { type: 'http-json', scheme: 'http://', make: bearer, options: `unit=W&token-env=${VARIABLE}` },
];
/** For runs of many minutes: this one is refused once its meter was logged in to. */
const CONTROLLER: Meter = {
  type: 'redfish',
  make: (password) => new RedfishEmulator(settings(), { password }),
  options: `user=${USER}&password-env=${VARIABLE}`,
};

const base = mkdtempSync(join(tmpdir(), 'joulediff-secrets-'));
const served: ServedDevice[] = [];
afterAll(async () => {
  for (const one of served) await one.close();
  rmSync(base, { recursive: true, force: true });
});

/** What a workload can see: its own variables, and the words of everything that it descends from. */
const SEEN = `env > env.seen; p=$$; while [ "$p" -gt 1 ]; do tr '\\0' ' ' < /proc/$p/cmdline; p=$(awk '/^PPid/ { print $2 }' /proc/$p/status); done > words.seen`;

/** All that an experiment with these meters leaves and prints, by where it stands. */
async function leftBy(meters: readonly Meter[], secret: string) {
  const folder = mkdtempSync(join(base, 'one-'));
  const names: string[] = [];
  for (const { type, make, scheme = '', options } of meters) {
    const one = await serveDevice(make(secret), 0);
    served.push(one);
    const pinned = one.fingerprint ? `&fingerprint=${one.fingerprint}` : '';
    names.push(`${type}:${scheme}${one.address}?${options}${pinned}`);
  }
  const file = join(folder, 'joulediff.yml');
  const short = { repetitions: 1, warmup: { runs: 0 }, rest: '4s', guard: '3s', seed: 1 };
  const workload = { run: `${SEEN}; sleep 1` };
  writeFileSync(file, JSON.stringify({ workload, variants: { a: {}, b: {} }, ...short, meter: names }));
  const env = { XDG_STATE_HOME: join(folder, 'state'), JOULEDIFF_LOCK: randomUUID(), [VARIABLE]: secret };
  const { code, stdout, stderr } = await start(['run', file, '--out', join(folder, 'out')], env, folder).ended;
  const texts = new Map([
    ['stdout', Buffer.from(stdout)],
    ['stderr', Buffer.from(stderr)],
  ]);
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile()) texts.set(path.slice(folder.length + 1), readFileSync(path));
  }
  return { code, stderr, texts };
}

/** As it is, and as it may travel. */
function forms(secret: string): string[] {
  const texts = [secret, `admin:${secret}`, `${USER}:${secret}`];
  const encoded = texts.map((text) => Buffer.from(text).toString('base64').replace(/=+$/, ''));
  return [secret, encodeURIComponent(secret), ...encoded, Buffer.from(secret).toString('hex')];
}

function expectNone(texts: ReadonlyMap<string, Buffer>, secret: string): void {
  const found = [...texts].flatMap(([where, bytes]) =>
    forms(secret).flatMap((form) => (bytes.includes(form) ? [`${form} in ${where}`] : [])),
  );
  expect(found).toEqual([]);
}

it('an experiment leaves nothing of its meters’ passwords and tokens behind, and shows none to its workload', async () => {
  const secret = `p!${randomUUID()}`;
  const { code, stderr, texts } = await leftBy(PLUGS, secret);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  for (const name of ['env.seen', 'words.seen', 'out/experiment.db', 'out/findings.json', 'out/report.html']) {
    expect([name, texts.get(name)?.length ?? 0]).toEqual([name, expect.any(Number)]);
    expect(texts.get(name)!.length).toBeGreaterThan(50);
  }
  expectNone(texts, secret);
}, 120_000);

it('nor does one that is refused after its meter was logged in to', async () => {
  const secret = `p!${randomUUID()}`;
  const { code, stderr, texts } = await leftBy([CONTROLLER], secret);
  expect(code).toBe(2);
  expect(stderr).toContain('is too short for the meter redfish');
  expectNone(texts, secret);
}, 120_000);
