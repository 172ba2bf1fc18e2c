// Class: world, compose, long.
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type Docker from 'dockerode';
import { stringify } from 'yaml';
import { fairness } from '../../../src/analysis/fairness.ts';
import type { Execution } from '../../../src/contracts/execution.ts';
import type { ObservedGroup } from '../../../src/contracts/observation.ts';
import type { PlaceFacts } from '../../../src/contracts/variant.ts';
import { Stopped } from '../../../src/errors.ts';
import { composeEnvironment } from '../../../src/executors/compose/command.ts';
import { digestOfHidden, readStack } from '../../../src/executors/compose/read.ts';
import type { ComposeVariant } from '../../../src/executors/compose/variant.ts';
import { workloadEnvironment } from '../../../src/executors/environment.ts';
import type { PreparedRun } from '../../../src/executors/executor.ts';
import { observedGroup } from '../../../src/executors/leftovers/observed-groups.ts';
import { foreseePlace } from '../../../src/executors/registry.ts';
import type { ServiceError } from '../../../src/executors/services/failures.ts';
import { parseExperiment } from '../../../src/experiment/read.ts';
import type { Counted, Counter } from '../../../src/findings/resources.ts';
import { setUpPlaces } from '../../../src/measure/places.ts';
import type { SeenPlace, VariantRecord } from '../../../src/store/records.ts';
import { Bench, docker, eventually, testImage } from '../bench.ts';
import { useCompose, withCompose } from './plugin.ts';

const IMAGE = `joulediff-test/compose-${process.pid}`;

let bench: Bench;
beforeAll(async () => {
  bench = new Bench();
  await testImage(IMAGE, ['RUN ["/bin/busybox", "mkdir", "/tmp"]', 'CMD ["echo", "from the image"]']);
});
afterAll(async () => {
  await bench.close();
  await docker.getImage(IMAGE).remove({ force: true });
});

interface Ran {
  readonly execution: Execution | null;
  readonly thrown: (Error & Partial<Pick<ServiceError, 'problem' | 'advice'>>) | null;
  readonly services: PreparedRun['services'];
  readonly facts: PlaceFacts;
  readonly printed: string;
  readonly serviceLog: string;
  /** What was counted, by name. */
  readonly used: Readonly<Partial<Record<Counter, Counted>>>;
  readonly notes: readonly string[];
}

interface Given {
  readonly compose: object;
  readonly variant?: object;
  readonly native?: object;
  readonly file?: object;
  readonly during?: (run: PreparedRun) => Promise<void>;
  readonly recorded?: PlaceFacts;
  readonly signal?: AbortSignal;
  readonly observed?: ObservedGroup;
}

/** Everything that carries the label of the bench's experiment. */
async function leftOver(): Promise<string[]> {
  const filters = { label: [`joulediff.experiment=${bench.experimentId}`] };
  const [containers, networks, { Volumes: volumes }] = await Promise.all([
    docker.listContainers({ all: true, filters }),
    docker.listNetworks({ filters }),
    docker.listVolumes({ filters }),
  ]);
  return [...containers.map(({ Id }) => Id), ...networks.map(({ Name }) => Name), ...volumes.map(({ Name }) => Name)];
}

async function experimentOf({ compose, variant = {}, native = {}, file = {} }: Given) {
  await bench.file('compose.yml', stringify(compose));
  const text = JSON.stringify({
    rest: 0,
    guard: 0,
    workload: { run: 'true' },
    ...file,
    variants: { native, stack: { compose: { service: 'client' }, ...variant } },
  });
  return parseExperiment(text, { file: 'joulediff.yml', directory: bench.folder });
}

const foreseen = async (given: Given) => {
  const { variants } = await experimentOf(given);
  return foreseePlace(variants[1] as (typeof variants)[number]);
};

let runs = 0;

