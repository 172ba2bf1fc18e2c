// Class: system.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { limitWithoutAccounts } from '../../../src/executors/container/limit-met.ts';
import { MachineFiles } from '../../../src/machine/files.ts';
import { KernelLog } from '../../../src/machine/kernel-log.ts';
import { limitText } from '../../../src/processes/limits.ts';
import { Bench, container, docker, eventually, testImage } from '../bench.ts';

const ID = '7f'.repeat(32);
const OTHER = '3a'.repeat(32);

/** As Linux 6 writes them, each of its kinds of paths. */
const fork = (path: string) => `6,40,70202602590,-;cgroup: fork rejected by pids controller in ${path}`;
const memory = (oom: string, task = oom, cpuset = OTHER) =>
  `6,41,70172832765,-;oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=${cpuset},mems_allowed=0,oom_memcg=${oom},task_memcg=${task},task=tail,pid=11952,uid=0`;
const wholeMachine = (task: string) =>
  `6,42,7,-;oom-kill:constraint=CONSTRAINT_NONE,nodemask=(null),cpuset=/,mems_allowed=0,global_oom,task_memcg=${task},task=tail,pid=1,uid=0`;

describe('a container whose accounts were gone', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'joulediff-kmsg-'));
    mkdirSync(join(root, 'dev'));
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));
  const reported = (exitCode: number, ...records: string[]) => {
    writeFileSync(join(root, 'dev/kmsg'), `6,1,1,-;Linux version 6.1.0\n${records.join('\n')}\n`);
    return limitWithoutAccounts(ID, exitCode, new MachineFiles(root)).limit;
  };

  it.each([
    ['processes', fork(`/docker/${ID}`)],
    ['processes', fork(`/system.slice/docker-${ID}.scope`)],
    // As a machine wrote it on which two processors had something to say.
    ['processes', `${fork('')}\n6,43,8,-;docker0: port 1(veth) entered disabled state\n6,44,9,-;/docker/${ID}`],
    ['memory', memory(`/docker/${ID}`)],
    ['memory', memory('/docker', `/docker/${ID}`)],
    ['memory', memory(`/system.slice/${'a-long-slice/'.repeat(12)}docker-${ID}.scope`)],
    ['memory', wholeMachine(`/docker/${ID}/inside`)],
    // What ended it comes before what it was refused.
    ['memory', `${fork(`/docker/${ID}`)}\n${memory(`/docker/${ID}`)}`],
  ])('is told by the kernel’s log to have met its limit of %s, whatever its exit code: %s', (limit, records) => {
    expect(reported(0, records)).toBe(limit);
    expect(reported(137, memory(`/docker/${OTHER}`), records)).toBe(limit);
  });

  it('is not told to have met another one’s limit', () => {
    const others = [fork(`/docker/${OTHER}`), memory(`/docker/${OTHER}`, `/docker/${OTHER}`, ID)];
    others.push(fork(''), `6,45,9,-;/docker/${OTHER}`, `6,46,9,-;/docker/${ID}`);
    expect(reported(0, ...others)).toBeNull();
    expect(reported(1, ...others)).toBeNull();
  });

  it('and that was killed, says that memory may have been why, where nothing tells', () => {
    rmSync(join(root, 'dev'), { recursive: true });
    const unseen = (exitCode: number) => limitWithoutAccounts(ID, exitCode, new MachineFiles(root));
    expect(unseen(137)).toEqual({ limit: 'perhaps-memory', limitUnseen: true });
    expect(unseen(1)).toEqual({ limit: null, limitUnseen: true });
    expect(unseen(0)).toEqual({ limit: null, limitUnseen: true });
    expect(limitText('perhaps-memory')).toMatch(/^it was killed, perhaps because memory ran out: /);
  });
});

const mayReadLog = ((): boolean => {
  using log = new KernelLog(new MachineFiles());
  return log.newMessages() !== null;
})();
const counts = /^\S+\s+\d+\s+\d+\s+1$/m.test(/^pids\s.*$/m.exec(readFileSync('/proc/cgroups', 'latin1'))?.[0] ?? '');
const itWithLog = mayReadLog && counts ? it : it.skip;

describe('the kernel’s own log', () => {
  const IMAGE = 'joulediff-test:busybox';
  let bench: Bench;
  beforeAll(async () => {
    await testImage(IMAGE);
  });
  beforeEach(() => {
    bench = new Bench();
  });
  afterEach(() => bench.close());

  itWithLog('tells of a real container that it was refused a process (where this user may read it)', async () => {
    const run = 'i=0; while [ $i -lt 60 ]; do sleep 300 & i=$((i + 1)); done';
    const executor = await bench.ready(container(IMAGE, { run }, { pids: 20 }));
    const prepared = await executor.prepare(bench.context());
    const [{ Id: id = '' } = {}] = await bench.containers();
    expect(limitWithoutAccounts(id, 0)).toEqual({ limit: null, limitUnseen: false });
    await prepared.execute({ onEdge() {} });
    expect(limitWithoutAccounts(id, 0)).toEqual({ limit: 'processes', limitUnseen: false });
    await prepared.dispose();
  });

  itWithLog('is asked after the guard about one whose accounts are gone, though it ended well', async () => {
    const bomb = 'i=0; while [ $i -lt 60 ]; do sleep 300 & i=$((i + 1)); done';
    const run = `until [ -e /host/go ]; do sleep 0.05; done; (${bomb}); exit 0`;
    const executor = await bench.ready(container(IMAGE, { run }, { pids: 20, volumes: [`${bench.folder}:/host`] }));
    const prepared = await executor.prepare(bench.context());
    const [{ Id: id = '' } = {}] = await bench.containers();
    const ending = prepared.execute({ onEdge() {} });
    let pid = 0;
    await eventually(async () => {
      pid = (await docker.getContainer(id).inspect()).State.Pid;
      return pid > 0;
    });
    const groups = readFileSync(`/proc/${pid}/cgroup`, 'latin1');
    const path = /^\d+:(?:[^:]*,)?pids(?:,[^:]*)?:(.*)$/m.exec(groups)?.[1];
    const group = path === undefined ? `/sys/fs/cgroup${/^0::(.*)$/m.exec(groups)?.[1]}` : `/sys/fs/cgroup/pids${path}`;
    expect(existsSync(group)).toBe(true);
    // As on a machine that is too busy: this process stands still from the end of the container until its group is gone.
    writeFileSync(join(bench.folder, 'go'), '');
    const still = new Int32Array(new SharedArrayBuffer(4));
    for (const lateMs = Date.now() + 60_000; existsSync(group) && Date.now() < lateMs; ) Atomics.wait(still, 0, 0, 5);
    const execution = await ending;
    expect(execution).toMatchObject({ exitCode: 0, limit: null });
    expect(await prepared.settle?.(execution)).toMatchObject({ limit: 'processes', limitUnseen: false });
    await prepared.dispose();
  });
});
