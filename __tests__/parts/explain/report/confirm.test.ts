// Class: unit.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { main } from '../../../../src/cli.ts';
import type { Experiment } from '../../../../src/experiment/experiment.ts';
import { readExperiment } from '../../../../src/experiment/read.ts';
import type { Explanation, Group } from '../../../../src/findings/explain.ts';
import { confirmingFile } from '../../../../src/parts/explain/report/confirm.ts';
import { explanation } from '../../../report/synthetic/observed.ts';

const FILE = `
name: redis
services:
  server: { run: [redis-server, --save, ""], ready: { tcp: 6379, within: 20s }, env: { A: b } }
workload:
  run: redis-benchmark -t set,lrange_600
  prepare: redis-cli flushall
  env: { REQUESTS: 1000 }
  timeout: 5m
metrics:
  set: { line: "SET: * requests per second", unit: requests/s }
phases: { lrange: "^LRANGE" }
variants:
  native: {}
  debian: { image: redis:7-alpine, ports: ["16379:6379"], tmpfs: [/data], memory: 512m, ulimits: { nofile: 1024 } }
baseline: native
repetitions: 12
meter: estimate
`;

/** With all that a container can be given. */
const RICH = `  debian:
    image: redis:7-alpine
    pull: never
    image-timeout: 30s
    engine: podman
    runtime: crun
    platform: linux/amd64
    entrypoint: []
    user: "1000:1000"
    network: own
    ports: ["16379:6379"]
    volumes: [/srv/data:/data:ro]
    tmpfs: ["/tmp:size=64m"]
    read-only: true
    cpuset: "0"
    cpus: 0.5
    memory: 512m
    pids: 100
    ulimits: { nofile: { soft: 512, hard: 1024 } }
    capabilities: [NET_ADMIN]
    new-privileges: true
    security: [label=disable]
`;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'joulediff-confirm-'));
});
afterEach(() => rm(folder, { recursive: true }));

const experimentOf = async (text: string): Promise<Experiment> => {
  const path = join(folder, 'joulediff.yml');
  await writeFile(path, text);
  return readExperiment(path);
};
const ledBy = (group: Group): Explanation => {
  const all = explanation();
  return { ...all, lines: [{ ...all.lines[0]!, name: group }] };
};

/**
 * Groups that real runs of a program differed in, natively and in a container of it, in seconds of a run: long packets through a bridge, small writes into
 * an overlay, calls that the engine's filter looks at. They are recorded, because observing real runs of all three takes minutes; `e2e/confirm.test.ts`
 * goes the whole way.
 */
const RECORDED: readonly (readonly [changed: string, groups: Readonly<Partial<Record<Group, [number, number]>>>])[] = [
  ['host-network', { network: [0.0326, 0.255], own: [0.018, 0.0376], scheduler: [0.004, 0.02] }],
  ['volume', { files: [0.3141, 0.4995] }],
  ['no-seccomp', { 'system-calls': [0.1439, 0.2762], own: [0.0084, 0.0248] }],
];