/** One run of the variant, from its services' start to their end. */
async function runOnce(given: Given): Promise<Ran> {
  const { signal = bench.stop.signal } = given;
  const experiment = await experimentOf(given);
  const notes: string[] = [];
  const note = (line: string): void => void notes.push(line);
  const logFile = bench.path(`${++runs}.log`);
  let execution: Execution | null = null;
  let run: PreparedRun | null = null;
  let thrown: Ran['thrown'] = null;
  let facts: PlaceFacts = {};
  let used: Ran['used'] = {};
  try {
    await using places = await setUpPlaces(bench.experimentId, {
      experiment: { ...experiment, variants: experiment.variants.filter(({ name }) => name === 'stack') },
      progress: { note, warn: note, status() {}, end() {} },
      folder: bench.folder,
      recorded: given.recorded === undefined ? null : new Map([['stack', given.recorded]]),
      signal,
    });
    facts = places.facts.get('stack') ?? {};
    run =
      (await places.executors
        .get('stack')
        ?.prepare({ ...bench.context(), logFile, signal, observed: given.observed })) ?? null;
    if (run === null) throw new Error('no such variant');
    try {
      await given.during?.(run);
      execution = await run.execute({ onEdge() {} });
      const { counters = [] } = (await run.telemetry?.())?.usage ?? {};
      used = Object.fromEntries(counters.map((one) => [one.counter, one]));
    } finally {
      await run.dispose();
    }
  } catch (error) {
    thrown = error as Ran['thrown'];
  }
  const read = (path: string): string => (existsSync(path) ? readFileSync(path, 'utf8') : '');
  const serviceLog = read(logFile.replace(/\.log$/, '.compose.yml.log'));
  return {
    execution,
    thrown,
    services: run?.services ?? [],
    facts,
    printed: read(logFile),
    serviceLog,
    used,
    notes,
  };
}

const containersOf = async (name: string) =>
  (await bench.containers()).filter(({ Labels: labels }) => labels['com.docker.compose.service'] === name);

const service = (command: string, more: object = {}) => ({
  image: IMAGE,
  command: ['sh', '-c', command],
  // The first process of a container ignores other signals.
  stop_signal: 'SIGKILL',
  ...more,
});
const client = (more: object = {}) => service('echo the own command', more);

/** Whether this machine's groups can be looked at. */
function canBeObserved(): boolean {
  using made = observedGroup();
  return made.group !== null;
}
const itObserved = canBeObserved() ? it : it.skip;

