// Class: world, long.
import { randomUUID } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { makeRemoteContainerExecutor } from '../../../src/executors/container/remote.ts';
import type { Executor } from '../../../src/executors/executor.ts';
import { PlaceLostError } from '../../../src/executors/failures.ts';
import { asRemoteClient } from '../../../src/executors/remote/client.ts';
import { makeRemoteExecutor } from '../../../src/executors/remote/executor.ts';
import { RemoteHost } from '../../../src/hosts/host.ts';
import { CAN_NETWORK, type NetworkedMachine, networkedMachine, SKEW } from '../../hosts/sshd.ts';
import { Bench, container, docker, eventually, native, testImage } from '../bench.ts';
import { lackForUsers, OrdinaryUser } from '../container/ordinary-user.ts';

// A machine in a network of its own: 20 ms away each way and up to 10 more, with one packet of a hundred lost; its clock is an hour off, and drifts.

/** Windows of each kind of place; more of them: JOULEDIFF_WINDOWS=100. */
const WINDOWS = Number(process.env.JOULEDIFF_WINDOWS ?? 1);
const CUTS = Math.ceil(WINDOWS / 2);
/** A window takes 4 s, and longer on a busy machine. */
const LIMIT_MS = 120_000 + 30_000 * WINDOWS;
const { signal: never } = new AbortController();
const BOOT = '/proc/sys/kernel/random/boot_id';
const tag = `joulediff-network-test:${randomUUID()}`;

(CAN_NETWORK ? describe : describe.skip)('over a network (needs root, openssh-server and TUN devices)', () => {
  let sut: NetworkedMachine;
  let bench: Bench;
  beforeAll(async () => {
    sut = await networkedMachine({ delayMs: 20, jitterMs: 10, lossPercent: 1 });
    bench = new Bench();
    await testImage(tag);
  });
  afterAll(async () => {
    await sut[Symbol.asyncDispose]();
    await bench.close();
    await docker.getImage(tag).remove({ force: true });
  });

  const executors: Record<string, (host: RemoteHost, run: string) => Executor> = {
    process: (host, run) => makeRemoteExecutor(native({ run }), bench.environment(), host),
    client: (host, run) => {
      const place = makeRemoteExecutor(native({ run }), bench.environment(), host);
      return asRemoteClient(place, { host, serviceHost: null, served: [] });
    },
    container: (host, run) => makeRemoteContainerExecutor(container(tag, { run }), bench.environment(), host),
  };

  /** A client's machine is another one than this, by what it says of itself. The others share this one's engine, whose clean-up goes by the boot. */
  const beMachineOf = (kind: string) =>
    sut.pretend(BOOT, kind === 'client' ? 'of-another' : readFileSync(BOOT, 'utf8'));

  test.each(Object.keys(executors))(
    'the window of a %s is where it was, within what is stated',
    async (kind) => {
      beMachineOf(kind);
      await using host = await RemoteHost.open(sut.address, never, () => {}, { withEngine: true });
      const reported: Stamps[] = [];
      listenIn(host, reported);
      const executor = (executors[kind] as (typeof executors)[string])(host, 'sleep 0.2');
      await executor.setup(never);
      const seen: { off: number; edgeS: number; lengthOff: number; lengthS: number }[] = [];
      for (let i = 0; i < WINDOWS; i++) {
        const run = await executor.prepare(bench.context());
        const execution = await run.execute({ onEdge() {} });
        const settled = await run.settle?.(execution);
        await run.dispose();
        const { startNs = 0n, endNs = 0n, clock = { edgeS: 0, lengthS: 0 } } = settled ?? {};
        const truth = trueWindow(reported.at(-1) as Stamps);
        const [start, end] = [Number(startNs) - truth.startNs, Number(endNs) - truth.endNs].map((ns) => ns / 1e9);
        seen.push({
          off: Math.max(Math.abs(start as number), Math.abs(end as number)),
          lengthOff: Math.abs((end as number) - (start as number)),
          ...clock,
        });
      }
      // Stated are bounds, not standard deviations; what the skewed clock's doubles round is less than 10 µs.
      const right = seen.filter(
        ({ off, edgeS, lengthOff, lengthS }) => off <= edgeS + 1e-5 && lengthOff <= lengthS + 1e-5,
      );
      if (WINDOWS > 10) process.stderr.write(`${kind}: ${summary(seen)}, ${right.length} of ${WINDOWS} right\n`);
      expect(right.length).toBeGreaterThanOrEqual(Math.ceil(0.95 * WINDOWS));
      // The way there and back is known to be at least that long.
      expect(Math.min(...seen.map(({ edgeS }) => edgeS))).toBeGreaterThan(0.019);
      expect(Math.max(...seen.map(({ edgeS }) => edgeS))).toBeLessThan(1);
    },
    LIMIT_MS,
  );

  test(
    'a connection that is cut at any moment leaves nothing there, and another run is good',
    async () => {
      for (const [kind, make] of Object.entries(executors)) {
        beMachineOf(kind);
        await using host = await RemoteHost.open(sut.address, never, () => {}, { withEngine: true });
        for (let i = 0; i < CUTS; i++) {
          const executor = make(host, 'trap "" TERM; sleep 600');
          const whole = async (): Promise<void> => {
            await executor.setup(never);
            const run = await executor.prepare(bench.context());
            try {
              await run.execute({ onEdge() {} });
            } finally {
              await run.dispose();
            }
          };
          const running = whole();
          running.catch(() => {});
          await new Promise((wake) => setTimeout(wake, 3500 * Math.random()));
          sut.cut();
          await expect(running).rejects.toThrow(PlaceLostError);
          await eventually(async () => sut.left().length === 0 && (await bench.containers()).length === 0);
          await executor.recover?.(never);
        }
      }
      await eventually(() => !bench.hasProcesses());
      await using host = await RemoteHost.open(sut.address, never, () => {}, { withEngine: true });
      const again = makeRemoteExecutor(native(), bench.environment(), host);
      const run = await again.prepare(bench.context());
      expect(await run.execute({ onEdge() {} })).toMatchObject({ exitCode: 0 });
      await run.dispose();
    },
    LIMIT_MS,
  );
});