describe('the confirming experiment', () => {
  it.each(RECORDED)('of recorded runs is that with %s', async (changed, groups) => {
    const all = explanation();
    const lines = Object.entries(groups).map(([name, [baseline, variant]]) => ({
      ...all.lines[0]!,
      phase: null,
      name,
      baseline,
      variant,
      difference: variant - baseline,
    }));
    const text = confirmingFile({ ...all, lines: lines.reverse() }, await experimentOf(FILE)) ?? '';
    expect((await experimentOf(text)).variants.map(({ name }) => name)).toEqual(['as-it-is', changed]);
  });

  it.each([
    ['memory-copy', 'other-c-library', { image: 'redis:7' }],
    ['allocation', 'other-c-library', { image: 'redis:7' }],
    ['network', 'host-network', { network: 'host' }],
    ['files', 'volume', { volumes: ['../confirm-files:/tmp'] }],
    ['system-calls', 'no-seccomp', { security: ['seccomp=unconfined'] }],
  ] as const)('of %s changes one ingredient of the same container, and can be planned', async (group, name, changed) => {
    const text = confirmingFile(ledBy(group), await experimentOf(FILE)) ?? '';
    const file = parse(text);
    expect(Object.keys(file.variants)).toEqual(['as-it-is', name]);
    const { ports: _, ...same } = file.variants['as-it-is'];
    expect(file.variants[name]).toMatchObject(
      group === 'network' ? { ...same, ...changed } : { ...file.variants['as-it-is'], ...changed },
    );
    expect(file.baseline).toBe('as-it-is');
    expect(text).toMatch(/^# Is it the cause\?/);
    await writeFile(join(folder, 'confirm.yml'), text);
    let reported = '';
    const stream = { write: (part: string) => (reported += part) };
    const code = await main(['plan', join(folder, 'confirm.yml'), '--offline'], {
      stdout: stream,
      stderr: stream,
    });
    expect([code, reported]).toEqual([0, expect.stringContaining(name)]);
  });

  it('repeats the container and what measures it as they were, whatever the file said of them', async () => {
    const rich = FILE.replace(/ {2}debian:.*\n/, RICH)
      .replace(
        'repetitions: 12',
        'repetitions: 12\nbatch: { executions: 3, starts: true }\noutput: file\nlogs: { run: 2k }',
      )
      .replace('  timeout: 5m', '  timeout: none\n  version: redis-server --version')
      .replace(/metrics:\n.*\n/, '');
    const experiment = await experimentOf(rich);
    const again = await experimentOf(confirmingFile(ledBy('system-calls'), experiment) ?? '');
    const { variants, name, baseline, ...same } = experiment;
    expect(again).toEqual({
      ...same,
      asWritten: expect.any(String),
      name: `${name}-confirm`,
      baseline: 'as-it-is',
      variants: [
        { ...variants[1], name: 'as-it-is' },
        { ...variants[1], name: 'no-seccomp', security: ['label=disable', 'seccomp=unconfined'] },
      ],
    });
  });

  it.each([
    'tmpfs: [/tmp]',
    'volumes: [./here:/tmp]',
    'workdir: /tmp/in, volumes: [./here:/tmp/]',
  ])('moves no files that are in no layer: %s', async (mount) => {
    const text = FILE.replace('tmpfs: [/data]', mount);
    expect(confirmingFile(ledBy('files'), await experimentOf(text))).toBeNull();
  });

  it('hides no program below a folder of the host', async () => {
    const text = FILE.replace('run: redis-benchmark -t set,lrange_600', 'run: [/tmp/bin/load, "1"]');
    expect(confirmingFile(ledBy('files'), await experimentOf(text))).toBeNull();
  });

  it('asks for as many blocks as it takes to show anything', async () => {
    const text =
      confirmingFile(ledBy('memory-copy'), await experimentOf(FILE.replace('repetitions: 12', 'repetitions: 2'))) ?? '';
    expect(parse(text).repetitions).toBe(6);
  });

  it('repeats what was asked: services, phases, metrics, limits, and no value that is kept as a digest', async () => {
    const experiment = await experimentOf(FILE);
    const [native, debian] = experiment.variants;
    const secret = {
      ...debian!,
      workload: { ...debian!.workload, env: { TOKEN: 'hmac-sha256:00:11', REQUESTS: '1000' } },
    };
    const services = experiment.services?.map((of) => ({ ...of, env: { ...of.env, KEY: 'hmac-sha256:00:22' } }));
    const hidden = { ...experiment, variants: [native!, secret], ...(services && { services }) };
    const text = confirmingFile(ledBy('network'), hidden) ?? '';
    expect(parse(text)).toMatchObject({
      workload: {
        run: 'redis-benchmark -t set,lrange_600',
        prepare: 'redis-cli flushall',
        env: { TOKEN: null, REQUESTS: '1000' },
        timeout: '300s',
      },
      services: {
        server: {
          run: ['redis-server', '--save', ''],
          ready: { tcp: 6379, within: '20s' },
          env: { A: 'b', KEY: null },
        },
      },
      phases: { lrange: '^LRANGE' },
      metrics: { set: { unit: 'requests/s' } },
      variants: { 'as-it-is': { memory: 536870912, tmpfs: ['/data'] } },
      repetitions: 12,
    });
    expect(text).not.toMatch(/hmac/);
    expect(text).toMatch(
      /^# Give these variables their values again, since they were not recorded, or it is refused: TOKEN, KEY \(service server\)\.$/m,
    );
    await expect(experimentOf(text)).rejects.toThrow(
      /workload\.env\.TOKEN: nothing was given[\s\S]*server\.env\.KEY: /,
    );
    const given = await experimentOf(text.replace('TOKEN: null', 'TOKEN: x').replace('KEY: null', 'KEY: x'));
    expect(given.variants[0]?.workload.env).toMatchObject({ TOKEN: 'x' });
  });

  it('is not offered where there is no one ingredient, no container, or parts that it could not repeat', async () => {
    const experiment = await experimentOf(FILE);
    expect(confirmingFile(ledBy('own'), experiment)).toBeNull();
    expect(confirmingFile({ ...ledBy('network'), comparisons: [] }, experiment)).toBeNull();
    expect(confirmingFile({ ...ledBy('network'), lines: [] }, experiment)).toBeNull();
    const [native] = experiment.variants;
    expect(confirmingFile(ledBy('network'), { ...experiment, variants: [native!] })).toBeNull();
    const hooks = { prepare: { run: 'make', timeoutS: null } };
    expect(confirmingFile(ledBy('network'), { ...experiment, hooks })).toBeNull();
  });

  it('keeps what a record from elsewhere holds inside its comment', async () => {
    const experiment = await experimentOf(FILE);
    const debian = {
      ...experiment.variants[1]!,
      image: 'redis\nworkload: { run: evil }\n#',
    } as Experiment['variants'][number];
    const text = confirmingFile(ledBy('memory-copy'), { ...experiment, variants: [debian] }) ?? '';
    expect(parse(text).workload.run).toBe('redis-benchmark -t set,lrange_600');
    expect(text).not.toMatch(/^workload: \{ run: evil/m);
  });

  it.each([
    ['redis:7', 'redis:7-alpine'],
    ['redis', 'redis:alpine'],
    ['python:3.12-slim-bookworm', 'python:3.12-alpine'],
    ['registry.example:5000/team/python:3.12-alpine3.20', 'registry.example:5000/team/python:3.12'],
    ['node:alpine', 'node:latest'],
    ['alpine:3.20', 'debian:stable'],
    ['redis-glibc', 'redis-musl'],
  ])('takes for %s the image %s', async (image, other) => {
    const file = parse(
      confirmingFile(ledBy('memory-copy'), await experimentOf(FILE.replace('redis:7-alpine', image))) ?? '',
    );
    expect(file.variants['other-c-library'].image).toBe(other);
  });
});