withCompose('the workload in a container of a Compose project', () => {
  useCompose();

  itObserved('is in the group that is looked at, with its services', async (): Promise<void> => {
    using made = observedGroup();
    const { group } = made;
    if (group === null) throw new Error('no group could be made');
    const groups = (): string[] =>
      readdirSync(group.inside.folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => name);
    const ran = await runOnce({
      compose: { services: { client: client({ depends_on: ['web'] }), web: service('exec sleep 1000') } },
      observed: group,
      async during() {
        const [web] = await containersOf('web');
        expect(groups().filter((name) => name.includes(web?.Id ?? 'none'))).toHaveLength(1);
        const { CgroupParent: parent } = (
          await docker.getContainer((await containersOf('client'))[0]?.Id ?? '').inspect()
        ).HostConfig;
        expect(parent).toContain(group.name);
      },
    });
    expect(ran).toMatchObject({ thrown: null, execution: { exitCode: 0 } });
  });

  it('finds what its service depends on, healthy; nothing of it is left', async () => {
    const ran = await runOnce({
      compose: {
        services: {
          setup: service('echo filled > /data/file', { volumes: ['data:/data'] }),
          web: service(`echo listening; echo 'a $$page' > /tmp/index.html; exec httpd -f -p 8080 -h /tmp`, {
            container_name: 'joulediff-compose-web',
            depends_on: { setup: { condition: 'service_completed_successfully' } },
            healthcheck: { test: ['CMD', 'wget', '-q', '-O', '-', 'http://localhost:8080'], interval: '0.1s' },
          }),
          client: client({
            depends_on: { web: { condition: 'service_healthy' } },
            volumes: ['data:/data'],
            restart: 'always',
            environment: { GREETING: 'hello' },
          }),
          other: service('exit 1'),
        },
        volumes: { data: null },
      },
      file: {
        workload: {
          run: 'cat /data/file; wget -q -O - http://joulediff-compose-web:8080; echo "$GREETING $PRICE $JOULEDIFF_STAGE"',
          env: { PRICE: '5 $HOME' },
        },
      },
    });
    expect(ran.thrown).toBeNull();
    expect(ran.printed).toBe('filled\na $page\nhello 5 $HOME run\n');
    expect(ran.execution).toMatchObject({ exitCode: 0, limit: null });
    // That of the project's containers, beside the command's own; what ended before the window isn't asked.
    expect(ran.used.services_cpu_s?.value).toBeGreaterThanOrEqual(0);
    for (const counter of ['services_peak_memory_bytes', 'services_received_bytes', 'services_sent_bytes'] as const) {
      const { value = null, missing = 'gone' } = ran.used[counter] ?? {};
      if (value === null) expect({ counter, missing }).toEqual({ counter, missing: 'not-allowed' });
      // A page, and the question for it.
      else expect(value).toBeGreaterThan(100);
    }
    expect(ran.serviceLog).toContain('listening');
    expect(ran.services).toEqual([expect.objectContaining({ service: 'compose.yml', ended: 'stopped' })]);
    expect(ran.facts).toMatchObject({
      compose_digest: expect.stringMatching(/^sha256:/),
      web_image: IMAGE,
      client_image_id: expect.stringMatching(/^sha256:/),
    });
    expect(await leftOver()).toEqual([]);
  });

  it.each([
    ['', {}],
    [', also where its root file system is read-only', { read_only: true, volumes: ['kept:/tmp'] }],
  ])('runs prepare and cleanup in the same container%s', async (_, more) => {
    const ran = await runOnce({
      compose: { services: { client: client({ working_dir: '/tmp', ...more }) }, volumes: { kept: null } },
      file: { workload: { prepare: 'echo 1 > n', run: 'cat n', cleanup: 'echo cleaned' } },
    });
    expect(ran.thrown).toBeNull();
    expect(ran.printed).toBe('1\ncleaned\n');
    expect(await leftOver()).toEqual([]);
  });

  it('gives a list to the entry point of its service, and puts a shell in its place for a string', async () => {
    const compose = { services: { client: client({ entrypoint: ['echo', 'entry'] }) } };
    const reported = await runOnce({ compose, file: { workload: { run: ['a', '$HOME'] } } });
    expect(reported.printed).toBe('entry a $HOME\n');
    const repeated = await runOnce({ compose, file: { workload: { prepare: 'echo 1', run: ['b'] } } });
    expect(repeated.printed).toBe('1\nentry b\n');
    const shell = await runOnce({ compose, file: { workload: { run: 'echo $((1 + 1))' } } });
    expect(shell.printed).toBe('2\n');
  });

  it('runs the own command of its service where none is given, and its exit code counts', async () => {
    const native = { run: 'true' };
    const own = { native, file: { workload: { env: { MORE: '$5' } } } };
    const web = service('exec httpd -f -p 8080 -h /tmp');
    const command = 'echo "own $$GREETING $$MORE"; wget -q -O - http://web:8080/none || exit 7';
    const client = service(command, {
      depends_on: ['web'],
      environment: { GREETING: 'hello' },
      restart: 'always',
      ports: ['9'],
      healthcheck: { test: ['CMD', 'true'], interval: '0.1s' },
    });
    let made: Docker.ContainerInspectInfo | undefined;
    const ran = await runOnce({
      ...own,
      compose: { services: { web, client } },
      async during() {
        const filters = { label: ['com.docker.compose.service=client', `joulediff.experiment=${bench.experimentId}`] };
        const [found] = await docker.listContainers({ all: true, filters });
        made = await docker.getContainer(found?.Id ?? '').inspect();
      },
    });
    expect(ran.thrown).toBeNull();
    expect(ran.execution).toMatchObject({ exitCode: 7, limit: null });
    // Two pipes: which of them the engine reads first is left to it.
    expect(ran.printed).toMatch(/^own hello \$5$/m);
    // As it is in the file.
    expect(made?.HostConfig.PortBindings).toEqual({ '9/tcp': [{ HostIp: '127.0.0.1', HostPort: '' }] });
    expect(made?.Config.Healthcheck?.Test).toEqual(['CMD', 'true']);
    expect(ran.facts).toMatchObject({ compose_hidden_digest: expect.stringMatching(/^hmac-sha256:/) });
    const changed = {
      ...own,
      recorded: ran.facts,
      compose: { services: { web, client: { ...client, command: 'true' } } },
    };
    expect((await runOnce(changed)).thrown?.message).toMatch(/has changed since the experiment began\.$/);
    expect(await leftOver()).toEqual([]);
  });

  it('finds the own command in the image, and behind an entry point', async () => {
    const native = { run: 'true' };
    const image = await runOnce({
      compose: { services: { client: { image: IMAGE } } },
      native,
      file: { workload: {} },
    });
    expect(image.printed).toBe('from the image\n');
    const entry = { image: IMAGE, entrypoint: ['echo', '$$HOME'] };
    const workload = { prepare: 'echo prepared' };
    const bare = await runOnce({ compose: { services: { client: entry } }, native, file: { workload } });
    expect(bare.printed).toBe('prepared\n$HOME\n');
    const compose = { services: { client: { ...entry, command: ['$$5'] } } };
    const both = await runOnce({ compose, native, file: { workload } });
    expect(both.printed).toBe('prepared\n$HOME $5\n');
    await expect(foreseen({ compose, native, file: { workload } })).resolves.toMatchObject({
      text: 'compose.yml starts nothing for every run; client runs its own command',
    });
  });

  it('goes on with the images that an experiment was begun with, and with no other project', async () => {
    const compose = { services: { client: client() } };
    const { facts } = await runOnce({ compose });
    const again = await runOnce({ compose, recorded: facts });
    expect(again).toMatchObject({ thrown: null, facts });
    const changed = await runOnce({ compose: { services: { client: client({ cpus: 0.5 }) } }, recorded: facts });
    const web = (command: string) => ({
      services: {
        web: service(command),
        client: client({ depends_on: ['web'] }),
        theirs: service('true', { profiles: ['more'], networks: ['out'] }),
      },
      networks: { out: { external: true } },
    });
    const begun = await runOnce({ compose: web('sleep 600') });
    expect(begun.thrown).toBeNull();
    const other = await runOnce({ compose: web('sleep 601'), recorded: begun.facts });
    expect(other.thrown?.message).toMatch(/has changed since the experiment began\.$/);
    expect(changed.thrown).toMatchObject({
      exitCode: 3,
      message: expect.stringMatching(/has changed since the experiment began\.$/),
    });
  });

  it('has one digest in every checkout of its revision', async () => {
    const digests: string[] = [];
    const hidden: string[] = [];
    const [, variant] = (await experimentOf({ compose: { services: { client: client() } } })).variants;
    for (const folder of ['one', 'another', 'changed']) {
      const data = folder === 'changed' ? '/other' : '/data';
      const mounts = { volumes: [`./data:${data}`, 'data:/more'], secrets: ['own'], configs: ['own'] };
      const own = { own: { file: './data/own' } };
      const services = { client: client({ ...mounts, build: { context: '.' } }) };
      await bench.file(`${folder}/data/own`, 'own');
      const written = stringify({ services, volumes: { data: null }, secrets: own, configs: own });
      const file = await bench.file(`${folder}/compose.yml`, written);
      const moved = { ...(variant as ComposeVariant), file, root: bench.path(folder) };
      const env = composeEnvironment(process.env as Record<string, string>);
      digests.push((await readStack(moved, { env, signal: bench.stop.signal })).digest);
      // Compose reads the variable in the file as the folder that it is asked in.
      await bench.file(
        `${folder}/compose.yml`,
        stringify({ services: { client: client({ working_dir: '$PWD/in' }) } }),
      );
      const { inherited } = workloadEnvironment({ ...process.env, PWD: '/usr' });
      const asked = { env: composeEnvironment(inherited), signal: bench.stop.signal };
      expect((await readStack(moved, asked)).model.services).toMatchObject({
        client: { working_dir: bench.path(`${folder}/in`) },
      });
      const inside = { environment: { IN: '$PWD/in', AT: folder === 'changed' ? 'b' : 'a' } };
      await bench.file(`${folder}/compose.yml`, stringify({ services: { client: client(inside) } }));
      hidden.push(digestOfHidden(await readStack(moved, asked), moved, 'x'));
    }
    expect(hidden[0]).toBe(hidden[1]);
    expect(hidden[2]).not.toBe(hidden[0]);
    expect(digests[0]).toBe(digests[1]);
    expect(digests[2]).not.toBe(digests[0]);
  });

  it('leaves nothing when it is stopped while its services start', async () => {
    const stopping = new AbortController();
    const slow = { test: ['CMD-SHELL', 'exit 1'], interval: '1s', start_period: '100s' };
    const ran = runOnce({
      compose: {
        services: {
          db: service('sleep 1000', { healthcheck: slow, volumes: ['data:/data'] }),
          client: client({ depends_on: { db: { condition: 'service_healthy' } } }),
        },
        volumes: { data: null },
      },
      signal: stopping.signal,
    });
    await eventually(async () => (await bench.containers()).some(({ State }) => State === 'running'));
    stopping.abort(new Stopped('SIGTERM'));
    expect((await ran).thrown).toBe(stopping.signal.reason);
    expect(await leftOver()).toEqual([]);
    expect(bench.hasProcesses()).toBe(false);
  });

  it('is told where the one service is that the experiment names, and a folder that is none is refused', async () => {
    const compose = { services: { web: service('sleep 1000'), client: client({ depends_on: ['web'] }) } };
    const services = { web: { run: 'true', ready: { command: 'true' } } };
    const ran = await runOnce({ compose, file: { services, workload: { run: 'echo $JOULEDIFF_SERVICE_HOST' } } });
    expect(ran.printed).toBe('web\n');
    const { thrown } = await runOnce({ compose, file: { workload: { run: 'true', workdir: 'here' } } });
    expect(thrown?.message).toBe(
      'The working directory of variant "stack" is "here"; in a container of client it must start with "/".',
    );
    const other = await runOnce({ compose, file: { services: { server: services.web } } });
    expect(other.thrown?.message).toBe(
      'The service "server" is not among those that compose.yml starts in variant "stack": web.',
    );
    expect(await leftOver()).toEqual([]);
  });

  it('leaves no volume that has no name, whoever removes the container that it was made for', async () => {
    const declaring = `${IMAGE}-declaring`;
    await testImage(declaring, ['RUN ["/bin/busybox", "mkdir", "/tmp"]', 'VOLUME /tmp', 'VOLUME /over']);
    try {
      const names: string[] = [];
      const ran = await runOnce({
        compose: {
          services: {
            db: service('ls /tmp > /own/listed; sleep 1000', {
              image: declaring,
              volumes: ['/own', 'data:/over'],
            }),
            client: client({ depends_on: ['db'], image: declaring, tmpfs: '/over' }),
          },
          volumes: { data: null },
        },
        file: { workload: { run: 'sleep 1000' } },
        async during() {
          const [db] = await containersOf('db');
          expect(db?.Mounts.map(({ Destination: target }) => target).toSorted()).toEqual(['/over', '/own', '/tmp']);
          for (const { Id: id, Mounts: mounts } of [...(await containersOf('client')), ...(await containersOf('db'))]) {
            for (const { Name: name } of mounts) if (name) names.push(name);
            await docker.getContainer(id).remove({ force: true });
          }
        },
      });
      expect(ran.thrown).not.toBeNull();
      expect(names).toHaveLength(4);
      const { Volumes: all } = await docker.listVolumes();
      expect(all.map(({ Name: name }) => name).filter((name) => names.includes(name))).toEqual([]);
      expect(await leftOver()).toEqual([]);
    } finally {
      await docker.getImage(declaring).remove({ force: true });
    }
  });

  it('tells which service of the project ended while it was needed', async () => {
    await bench.file('shared/empty', '');
    const ran = await runOnce({
      compose: {
        services: {
          db: service('until [ -e /tmp/go ]; do sleep 0.05; done; echo out of luck; exit 3', {
            volumes: ['./shared:/tmp'],
          }),
          client: client({ depends_on: ['db'], volumes: ['./shared:/tmp'] }),
        },
      },
      file: { workload: { run: 'touch /tmp/go; sleep 100' } },
    });
    expect(ran.thrown).toMatchObject({ problem: 'service-died' });
    expect(ran.thrown?.message).toMatch(
      /^The service "db" ended with exit code 3 while it was needed\.\nIts last output:\n {2}out of luck$/,
    );
    expect(ran.services).toEqual([expect.objectContaining({ ended: 'died' })]);
    expect(await leftOver()).toEqual([]);
  });

  it('tells at once of a service that ended while its ready was waited for', async () => {
    const ran = await runOnce({
      compose: {
        services: {
          db: service('until [ -e /tmp/asked ]; do sleep 0.05; done; exit 3'),
          client: client({ depends_on: ['db'] }),
        },
      },
      file: { services: { db: { run: 'true', ready: { command: 'touch /tmp/asked; false', within: '100s' } } } },
    });
    expect(ran.thrown?.message).toBe('The service "db" ended with exit code 3 while it was needed.');
    expect(await leftOver()).toEqual([]);
  });

  it.each([
    [
      'ends with an error',
      service('echo no; exit 4'),
      'service-died',
      /^The service "db" ended with exit code 4 (?:before it was ready|while it was needed)\.\nIts last output:\n {2}no$/,
    ],
    [
      'ends although nothing waits for its end',
      service('exit 0'),
      'service-died',
      /^The service "db" ended with exit code 0 (?:before it was ready|while it was needed)\.$/,
    ],
    [
      'never becomes healthy',
      service('sleep 100', {
        healthcheck: { test: ['CMD-SHELL', 'echo not yet; exit 1'], interval: '0.1s', retries: 1 },
      }),
      'service-not-ready',
      /^The service "db" was not ready within 100 s: its health check fails, which says "not yet"\.$/,
    ],
    [
      'takes too long to become healthy',
      service('sleep 100', { healthcheck: { test: ['CMD-SHELL', 'exit 1'], interval: '0.1s', start_period: '60s' } }),
      'service-not-ready',
      /^The service "db" was not ready within 3 s/,
      '3s',
    ],
  ])('tells of a service that %s, and leaves nothing', async (_, db, problem, message, within = '100s') => {
    const ran = await runOnce({
      compose: { services: { db, client: client({ depends_on: ['db'] }) } },
      variant: { compose: { service: 'client', within } },
    });
    expect(ran.thrown?.message).toMatch(message);
    expect(ran.thrown).toMatchObject({ problem });
    expect(await leftOver()).toEqual([]);
  });

  it('tells why Compose could not start a service, and not that it was slow', async () => {
    const db = service('', { command: ['no-such-program'] });
    const checked = service('sleep 100', { healthcheck: { test: ['CMD', 'false'], start_period: '60s' } });
    const { thrown } = await runOnce({
      compose: { services: { checked, db, client: client({ depends_on: ['checked', 'db'] }) } },
    });
    expect(thrown?.message).toMatch(
      /^The Compose project of variant "stack" could not be started: .*no-such-program.*executable file not found/,
    );
    expect(await leftOver()).toEqual([]);
  });
});

