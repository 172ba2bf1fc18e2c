// Class: world.
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { stringify } from 'yaml';
import { composeEnvironment } from '../../../src/executors/compose/command.ts';
import { readStack } from '../../../src/executors/compose/read.ts';
import { runFile } from '../../../src/executors/compose/run-file.ts';
import type { ComposeVariant } from '../../../src/executors/compose/variant.ts';
import { parseExperiment } from '../../../src/experiment/read.ts';
import { Bench } from '../bench.ts';
import { composeProgram, useCompose, withCompose } from './plugin.ts';

/** Of each key that goes to the engine as it stands, a value that Compose takes. */
const CARRIED: Readonly<Record<string, unknown>> = {
  annotations: { a: 'b' },
  attach: false,
  blkio_config: { weight: 300 },
  cap_add: ['SYS_NICE', 'NET_ADMIN'],
  cap_drop: ['CHOWN'],
  cgroup: 'private',
  command: ['true'],
  cpu_period: '100000',
  cpu_quota: '50000',
  cpu_rt_period: '1000000',
  cpu_rt_runtime: '950000',
  cpu_shares: 512,
  cpus: 0.5,
  cpuset: '0',
  depends_on: { other: { condition: 'service_started', required: true } },
  devices: ['/dev/null:/dev/x'],
  dns: ['1.1.1.1'],
  dns_opt: ['ndots:1'],
  dns_search: ['a'],
  domainname: 'd',
  entrypoint: ['sh'],
  environment: { A: 'b' },
  expose: ['80'],
  extra_hosts: ['a=1.1.1.1'],
  gpus: [{ count: 1 }],
  group_add: ['1'],
  healthcheck: { test: ['CMD', 'true'] },
  hostname: 'h',
  init: true,
  ipc: 'private',
  labels: { a: 'b' },
  links: ['other'],
  mac_address: '02:42:ac:11:00:02',
  mem_limit: '104857600',
  mem_reservation: '1048576',
  mem_swappiness: '10',
  memswap_limit: '209715200',
  networks: { default: { aliases: ['q'] } },
  oom_kill_disable: true,
  oom_score_adj: 300,
  pid: 'service:other',
  pids_limit: 50,
  platform: 'linux/amd64',
  ports: [{ target: 80, host_ip: '127.0.0.1', mode: 'ingress' }],
  read_only: true,
  runtime: 'runc',
  scale: 1,
  security_opt: ['no-new-privileges:true'],
  shm_size: '1048576',
  stop_grace_period: '3s',
  stop_signal: 'SIGINT',
  storage_opt: { size: '1G' },
  sysctls: { 'net.core.somaxconn': '1024' },
  tmpfs: ['/t'],
  user: '1',
  ulimits: { nofile: 5 },
  volumes: [{ type: 'tmpfs', target: '/m' }],
  volumes_from: ['other'],
  working_dir: '/w',
};

/** What the run's file has in its place, as the documentation says, or Compose itself has taken apart by then. */
const REPLACED: Readonly<Record<string, unknown>> = {
  container_name: 'c',
  logging: { driver: 'json-file' },
  restart: 'always',
  tty: true,
  stdin_open: true,
  image: 'x',
  build: { context: '.' },
  pull_policy: 'missing',
  deploy: { replicas: 1 },
  profiles: ['p'],
  env_file: ['a.env'],
  label_file: ['a.env'],
  extends: { service: 'other' },
  develop: {},
  configs: ['c'],
  secrets: ['s'],
  network_mode: 'none',
  pull_refresh_after: 'Compose 2.40 passes over it',
};

