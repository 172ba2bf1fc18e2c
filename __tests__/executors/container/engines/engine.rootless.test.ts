// Class: world.
import type { ChildProcess } from 'node:child_process';
import { chownSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import Docker from 'dockerode';
import { openEngine } from '../../../../src/executors/container/engines/engine.ts';
import { containerKind } from '../../../../src/executors/container/kind.ts';
import { Bench, container, docker, eventually, testImage } from '../../bench.ts';
import { lackForUsers, OrdinaryUser } from '../ordinary-user.ts';

const IMAGE = `joulediff-test:rootless-${process.pid}`;
const LACK = lackForUsers('rootlesskit', 'dockerd', 'unshare');
const title = `Docker's engine of a user without root${LACK === null ? '' : ` (skipped: no ${LACK})`}`;

/** What its own script does (dockerd-rootless.sh), but for a network: that needs /dev/net/tun, and whoever has none of it here has it elsewhere. */
const SCRIPT = 'rm -f /run/docker /run/containerd /run/xtables.lock; exec dockerd "$@"';

// The engine is real, with the rights of a user that is made for it; in a network namespace of its own it finds no bridge to take away.
(LACK === null ? describe : describe.skip)(title, () => {
  const { XDG_RUNTIME_DIR: before } = process.env;
  let user: OrdinaryUser;
  let engine: Docker;
  let daemon: ChildProcess;
  let bench: Bench;
  beforeAll(async () => {
    await testImage(IMAGE);
    user = new OrdinaryUser();
    const run = user.env.XDG_RUNTIME_DIR ?? '';
    const at = (name: string): string => join(run, name);
    const folders = ['--data-root', join(user.home, 'data'), '--exec-root', at('exec'), '--pidfile', at('pid')];
    const apart = ['--storage-driver=vfs', '--bridge=none', '--iptables=false', '--ip6tables=false'];
    const kit = ['rootlesskit', '--net=host', '--copy-up=/etc', '--copy-up=/run', `--state-dir=${at('kit')}`];
    const words = ['dockerd', '--rootless', ...folders, ...apart, '-H', `unix://${at('docker.sock')}`];
    daemon = user.start([...kit, 'sh', '-c', SCRIPT, ...words], { stdio: ['ignore', 'ignore', 'pipe'] }, [
      'unshare',
      '--net',
      '--',
    ]);
    let said = '';
    daemon.stderr?.on('data', (text) => {
      said += text;
    });
    engine = new Docker({ socketPath: at('docker.sock') });
    await eventually(async () => {
      if (daemon.exitCode !== null) throw new Error(said);
      return engine.ping().then(
        () => true,
        () => false,
      );
    });
    process.env.XDG_RUNTIME_DIR = run;
  });
  afterAll(async () => {
    if (before === undefined) delete process.env.XDG_RUNTIME_DIR;
    else process.env.XDG_RUNTIME_DIR = before;
    await user?.remove();
    await docker.getImage(IMAGE).remove();
  });
  beforeEach(() => {
    bench = new Bench();
  });
  afterEach(() => bench.close());

  it('runs the image of the usual one with that user’s rights, and has neither it nor a container afterwards', async () => {
    const shared = join(user.home, 'shared');
    mkdirSync(shared, { mode: 0o755 });
    const volumes = [`${shared}:/shared`];
    const executor = await bench.ready(container(IMAGE, {}, { engine: 'rootless', volumes }));
    const facts = await executor.setup(bench.stop.signal);
    const { Id: id } = await docker.getImage(IMAGE).inspect();
    expect(facts).toMatchObject({ image_id: id, engine: 'docker', engine_rights: 'rootless' });
    const { SecurityOptions: security = [], CgroupDriver: groups } = await engine.info();
    expect(security).toContain('name=rootless');
    // Nothing that looks at control groups can look at what it starts without any.
    expect(executor.hasGroups?.()).toBe(groups !== 'none');
    // Its root is that user, who may not write to a folder of root's.
    const run = 'id -u; touch /shared/file 2> /dev/null && echo written; exit 3';
    expect(await bench.once(container(IMAGE, { run }, { engine: 'rootless', volumes }))).toMatchObject({ exitCode: 3 });
    expect(bench.log()).toBe('0\n');
    await bench.end();
    expect(await engine.listImages()).toEqual([]);
    expect(await engine.listContainers({ all: true })).toEqual([]);
  });

  it('runs as the caller where it is asked to, who is its root', async () => {
    const own = join(user.home, 'own');
    mkdirSync(own, { mode: 0o755 });
    chownSync(own, user.uid, user.gid);
    jest.spyOn(process, 'getuid').mockReturnValue(user.uid);
    jest.spyOn(process, 'getgid').mockReturnValue(user.gid);
    const options = { engine: 'rootless', user: 'caller', volumes: [`${own}:/own`] } as const;
    try {
      await bench.once(container(IMAGE, { run: 'touch /own/file' }, options));
    } finally {
      jest.restoreAllMocks();
    }
    const { uid, gid } = statSync(join(own, 'file'));
    expect([uid, gid]).toEqual([user.uid, user.gid]);
  });

  it('is recorded where DOCKER_HOST leads to it', async () => {
    const { DOCKER_HOST: host } = process.env;
    process.env.DOCKER_HOST = `unix://${user.env.XDG_RUNTIME_DIR}/docker.sock`;
    try {
      const { facts } = await openEngine({ name: 'x', runtime: null }, bench.environment());
      expect(facts).toMatchObject({ engine: 'docker', engine_rights: 'rootless' });
      const { network } = containerKind;
      expect(network?.(container(IMAGE, {}, { network: 'host' }), facts)).toBe('host of Docker without root');
    } finally {
      if (host === undefined) delete process.env.DOCKER_HOST;
      else process.env.DOCKER_HOST = host;
    }
  });

  it('refuses a service that a client on the host would not reach', async () => {
    const unreached = container(IMAGE, { place: 'host' }, { engine: 'rootless', network: 'host' });
    await expect(bench.ready(unreached)).rejects.toThrow(/^A client on the host reaches containers of Docker's engine/);
  });

  it('refuses limits that it would not hold', async () => {
    const { CgroupDriver: groups } = await engine.info();
    const limited = bench.ready(container(IMAGE, {}, { engine: 'rootless', pids: 100 }));
    if (groups !== 'none') await limited;
    else await expect(limited).rejects.toThrow(/^Docker's engine without root \S+ can’t enforce container limits here/);
  });
});