withCompose('a Compose project with its client on the host', () => {
  useCompose();

  it('is reached by its published port, which nobody else can reach, and is asked by ready', async () => {
    const port = await freePort();
    const ran = await runOnce({
      compose: {
        services: {
          web: service('cat /proc/self/oom_score_adj > /tmp/index.html; exec httpd -f -p 80 -h /tmp', {
            ports: [`${port}:80`],
          }),
          worker: service('sleep 1000'),
          load: service('exit 1', { profiles: ['load'] }),
        },
      },
      variant: { compose: { file: 'compose.yml' } },
      file: {
        workload: { run: `busybox wget -q -O - http://127.0.0.1:${port}/`, place: 'host' },
        services: { web: { run: 'true', ready: { http: `http://localhost:${port}/` } } },
      },
      async during() {
        const all = await docker.listContainers({ filters: { label: [`joulediff.experiment=${bench.experimentId}`] } });
        expect(all.map(({ Labels }) => Labels['com.docker.compose.service']).sort()).toEqual(['web', 'worker']);
        expect(all.flatMap(({ Ports }) => Ports).filter(({ PublicPort }) => PublicPort)).toMatchObject([
          { IP: '127.0.0.1', PublicPort: port },
        ]);
      },
    });
    expect(ran.thrown).toBeNull();
    expect(ran.printed).toBe('500\n');
    expect(ran.services).toMatchObject([{ service: 'compose.yml', ended: 'stopped' }, { service: 'web' }]);
    expect(await leftOver()).toEqual([]);
  });

  it('is looked around in, service by service, and what two projects differ in is named', async () => {
    const port = await freePort();
    mkdirSync(bench.path('logs'), { recursive: true });
    const db = {
      command: ['busybox', 'sleep', '9'],
      environment: { SECRET_OF_DB: 'hidden', GOGC: '1' },
      cap_add: ['SYS_NICE'],
    };
    await bench.file('first.yml', stringify({ services: { db: service('', db), web: service('sleep 9') } }));
    await bench.file(
      'second.yml',
      stringify({
        services: {
          db: service('', { ...db, user: '7', environment: { SECRET_OF_DB: 'other' }, ports: [`${port}:80`] }),
          cache: service('sleep 9', { network_mode: 'host' }),
        },
      }),
    );
    const text = JSON.stringify({
      rest: 0,
      guard: 0,
      workload: { run: 'true', place: 'host' },
      variants: { first: { compose: { file: 'first.yml' } }, second: { compose: { file: 'second.yml' } } },
    });
    const experiment = await parseExperiment(text, { file: 'joulediff.yml', directory: bench.folder });
    const { experimentId, folder, stop } = bench;
    const notes: string[] = [];
    const progress = { note: (line: string) => void notes.push(line), warn() {}, status() {}, end() {} };
    const seen = await (async () => {
      await using places = await setUpPlaces(experimentId, {
        experiment,
        progress,
        folder,
        recorded: null,
        signal: stop.signal,
      });
      return places.surroundings;
    })();
    expect(notes.filter((line) => line.includes('could not be seen'))).toEqual([]);
    expect(await leftOver()).toEqual([]);
    const records = experiment.variants.map((definition, i): VariantRecord => {
      const { name, kind } = definition;
      const place = seen.get(name) as SeenPlace;
      return { name, position: i + 1, kind, definition, facts: {}, revision: null, hidden: false, ...place };
    });
    const found = fairness(records, [{ baseline: 'first', variant: 'second' }], 2 ** 34);
    expect(found?.unseen.map(({ variant, reason }) => [variant, reason])).toEqual([
      ['first', 'no-place'],
      ['second', 'no-place'],
    ]);
    const reported = found?.pairs[0]?.differences.map(({ service, aspect, of, baseline, variant }) =>
      [service ?? '', aspect, of ?? '', baseline, variant].join(' '),
    );
    expect(reported).toEqual(
      expect.arrayContaining([
        'db environment GOGC set ',
        'db environment SECRET_OF_DB other value other value',
        'db user  0 7',
        expect.stringMatching(/^db network {2}bridge of the project bridge of the project, published ports(, |$)/),
        ' service web there ',
        ' service cache  there',
      ]),
    );
    expect(JSON.stringify([...seen.values()])).not.toContain('hidden');
  });

  it('is not started where somebody else listens on its port', async () => {
    const taken = createServer();
    await new Promise<void>((done) => taken.listen(0, '127.0.0.1', done));
    const { port } = taken.address() as AddressInfo;
    const given = {
      compose: { services: { web: service('sleep 100', { ports: [`${port}:80`] }) } },
      variant: { compose: {} },
      file: { workload: { run: 'true', place: 'host' } },
    };
    const { thrown } = await runOnce(given);
    expect(thrown).toMatchObject({ problem: 'port-taken' });
    expect(thrown?.message).toMatch(
      new RegExp(`^The service "web" was not started: port ${port} is taken already: .*process ${process.pid}`),
    );
    await expect(foreseen(given)).rejects.toThrow(/is taken already/);
    await new Promise((done) => taken.close(done));
    expect(await leftOver()).toEqual([]);
  });
});

