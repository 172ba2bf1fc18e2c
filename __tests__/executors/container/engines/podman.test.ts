// Class: world.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { observedGroup } from '../../../../src/executors/leftovers/observed-groups.ts';
import { leftFolders } from '../../../../src/processes/left-folders.ts';
import { findProcesses, nameOf } from '../../../../src/processes/left-processes.ts';
import { Bench, container, docker, testImage } from '../../bench.ts';

const IMAGE = `joulediff-test:engines-${process.pid}`;
const hasPodman = spawnSync('podman', ['--version']).status === 0;
/** Podman's own default, crun, refuses machines with control groups of both versions. */
const RUNTIME = existsSync('/sys/fs/cgroup/unified') ? 'runc' : null;
const PODMAN = { engine: 'podman', runtime: RUNTIME } as const;

const podman = (...words: string[]): string => {
  const { status, stdout, stderr } = spawnSync('podman', words, { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return stdout.trim();
};

/** What of an experiment is in Podman, or runs for it. */
function left(experimentId: string): string[] {
  const label = `label=joulediff.experiment=${experimentId}`;
  const services = findProcesses(({ parent, pid }) => parent === process.pid && nameOf(pid) === 'podman');
  return [
    podman('ps', '--all', '--quiet', '--filter', label),
    podman('network', 'ls', '--quiet', '--filter', label),
    podman('images', '--format', '{{.Repository}}:{{.Tag}}')
      .split('\n')
      .filter((name) => name.includes(experimentId))
      .join(' '),
    ...services.map((pid) => `service ${pid}`),
    // Other tests have theirs there.
    ...leftFolders('joulediff-podman-', ({ experiment }) => experiment === experimentId).map(({ path }) => path),
  ].filter((what) => what !== '');
}

(hasPodman ? describe : describe.skip)('containers of Podman (Debian package podman)', () => {
  let bench: Bench;
  beforeAll(async () => {
    // One of its own: other tests have copies in Podman, too.
    await testImage(IMAGE, [`LABEL of=${IMAGE}`]);
  });
  afterAll(() => docker.getImage(IMAGE).remove());
  beforeEach(() => {
    bench = new Bench();
  });
  afterEach(() => bench.close());

  it('are of the image that Docker’s engine has, which is copied there and goes at the end', async () => {
    const variant = container(IMAGE, { run: 'echo from podman; exit 3' }, PODMAN);
    const executor = await bench.ready(variant);
    const facts = await executor.setup(bench.stop.signal);
    const { Id: id } = await docker.getImage(IMAGE).inspect();
    expect(facts).toMatchObject({ image: IMAGE, image_id: id, engine: 'podman', engine_rights: 'root' });
    expect(facts.engine_version).toMatch(/^\d+\.\d+/);
    expect(bench.lines.join('\n')).toContain('was copied into Podman');
    const run = await executor.prepare(bench.context());
    const edges: string[] = [];
    const execution = await run.execute({ onEdge: (edge) => void edges.push(edge) });
    await run.dispose();
    // A meter is read as the output ends, and once more when Podman says that the container has, which may be a quarter of a second later.
    expect(edges).toEqual(['start', 'end', 'end']);
    expect(execution).toMatchObject({ exitCode: 3, outputTail: 'from podman\n', limit: null });
    expect(bench.log()).toBe('from podman\n');
    expect(await bench.containers()).toEqual([]);
    await bench.end();
    expect(left(bench.experimentId)).toEqual([]);
    expect(podman('images', '--quiet', '--no-trunc')).not.toContain(id);
  });

  it('are born in the control group that observers look at, and counted there', async () => {
    const executor = await bench.ready(container(IMAGE, { run: 'cat /proc/self/cgroup; sleep 0.2' }, PODMAN));
    expect(executor.hasGroups?.()).toBe(true);
    using made = observedGroup();
    const group = made.group;
    if (group === null) throw new Error(`no group: ${made.limitation}`);
    const run = await executor.prepare({ ...bench.context(), observed: group });
    const execution = await run.execute({ onEdge() {} });
    const telemetry = await run.telemetry?.();
    await run.dispose();
    expect(execution.exitCode).toBe(0);
    expect(bench.log()).toContain(`${group.inside.name}/podman/libpod-`);
    expect(telemetry?.usage?.cpuS).toBeGreaterThan(0);
  });

  it('are refused before the first run where their runtime can’t start any', async () => {
    const variant = container(IMAGE, { run: 'true' }, { engine: 'podman', runtime: '/bin/false' });
    await expect(bench.ready(variant)).rejects.toThrow(/Podman|Variant "container" can't run with the runtime/);
    await bench.end();
    expect(left(bench.experimentId)).toEqual([]);
  });
});
