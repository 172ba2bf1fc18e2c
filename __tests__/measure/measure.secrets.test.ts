// Class: system.
import { randomUUID } from 'node:crypto';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type EmulatedDevice, type ServedDevice, serveDevice } from '../../src/meters/emulator/http-device.ts';
import { RedfishEmulator, USER } from '../../src/meters/redfish/emulator.ts';
import { ShellyEmulator } from '../../src/meters/shelly/emulator.ts';
import { TasmotaEmulator } from '../../src/meters/tasmota/emulator.ts';
import { TapoEmulator } from '../../src/meters/tp-link/tapo-emulator.ts';
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
  /** Absent: a program stands between the meter and joulediff. */
  readonly make?: (secret: string) => EmulatedDevice;
  /** What stands behind its address. */
  readonly place?: string;
  readonly scheme?: string;
  readonly options: string;
}

/** Of a meter that takes its secret in its address and in a header. */
const DESCRIPTION = `name: Plug
http: { path: "/?token={secret}", headers: { authorization: "Bearer {secret}" }, secret-env: ${VARIABLE} }
json: {}
power: { at: "", unit: W }
`;

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
  {
    type: 'tapo',
    make: (account) => new TapoEmulator(settings(), { user: account, password: account }),
    options: `user-env=${VARIABLE}&password-env=${VARIABLE}`,
  },
  { type: 'http-json', scheme: 'http://', make: bearer, options: `unit=W&token-env=${VARIABLE}` },
  { type: 'file', make: bearer, options: '' },
];
/** For runs of many minutes. */
const CONTROLLER: Meter = {
  type: 'redfish',
  make: (password) => new RedfishEmulator(settings(), { password }),
  options: `user=${USER}&password-env=${VARIABLE}`,
};
const OUTLET: Meter = {
  ...CONTROLLER,
  make: (password) => new RedfishEmulator(settings(), { password, pdu: true }),
  place: '/1/A1',
};

const base = mkdtempSync(join(tmpdir(), 'joulediff-secrets-'));

/** Says where it stands in the list of processes, its shell too, and that it was given the password. */
const TOOL = join(base, 'ipmitool');
const IPMITOOL = `#!/bin/sh
for p in $$ $PPID; do tr '\\0' ' ' < /proc/$p/cmdline; done >> words.tool
test -n "$IPMI_PASSWORD" || exit 1
echo '    Instantaneous power reading:                    40 Watts'
echo '    Power reading state is:                   activated'
`;
const MANAGED: Meter = {
  type: 'ipmi',
  options: `user=${USER}&password-env=${VARIABLE}&program=${encodeURIComponent(TOOL)}&source=emulated`,
};
beforeAll(() => {
  writeFileSync(TOOL, IPMITOOL);
  chmodSync(TOOL, 0o755);
});
const served: ServedDevice[] = [];
afterAll(async () => {
  for (const one of served) await one.close();
  rmSync(base, { recursive: true, force: true });
});

/** What a workload can see: its own variables, and the words of everything that it descends from. */
const SEEN = `env > env.seen; p=$$; while [ "$p" -gt 1 ]; do tr '\\0' ' ' < /proc/$p/cmdline; p=$(awk '/^PPid/ { print $2 }' /proc/$p/status); done > words.seen`;

const SHORT = { repetitions: 1, warmup: { runs: 0 }, rest: '6s', guard: '5s', seed: 1, run: `${SEEN}; sleep 1` };

/** All that an experiment with these meters leaves and prints, by where it stands. It is interrupted once it says `until`. */
async function leftBy(
  meters: readonly Meter[],
  secret: string,
  { run, ...plan }: { run: string } & Readonly<Record<string, unknown>> = SHORT,
  until: string | null = null,
) {
  const folder = mkdtempSync(join(base, 'one-'));
  const names: string[] = [];
  for (const { type, make, scheme = '', place = '', options } of meters) {
    const one = make && (await serveDevice(make(secret), 0));
    if (one) served.push(one);
    const pinned = one?.fingerprint ? `&fingerprint=${one.fingerprint}` : '';
    if (type === 'file') {
      const path = join(folder, 'meter.yml');
      writeFileSync(path, DESCRIPTION);
      names.push(`file:${path}?at=${one?.address}`);
      continue;
    }
    names.push(`${type}:${scheme}${one?.address ?? '127.0.0.1'}${place}?${options}${pinned}`);
  }
  const file = join(folder, 'joulediff.yml');
  writeFileSync(file, JSON.stringify({ workload: { run }, variants: { a: {}, b: {} }, ...plan, meter: names }));
  const env = { XDG_STATE_HOME: join(folder, 'state'), JOULEDIFF_LOCK: randomUUID(), [VARIABLE]: secret };
  const program = start(['run', file, '--out', join(folder, 'out')], env, folder);
  if (until !== null) {
    await program.until(({ stderr }) => stderr().includes(until));
    program.child.kill('SIGINT');
  }
  const { code, stdout, stderr } = await program.ended;
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

it('nor does one that is interrupted while it waits for its slow meters', async () => {
  const secret = `p!${randomUUID()}`;
  const slow = { ...SHORT, rest: '90s', guard: '80s', run: 'sleep 210', hooks: { 'before-all': SEEN } };
  const seen = ['env.seen', 'words.seen', 'words.tool'];
  const { code, stderr, texts } = await leftBy([CONTROLLER, OUTLET, MANAGED], secret, slow, 'run 1 of 2');
  expect({ code, stderr }).toMatchObject({ code: 130 });
  for (const name of [...seen, 'out/experiment.db']) expect(texts.get(name)?.length).toBeGreaterThan(50);
  expect(String(texts.get('words.tool'))).toContain('-I lanplus -H 127.0.0.1 -U reader -E dcmi power reading');
  expectNone(texts, secret);
}, 120_000);

it('nor does one that is refused after its meter was logged in to', async () => {
  const secret = `p!${randomUUID()}`;
  const { code, stderr, texts } = await leftBy([CONTROLLER], secret);
  expect(code).toBe(2);
  expect(stderr).toContain('is too short for the meter redfish');
  expectNone(texts, secret);
}, 120_000);