withCompose('a plan of a Compose project', () => {
  useCompose();

  it('says what starts where, and in which order', async () => {
    const found = await foreseen({
      compose: {
        services: {
          db: service('sleep 100'),
          cache: service('sleep 100'),
          web: service('sleep 100', { depends_on: ['db', 'cache'], ports: ['127.0.0.1:18099:80'] }),
          client: client({ depends_on: ['web'], image: 'joulediff-test/not-there', profiles: ['load'] }),
        },
      },
    });
    expect(found).toEqual({
      state: 'warn',
      text: "compose.yml starts cache and db, then web (localhost:18099) for every run; the command runs in a container of client; the images joulediff-test/not-there aren't on this machine and will be pulled",
    });
    expect(await leftOver()).toEqual([]);
  });

  it('judges no file that the checkout of a revision brings', async () => {
    const [, variant] = (await experimentOf({ compose: { services: {} } })).variants;
    const older = { ...(variant as ComposeVariant), revision: { name: 'v1', commit: null } };
    await expect(foreseePlace(older)).resolves.toEqual({
      state: 'ok',
      text: 'compose.yml is read when revision v1 is checked out',
    });
  });

  it('refuses by name, and all at once, what a measurement can not honor', async () => {
    await bench.file('secret', 'nothing');
    const more = {
      privileged: true,
      pid: 'host',
      networks: ['own'],
      volumes: [
        'own:/own',
        '/etc:/host:ro',
        '/var/run/docker.sock:/docker.sock:ro',
        './nowhere:/nowhere',
        '/etc/hosts:/a:ro',
      ],
      build: { context: '.', secrets: ['own'] },
      deploy: { placement: { constraints: ['node.role==manager'] }, replicas: 2 },
      env_file: '/etc/environment',
      environment: ['UNSET_HERE'],
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is Compose's.
      labels: { a: '${UNSET_TOO:-}', b: '$${NOT_ONE}', c: '${UNSET_HERE}', d: '${SET_HERE}' },
    };
    await bench.file('.env', 'SET_HERE=yes');
    const thrown: Error = await foreseen({
      compose: {
        services: { client: client(more), other: client({ privileged: true }) },
        networks: { own: { external: true } },
        volumes: { own: { external: true } },
        secrets: { own: { file: 'secret' } },
      },
    }).then(
      () => new Error('it was not refused'),
      (error) => error,
    );
    const [first, ...lines] = thrown.message.split('\n');
    expect(thrown).toMatchObject({ exitCode: 2 });
    expect(first).toBe('compose.yml of variant "stack" can\'t be used as it is:');
    expect(lines.map((line) => line.replace(/: .*/, '').trim())).toEqual([
      // In the order in which Compose tells its keys.
      'services.client.build.secrets',
      'services.client.environment.UNSET_HERE',
      'services.client.volumes[1]',
      'services.client.volumes[2]',
      'services.client.volumes[3]',
      'services.client.pid',
      'services.client.deploy.replicas',
      'services.client.deploy.placement',
      'services.client.privileged',
      'networks.own.external',
      'volumes.own.external',
      'services.client.env_file',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is Compose's.
      '${UNSET_HERE}',
    ]);
  });

  const wrong: [string, object, object, string][] = [
    [
      'a service that is not there',
      { service: 'server' },
      { client: client() },
      'compose.yml of variant "stack" has no service "server"; it has client.',
    ],
    [
      'a profile that is not there',
      { service: 'client', profiles: ['lod'] },
      { client: client({ profiles: ['load'] }) },
      'compose.yml of variant "stack" has no profile "lod"; it has load.',
    ],
    [
      'no service for a command in the project',
      {},
      { client: client() },
      'Variant "stack" does not say where in compose.yml its command runs: compose.service is missing.',
    ],
    [
      'a dependency whose profile is not given',
      { service: 'client' },
      { client: client({ depends_on: ['db'] }), db: service('sleep 9', { profiles: ['data'] }) },
      'Service "client" of compose.yml needs "db", whose profile is not among those of variant "stack".',
    ],
  ];
  it.each(wrong)('refuses %s', async (_, compose, services, message) => {
    await expect(foreseen({ compose: { services }, variant: { compose } })).rejects.toThrow(message);
  });

  it('passes on what Compose itself refuses: services that need each other', async () => {
    const services = { client: client({ depends_on: ['db'] }), db: service('sleep 9', { depends_on: ['client'] }) };
    await expect(foreseen({ compose: { services } })).rejects.toThrow(
      /^docker compose can't use the Compose file of variant "stack", .*cycle/,
    );
  });
});

