// How much more processor time a run takes while each rung alone looks at it, beside the same run that nobody looks at, in turn: a million system calls, a loop
// bound by memory, one bound by the processor, calls on sockets and requests to a disk.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ObservedGroup } from '../../src/contracts/observation.ts';
import { observedGroup } from '../../src/executors/leftovers/observed-groups.ts';
import type { ObserverKind } from '../../src/parts/explain/observers/observer.ts';
import { observerKinds } from '../../src/parts/explain/observers/registry.ts';
import { strace } from '../../src/parts/explain/observers/strace/strace.ts';
import { ObserverError } from '../../src/parts/explain/observers/tool.ts';
import { type Figure, median } from './figure.ts';

const ROUNDS = 2;
const SOCKETS = 'import socket\na,b=socket.socketpair()\nfor i in range(100000): a.send(b"x"); b.recv(9)';
const LOADS: Readonly<Record<string, readonly string[]>> = {
  '10⁶ system calls': ['dd', 'if=/dev/zero', 'of=/dev/null', 'bs=1', 'count=500000', 'status=none'],
  'copies of 16 MB (memory-bound)': ['dd', 'if=/dev/zero', 'of=/dev/null', 'bs=16M', 'count=300', 'status=none'],
  'arithmetic of a shell (compute-bound)': ['sh', '-c', 'i=0; while [ $i -lt 1000000 ]; do i=$((i+1)); done'],
  '2·10⁵ calls on sockets': ['python3', '-c', SOCKETS],
  '2,000 requests to a disk': [
    'dd',
    'if=/dev/zero',
    'of=written',
    'bs=4k',
    'count=2000',
    'oflag=direct',
    'status=none',
  ],
};

type Times = Readonly<Record<string, number>>;

/** Processor seconds of the group so far, which hardly depend on what else a machine does; by the clock where version 2 of control groups doesn't tell them. */
function spentS({ host }: ObservedGroup): number {
  const file = join(host.folder, 'cpu.stat');
  const reported = existsSync(file) ? /^usage_usec (\d+)$/m.exec(readFileSync(file, 'latin1'))?.[1] : undefined;
  return reported === undefined ? performance.now() / 1000 : Number(reported) / 1e6;
}

/** Seconds of each load, born in the group. */
function timesOf(group: ObservedGroup, folder: string, before: readonly string[] = []): Times {
  const doors = `echo $$ > ${group.host.folder}/cgroup.procs; exec "$@"`;
  return Object.fromEntries(
    Object.entries(LOADS).map(([name, load]) => {
      const begunS = spentS(group);
      const { status } = spawnSync('sh', ['-c', doors, 'sh', ...before, ...load], { cwd: folder, stdio: 'ignore' });
      if (status !== 0) throw new Error(`${load[0]} ended with ${status}`);
      return [name, spentS(group) - begunS];
    }),
  );
}

interface Looked {
  readonly times: Times;
  /** Of beginning and ending, outside of any run. */
  readonly aroundS: number;
}

async function looked(kind: ObserverKind | null, folder: string): Promise<Looked> {
  using made = observedGroup();
  const { group } = made;
  if (group === null) throw new ObserverError('no-group');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  await kind?.probe(folder, group);
  const beginS = performance.now() / 1000;
  const target = { group, folder, filesOf: null, signal: new AbortController().signal };
  const observation = await kind?.start(target);
  const startNs = process.hrtime.bigint();
  const begunS = performance.now() / 1000;
  const times = timesOf(group, folder);
  const endS = performance.now() / 1000;
  await observation?.end({ startNs, endNs: process.hrtime.bigint() });
  return { times, aroundS: begunS - beginS + performance.now() / 1000 - endS };
}

async function traced(folder: string): Promise<Looked> {
  using made = observedGroup();
  await strace.probe(folder);
  const command = { command: null, directory: folder, path: '', isOther: false };
  const { tracer } = await strace.begin(folder, command, null);
  return { times: timesOf(made.group as ObservedGroup, folder, tracer?.host), aroundS: 0 };
}

export async function* figures(folder: string): AsyncGenerator<Figure> {
  const own = join(folder, 'looked');
  const found = new Map<string, Looked[]>();
  const missing = new Map<string, string>();
  const add = async (name: string, look: () => Promise<Looked>): Promise<void> => {
    if (missing.has(name)) return;
    try {
      found.set(name, [...(found.get(name) ?? []), await look()]);
    } catch (thrown) {
      if (!(thrown instanceof ObserverError)) throw thrown;
      missing.set(name, thrown.limitation);
    }
  };
  for (let round = 0; round < ROUNDS; round++) {
    await add('nobody', () => looked(null, own));
    for (const kind of observerKinds) await add(kind.name, () => looked(kind, own));
    if (round === 0) await add(strace.name, () => traced(own));
  }
  const of = (name: string, load: string): number =>
    median((found.get(name) ?? []).map(({ times }) => times[load] ?? 0));
  for (const load of Object.keys(LOADS)) {
    const plainS = of('nobody', load);
    const factors = [...found.keys()]
      .filter((name) => name !== 'nobody')
      .map((name) => `${name} ${(of(name, load) / plainS).toFixed(2)}`);
    yield {
      what: `${load}, looked at by one alone: times the processor time`,
      joulediff: factors.join(', '),
      beside: `by nobody: ${plainS.toFixed(3)} s`,
      goal: '',
    };
  }
  const around = [...found].filter(([name]) => name !== 'nobody' && name !== strace.name);
  yield {
    what: 'to begin and to end, outside of the runs',
    joulediff: around
      .map(([name, list]) => `${name} ${median(list.map(({ aroundS }) => aroundS)).toFixed(1)} s`)
      .join(', '),
    beside:
      missing.size === 0
        ? ''
        : `not here: ${[...missing].map(([name, limitation]) => `${name} (${limitation})`).join(', ')}`,
    goal: '',
  };
}
