// Class: system.
import { mkdirSync, rmdirSync, symlinkSync } from 'node:fs';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { makeExecutor } from '../../../src/executors/registry.ts';
import { Bench, container, docker, testImage } from '../bench.ts';

const IMAGE = 'joulediff-test:busybox';
const WITH_ENTRYPOINT = 'joulediff-test:entrypoint';

let bench: Bench;
beforeAll(async () => {
  await testImage(IMAGE);
  await testImage(WITH_ENTRYPOINT, [
    'ENTRYPOINT ["echo", "entry"]',
    'CMD ["default"]',
    'ENV FROM_IMAGE=1',
    'WORKDIR /tmp/in',
  ]);
});
beforeEach(() => {
  bench = new Bench();
});
afterEach(() => bench.close());

describe('what a container is given', () => {
  it('is nothing of the host but the variables of the file and the marks', async () => {
    const inherited = { PATH: '/usr/bin', SECRET: 'x' };
    await bench.once(container(IMAGE, { run: ['env'], env: { GIVEN: 'a b' } }), inherited);
    const names = bench.log().trim().split('\n');
    const marks = ['JOULEDIFF_EXPERIMENT', 'JOULEDIFF_RUN', 'JOULEDIFF_STAGE', 'JOULEDIFF_VARIANT'];
    expect(names.map((line) => line.split('=')[0]).sort()).toEqual(['GIVEN', 'HOME', 'HOSTNAME', ...marks, 'PATH']);
    expect(bench.log()).toContain('GIVEN=a b\n');
    expect(bench.log()).toContain('PATH=/bin\n');
  });

  it('are the options of its variant', async () => {
    const run = 'id -u; pwd; grep Cpus_allowed_list /proc/self/status; cat /data/input; ls /sys/class/net';
    await bench.file('data/input', 'from the host\n');
    const options = {
      user: '1234',
      cpuset: '0',
      cpus: 0.5,
      network: 'none',
      volumes: [`${bench.path('data')}:/data:ro`],
    };
    expect((await bench.once(container(IMAGE, { run, workdir: '/usr' }, options))).exitCode).toBe(0);
    expect(bench.log()).toBe('1234\n/usr\nCpus_allowed_list:\t0\nfrom the host\nlo\n');
  });

  it.each([
    ['a list goes to the image’s entry point', ['list'], null, 'entry list'],
    ['a string takes its place', 'echo "$FROM_IMAGE $PWD"', null, '1 /tmp/in'],
    ['an entry point of the file stands before a list', ['list'], ['echo', 'mine'], 'mine list'],
    ['an entry point of the file stands before a string', 'x', ['echo', 'mine'], 'mine sh -c x'],
    ['an empty one is none', ['echo', 'list'], [], 'list'],
  ])('is a command: %s, in one stage or several', async (_name, run, entrypoint, output) => {
    await bench.once(container(WITH_ENTRYPOINT, { run }, { entrypoint }));
    const cleanup = entrypoint?.length === 0 ? ['echo', 'end'] : 'true';
    await bench.once(container(WITH_ENTRYPOINT, { run, cleanup }, { entrypoint }));
    expect(bench.log().split('\n').slice(0, 2)).toEqual([output, output]);
  });
});

describe('the limits of a container', () => {
  const run = 'grep -E "NoNewPrivs|CapBnd" /proc/self/status; cat /proc/self/oom_score_adj';
  const printed = () =>
    Object.fromEntries(
      bench
        .log()
        .split('\n')
        .map((line) => line.split(':\t')),
    );

  it('are no way to more privileges, and a number of processes that a fork bomb can’t pass', async () => {
    const executor = await bench.ready(container(IMAGE, { run }));
    const prepared = await executor.prepare(bench.context());
    const [{ Id: id = '' } = {}] = await bench.containers();
    expect((await docker.getContainer(id).inspect()).HostConfig).toMatchObject({ PidsLimit: 16_384, CapAdd: [] });
    await prepared.execute({ onEdge() {} });
    await prepared.dispose();
    expect(printed()).toMatchObject({ NoNewPrivs: '1', 500: undefined });
    const bomb = 'for i in $(seq 40); do sleep 5 & done; echo forked';
    expect((await bench.once(container(IMAGE, { run: bomb }, { pids: 20 }))).exitCode).not.toBe(0);
    expect(bench.log()).not.toContain('forked');
  });

  it('are lifted where that is asked for, and then told', async () => {
    const executor = await makeExecutor(
      container(IMAGE, { run }, { capabilities: ['SYS_TIME'], newPrivileges: true }),
      bench.environment(),
    );
    expect(await executor.setup(bench.stop.signal)).toMatchObject({ privileges: 'SYS_TIME, new-privileges' });
    const prepared = await executor.prepare(bench.context());
    await prepared.execute({ onEdge() {} });
    await prepared.dispose();
    expect(printed().NoNewPrivs).toBe('0');
    // CAP_SYS_TIME is the 25th.
    expect(Number.parseInt(printed().CapBnd ?? '0', 16) & (1 << 25)).not.toBe(0);
  });
});

describe('volumes', () => {
  it('are not mounted once another folder lies behind them, as a workload could have it', async () => {
    mkdirSync(bench.path('data'));
    mkdirSync(bench.path('elsewhere'));
    const executor = await bench.ready(container(IMAGE, { run: 'true' }, { volumes: [`${bench.path('data')}:/data`] }));
    await (await executor.prepare(bench.context())).dispose();
    rmdirSync(bench.path('data'));
    symlinkSync(bench.path('elsewhere'), bench.path('data'));
    await expect(executor.prepare(bench.context())).rejects.toThrow(
      `The volume ${bench.path('data')} of variant "container" led to ${bench.path('data')} when the experiment began, and leads to ${bench.path('elsewhere')} now`,
    );
    expect(await bench.containers()).toEqual([]);
  });

  it('with a name are made and go with the run, unless they were there', async () => {
    const theirs = `${bench.experimentId}-theirs`;
    const ours = `${bench.experimentId}-ours`;
    await docker.createVolume({ Name: theirs });
    try {
      await bench.once(
        container(IMAGE, { run: 'echo x > /a/x; echo y > /b/y' }, { volumes: [`${theirs}:/a`, `${ours}:/b`] }),
      );
      const { Volumes } = await docker.listVolumes({ filters: { name: [bench.experimentId] } });
      expect(Volumes.map(({ Name }) => Name)).toEqual([theirs]);
    } finally {
      await docker.getVolume(theirs).remove();
    }
  });

  it('of a folder that is not there are refused before anything runs', async () => {
    const attempt = bench.ready(container(IMAGE, {}, { volumes: [`${bench.path('nowhere')}:/x`] }));
    await expect(attempt).rejects.toThrow(/container of variant "container" could not be created: .*nowhere/);
  });
});