/** By key, or key and part: a value, and what is said of it. */
const REFUSED: readonly [key: string, value: unknown, said: RegExp][] = [
  ['privileged', true, /privileged: /],
  ['pid', 'host', /pid: /],
  ['ipc', 'host', /ipc: /],
  ['ipc', 'container:x', /ipc: /],
  ['uts', 'host', /uts: /],
  ['userns_mode', 'host', /userns_mode: /],
  ['cgroup', 'host', /cgroup: /],
  ['cgroup_parent', '/system.slice', /cgroup_parent: /],
  ['network_mode', 'container:x', /network_mode: /],
  ['network_mode', 'theirs', /network_mode: /],
  ['use_api_socket', true, /use_api_socket: /],
  ['device_cgroup_rules', ['b *:* rwm'], /device_cgroup_rules: /],
  ['devices', ['/dev/kvm:/dev/kvm', '/dev/sda:/dev/null'], /devices\[1\]: \/dev\/sda: /],
  ['devices', ['/dev/dri/../sda'], /devices\[0\]: /],
  ['cap_add', ['SYS_NICE', 'SYS_ADMIN'], /cap_add\[1\]: SYS_ADMIN: /],
  ['cap_add', ['CAP_DAC_READ_SEARCH'], /cap_add\[0\]: /],
  ['cap_add', ['ALL'], /cap_add\[0\]: /],
  ['security_opt', ['systempaths=unconfined'], /security_opt\[0\]: /],
  ['security_opt', ['apparmor:unconfined'], /security_opt\[0\]: /],
  ['external_links', ['x'], /external_links: /],
  ['volumes_from', ['container:x'], /volumes_from\[0\]: /],
  ['models', ['m'], /models: /],
  ['provider', { type: 'x' }, /provider: /],
  ['credential_spec', { file: 'a.env' }, /credential_spec: it is for Windows/],
  ['isolation', 'process', /isolation: /],
  ['cpu_count', 2, /cpu_count: /],
  ['cpu_percent', 2, /cpu_percent: /],
  ['pull_policy', 'daily', /pull_policy: /],
  ['pre_stop', [{ command: 'true' }], /pre_stop: /],
  ['post_start', [{ command: 'true', privileged: true }], /post_start\[0\]\.privileged: /],
  ['environment', ['NOWHERE_SET'], /environment\.NOWHERE_SET: /],
  ['env_file', '/etc/environment', /env_file: \/etc\/environment lies outside/],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is Compose's.
  ['env_file', '${NOT_SET:-/etc/environment}', /env_file: \/etc\/environment lies outside/],
  ['label_file', '/etc/environment', /label_file: /],
  ['volumes', ['/root:/x:ro'], /volumes\[0\]: \/root lies outside/],
  ['volumes', ['/etc/shadow:/x:ro'], /volumes\[0\]: \/etc\/shadow lies outside/],
  ['volumes', ['/etc/hosts:/x'], /volumes\[0\]: /],
  ['volumes', ['./out:/x:ro'], /volumes\[0\]: .* lies outside/],
  ['volumes', [{ type: 'bind', source: '.', target: '/x', bind: { propagation: 'rshared' } }], /bind\.propagation: /],
  ['volumes', ['.:/x:z'], /bind\.selinux: /],
  ['volumes', [{ type: 'cluster', source: 'v', target: '/x' }], /volumes\[0\]: a mount of type cluster/],
  ['volumes', ['bound:/x'], /^volumes\.bound\.driver_opts: /],
  ['volumes', ['nfs:/x'], /^volumes\.nfs\.driver_opts: /],
  ['volumes', ['driven:/x'], /^volumes\.driven\.driver: /],
  ['volumes', ['theirs:/x'], /^volumes\.theirs\.external: /],
  ['networks', ['lan'], /^networks\.lan\.driver: /],
  ['networks', ['named'], /^networks\.named\.driver_opts\./],
  ['networks', ['theirs'], /^networks\.theirs\.external: /],
  ['secrets', ['shadow'], /^secrets\.shadow\.file: \/etc\/shadow lies outside/],
  ['secrets', ['theirs'], /^secrets\.theirs\.external: /],
  ['configs', ['shadow'], /^configs\.shadow\.file: /],
  ['configs', ['theirs'], /^configs\.theirs\.external: /],
  ['deploy', { mode: 'global' }, /deploy\.mode: /],
  ...['endpoint_mode', 'labels', 'placement', 'rollback_config', 'update_config'].map(
    (key): [string, unknown, RegExp] => [
      'deploy',
      {
        [key]: { endpoint_mode: 'vip', labels: ['a=b'], placement: { constraints: ['a==b'] } }[key] ?? {
          parallelism: 1,
        },
      },
      new RegExp(`deploy\\.${key}: it is for a swarm`),
    ],
  ),
  ['deploy', { resources: { reservations: { cpus: '1' } } }, /deploy\.resources\.reservations\.cpus: /],
  ['build', { context: '/' }, /build\.context: \/ lies outside/],
  ['build', { context: '.', additional_contexts: { a: '/etc' } }, /build\.additional_contexts\.a: /],
  ['build', { context: '.', cache_from: ['type=local,src=/root'] }, /build\.cache_from\[0\]: /],
  ['build', { context: '.', cache_to: ['type=local,dest=/x'] }, /build\.cache_to: /],
  ['build', { context: '.', secrets: ['s'] }, /build\.secrets: /],
  ['build', { context: '.', ssh: ['default'] }, /build\.ssh: /],
  ['build', { context: '.', privileged: true }, /build\.privileged: /],
  ['build', { context: '.', entitlements: ['security.insecure'] }, /build\.entitlements: /],
  ['build', { context: '.', isolation: 'process' }, /build\.isolation: /],
];