describe('without docker compose', () => {
  useCompose({ lacking: true });

  it('says how to get it', async () => {
    const found = await foreseen({ compose: { services: { client: client() } } }).catch((thrown) => thrown);
    expect(found).toMatchObject({ exitCode: 3, advice: expect.stringContaining('docker-compose-plugin') });
    expect(found.message).toBe('There is no docker compose on this machine.');
  });
});

describe('a docker compose that is too old', () => {
  useCompose({ reported: '2.35.1' });

  it('is named, with the version that is needed', async () => {
    const found = await foreseen({ compose: { services: { client: client() } } }).catch((thrown) => thrown);
    expect(found).toMatchObject({ exitCode: 3, advice: expect.stringContaining('docker-compose-plugin') });
    expect(found.message).toBe('docker compose is 2.35.1 on this machine, and joulediff needs 2.36 or later.');
  });
});

/** Below those that the kernel gives to whoever asks for any. */
async function freePort(): Promise<number> {
  for (;;) {
    const port = 15_000 + Math.floor(15_000 * Math.random());
    const server = createServer();
    const isFree = await new Promise<boolean>((done) => {
      server.once('error', () => done(false));
      server.listen(port, () => done(true));
    });
    await new Promise((done) => server.close(done));
    if (isFree) return port;
  }
}