const LACK = CAN_NETWORK ? lackForUsers() : 'network';
const title = `as a user of its own${LACK === null ? '' : ` (skipped: no ${LACK})`}`;
(LACK === null ? test : test.skip)(title, async () => {
  const user = new OrdinaryUser();
  const bench = new Bench();
  try {
    await using sut = await networkedMachine({ delayMs: 5, jitterMs: 5, lossPercent: 1 }, user);
    {
      await using host = await RemoteHost.open(sut.address, never, () => {});
      const whose = join(sut.folder, 'tmp/whose');
      const executor = makeRemoteExecutor(native({ run: `id -u > ${whose}` }), bench.environment(), host);
      await executor.setup(never);
      const run = await executor.prepare(bench.context());
      expect(await run.execute({ onEdge() {} })).toMatchObject({ exitCode: 0 });
      await run.dispose();
      expect(Number(readFileSync(whose, 'utf8'))).toBe(user.uid);
      rmSync(whose);
      const lost = await makeRemoteExecutor(
        native({ run: 'trap "" TERM; sleep 600' }),
        bench.environment(),
        host,
      ).prepare(bench.context());
      const running = lost.execute({ onEdge() {} });
      await eventually(() => user.processes().some(({ command }) => command.includes('sleep 600')));
      sut.cut();
      await expect(running).rejects.toThrow(PlaceLostError);
    }
    await eventually(() => sut.left().length === 0 && user.processes().length === 0);
  } finally {
    await bench.close();
    await user.remove();
  }
});

interface Stamps {
  readonly start: number;
  readonly end: number;
}

/** Keeps what the helper says of begin and end, on its own clock. */
function listenIn({ connection }: RemoteHost, reported: Stamps[]): void {
  const ask = connection.ask.bind(connection);
  connection.ask = async (op, question, limitMs) => {
    const answer = await ask(op, question, limitMs);
    if (op === 'run' || op === 'container') reported.push(answer as Stamps);
    return answer;
  };
}

/** That clock runs beside the one here at a distance that is known, since both are the same but for what it was made to say. */
const trueWindow = ({ start, end }: Stamps): { readonly startNs: number; readonly endNs: number } => {
  const here = (ns: number): number => Number(BigInt(ns) - SKEW.offsetNs) / SKEW.rate;
  return { startNs: here(start), endNs: here(end) };
};

function summary(seen: readonly { readonly off: number; readonly edgeS: number }[]): string {
  const median = (values: readonly number[]): number =>
    values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
  const ms = (s: number): string => `${(1000 * s).toFixed(1)} ms`;
  const offs = seen.map(({ off }) => off);
  return `edges off by ${ms(median(offs))} (at most ${ms(Math.max(...offs))}), stated ${ms(median(seen.map(({ edgeS }) => edgeS)))}`;
}