const SHARED = {
  volumes: {
    bound: { driver_opts: { type: 'none', o: 'bind', device: './out' } },
    nfs: { driver_opts: { type: 'nfs', o: 'addr=1.1.1.1', device: ':/x' } },
    driven: { driver: 'other' },
    theirs: { external: true },
    memory: { driver_opts: { type: 'tmpfs', device: 'tmpfs', o: 'size=1m,uid=1' } },
  },
  networks: {
    lan: { driver: 'macvlan' },
    named: { driver_opts: { 'com.docker.network.bridge.name': 'docker0' } },
    theirs: { external: true },
  },
  secrets: { s: { file: 'a.env' }, shadow: { file: '/etc/shadow' }, theirs: { external: true } },
  configs: { c: { file: 'a.env' }, shadow: { file: '/etc/shadow' }, theirs: { external: true } },
  models: { m: { model: 'x' } },
};

withCompose('every key of a Compose file (needs docker compose)', () => {
  useCompose();
  let bench: Bench;
  beforeAll(async () => {
    bench = new Bench();
    mkdirSync(bench.path('own'));
    await bench.file('own/a.env', 'A=b\n');
    await bench.file('own/Dockerfile', 'FROM scratch\n');
    symlinkSync('/root', bench.path('own/out'));
  });
  afterAll(() => bench.close());

  async function read(compose: object, service = 'client') {
    await bench.file('own/compose.yml', stringify(compose));
    const text = JSON.stringify({ workload: { run: 'true' }, variants: { a: {}, b: { compose: { service } } } });
    const { variants } = parseExperiment(text, { file: 'joulediff.yml', directory: bench.path('own') });
    const around = { env: composeEnvironment({ PATH: process.env.PATH ?? '' }), signal: bench.stop.signal };
    return readStack(variants[1] as ComposeVariant, around);
  }

  const linesOf = async (compose: object, service?: string): Promise<string[]> => {
    const thrown = await read(compose, service).then(
      () => new Error(''),
      (error: Error) => error,
    );
    return thrown.message
      .split('\n')
      .slice(1)
      .map((line) => line.trim());
  };

  it('is carried over, replaced or refused: nothing that Compose knows is passed over', () => {
    // The schema of its files is in the program.
    const program = readFileSync(composeProgram());
    const from = program.lastIndexOf('{\n  "$schema"', program.indexOf('"compose_spec.json"'));
    const text = program.toString('utf8', from, from + 200_000);
    const { definitions } = JSON.parse(text.slice(0, text.indexOf('\n}\n') + 2));
    const known = new Set([...Object.keys(CARRIED), ...Object.keys(REPLACED), ...REFUSED.map(([key]) => key)]);
    const keys = Object.keys(definitions.service.properties);
    expect(keys.length).toBeGreaterThan(80);
    expect(keys.filter((key) => !known.has(key))).toEqual([]);
    const partsOf = (key: string): string[] =>
      REFUSED.flatMap(([name, value]) => (name === key ? Object.keys(value as object) : []));
    const carried = {
      deploy: ['replicas', 'resources', 'restart_policy'],
      build:
        'args dockerfile dockerfile_inline extra_hosts labels network no_cache platforms provenance pull sbom shm_size tags target ulimits'.split(
          ' ',
        ),
    };
    const build = definitions.service.properties.build.oneOf[1].properties;
    for (const [key, properties] of Object.entries({ build, deploy: definitions.deployment.properties })) {
      const there = [...partsOf(key), ...carried[key as 'build' | 'deploy']];
      expect(Object.keys(properties as object).filter((name) => !there.includes(name))).toEqual([]);
    }
  });

  /** Every value in a service of its own, all of them needed by the one that is measured: Compose takes its time for each file. */
  const together = (all: readonly (readonly [key: string, value: unknown, ...unknown[]])[]) => {
    const own = all.map(([key, value], i) => [`s${i}`, { ...(key !== 'build' && { image: 'x' }), [key]: value }]);
    const dependsOn = own.map(([name]) => name);
    const other = { image: 'x', command: ['sleep', '9'] };
    return {
      ...SHARED,
      services: { ...Object.fromEntries(own), other, client: { image: 'x', depends_on: dependsOn } },
    };
  };

  it('reaches the run as it stands, or is refused by name', async () => {
    const all = Object.entries(CARRIED);
    const stack = await read(together(all));
    const identity = { experimentId: bench.experimentId, runId: 1, variant: 'b' };
    const limits = { memoryBytes: null, pids: null } as never;
    const { services } = JSON.parse(runFile({ stack, images: new Map(), identity, limits, workload: null }));
    for (const [i, [key]] of all.entries()) {
      const expected = (stack.model.services[`s${i}`] as Readonly<Record<string, unknown>>)[key];
      expect({ key, missing: expected === undefined }).toEqual({ key, missing: false });
      const own = key === 'labels' || key === 'environment';
      expect({ [key]: services[`s${i}`][key] }).toEqual({
        [key]: own ? expect.objectContaining(expected as object) : expected,
      });
    }
    const lines = await linesOf(together(REFUSED));
    for (const [i, [key, value, said]] of REFUSED.entries()) {
      const own = lines.map((line) => line.replace(`services.s${i}.`, ''));
      const matching = own.filter((line) => said.test(line) && !line.startsWith('services.'));
      expect({ key, value, matching }).toEqual({ key, value, matching: [expect.any(String)] });
    }
    expect(lines).toHaveLength(REFUSED.length);
  });

  it('is refused of the workload where only its start by Compose would heed it', async () => {
    const of = (more: object) => ({ services: { client: { image: 'x', ...more } } });
    expect(await linesOf(of({ post_start: [{ command: 'true' }] }))).toEqual([expect.stringMatching(/\.post_start: /)]);
    expect(await linesOf(of({ scale: 2 }))).toEqual([expect.stringMatching(/\.scale: /)]);
    expect(await linesOf(of({ deploy: { replicas: 2 } }))).toEqual([expect.stringMatching(/\.deploy\.replicas: /)]);
  });

  it.each([
    ['content', { content: 'hello' }],
    ['environment', { environment: 'HOME' }],
  ])('a config with %s is for the services beside the workload, which Compose starts itself', async (key, config) => {
    const compose = (of: string) => ({
      services: {
        client: { image: 'x', depends_on: ['other'], ...(of === 'client' && { configs: ['own'] }) },
        other: { image: 'x', ...(of === 'other' && { configs: ['own'] }) },
      },
      configs: { own: config },
    });
    expect(await linesOf(compose('other'))).toEqual([]);
    expect(await linesOf(compose('client'))).toEqual([
      expect.stringContaining(`configs.own.${key}: Compose writes it`),
    ]);
  });

  it('may change the network of this machine neither alone nor together', async () => {
    const host = (cap_add: string[]) => ({ services: { client: { image: 'x', network_mode: 'host', cap_add } } });
    expect(await linesOf(host(['NET_RAW']))).toEqual([]);
    expect(await linesOf(host(['NET_ADMIN']))).toEqual([expect.stringContaining('cap_add: NET_ADMIN with')]);
  });

  it('mounts what every image has of this machine, and volumes in memory', async () => {
    const client = { image: 'x', volumes: ['/etc/hosts:/a:ro', 'memory:/m', './a.env:/b'] };
    expect(await linesOf({ ...SHARED, services: { client } })).toEqual([]);
  });

  it.each<[string, object, RegExp]>([
    ['include', { include: ['/etc/hosts'] }, /^include: \/etc\/hosts lies outside/],
    [
      'include.env_file',
      { include: [{ path: 'last.yml', env_file: '/etc/environment' }] },
      /^include: .*environment lies outside/,
    ],
    ['include of an included file', { include: ['more.yml'] }, /^include: \/etc\/passwd lies outside/],
    ['include from elsewhere', { include: ['oci://example.org/x'] }, /^include: .* is no path/],
    ['extends.file', { services: { q: { extends: { file: '/etc/hosts', service: 'q' } } } }, /extends\.file: /],
  ])('%s reads nothing from outside', async (_, more, said) => {
    await bench.file('own/more.yml', stringify({ include: ['/etc/passwd'] }));
    const services = { client: { image: 'x' }, ...(more as { services?: object }).services };
    expect(await linesOf({ ...more, services })).toEqual([expect.stringMatching(said)]);
  });

  it('nor does .env beside the file', async () => {
    symlinkSync('/etc/environment', bench.path('own/.env'));
    expect(await linesOf({ services: { client: { image: 'x' } } })).toEqual([expect.stringMatching(/^\.env: /)]);
  });
});
