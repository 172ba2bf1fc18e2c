// Class: system.
import { execFileSync } from 'node:child_process';
import { chmod, copyFile, mkdir, rm, stat, symlink } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { PlaceFacts, Workload } from '../../../src/contracts/variant.ts';
import { InputError, MeasureError } from '../../../src/errors.ts';
import { builtTag } from '../../../src/executors/container/build.ts';
import { findImageAgain } from '../../../src/executors/container/image.ts';
import { removeOldImages } from '../../../src/executors/container/old-images.ts';
import type { ImageBuild } from '../../../src/executors/container/variant.ts';
import { makeExecutor } from '../../../src/executors/registry.ts';
import { Bench, container, docker, during } from '../bench.ts';

const FROM_BUSYBOX = [
  'FROM scratch',
  // What this file removes has no step in common with images of others.
  `LABEL joulediff-test="build ${process.pid}"`,
  'COPY busybox /bin/busybox',
  'RUN ["/bin/busybox", "--install", "-s", "/bin"]',
  'ENV PATH=/bin',
];

let bench: Bench;
let tags: string[];
beforeEach(async () => {
  bench = new Bench();
  tags = [];
  await mkdir(bench.path('context'));
  await copyFile('/bin/busybox', bench.path('context/busybox'));
});
afterEach(async () => {
  for (const tag of new Set(tags)) await docker.getImage(tag).remove({ force: true });
  await bench.close();
});

function dockerfile(...lines: string[]): Promise<string> {
  return bench.file('context/Dockerfile', [...FROM_BUSYBOX, ...lines, ''].join('\n'));
}

function variant(given: Partial<Workload>, build: Partial<ImageBuild> = {}) {
  const whole = { context: bench.path('context'), dockerfile: 'Dockerfile', target: null, args: {}, ...build };
  return { ...container(null, given, { build: whole }), name: `Built ${bench.experimentId}` };
}

async function run(given: Partial<Workload>, build: Partial<ImageBuild> = {}) {
  const executor = await makeExecutor(variant(given, build), bench.environment());
  const facts = (await executor.setup(bench.stop.signal)) as { readonly image: string; readonly image_id: string };
  tags.push(facts.image);
  const prepared = await executor.prepare(bench.context());
  await prepared.execute({ onEdge() {} });
  await prepared.dispose();
  return facts;
}

describe('a build', () => {
  it('that takes longer than it may is given up, and told as that', async () => {
    await dockerfile('RUN echo begun; sleep 301');
    const slow = { ...variant({}), imageTimeoutS: 4 };
    const attempt = makeExecutor(slow, bench.environment()).then((executor) => executor.setup(bench.stop.signal));
    await expect(attempt).rejects.toThrow(MeasureError);
    await expect(attempt).rejects.toThrow(
      `The image of variant "Built ${bench.experimentId}" was not built from ${bench.path('context/Dockerfile')} within 4 s.`,
    );
  });

  it('takes the place of the one before, and leaves what somebody made from that, even without a name', async () => {
    const ofOurs = { filters: { label: ['joulediff.image'] } };
    await dockerfile('RUN echo first > /text');
    const first = await run({ run: ['cat', '/text'] });
    const theirs = await docker.createContainer({ Image: first.image, Cmd: ['true'] });
    const { Id: committed } = (await theirs.commit()) as { Id: string };
    await theirs.remove();
    try {
      for (const text of ['second', 'third']) {
        await dockerfile(`RUN echo ${text} > /text`);
        const now = await run({ run: ['cat', '/text'] });
        const images = (await docker.listImages(ofOurs)).filter(
          ({ Id, RepoTags }) => Id === committed || RepoTags?.some((name) => name.startsWith(first.image)),
        );
        expect(images.map(({ Id, RepoTags }) => [Id, RepoTags ?? []])).toEqual(
          expect.arrayContaining([
            [committed, ['<none>:<none>']],
            [now.image_id, [now.image]],
          ]),
        );
        expect(images).toHaveLength(2);
      }
    } finally {
      await docker.getImage(committed).remove({ force: true });
    }
  });

  it('leaves pipes and devices out without reading them, and names them', async () => {
    await dockerfile('COPY . /ctx/', 'RUN ls /ctx /ctx/run > /list');
    await mkdir(bench.path('context/run'));
    await bench.file('context/keep', 'x');
    execFileSync('mkfifo', [bench.path('context/pipe'), bench.path('context/run/supervise')]);
    const asRoot = process.getuid?.() === 0;
    if (asRoot) execFileSync('mknod', [bench.path('context/null'), 'c', '1', '3']);
    await run({ run: ['cat', '/list'] });
    expect(bench.log()).toContain('keep');
    expect(bench.log()).not.toMatch(/pipe|supervise|null/);
    const named = bench.lines.find((line) => line.startsWith('Left out of the build context'));
    expect(named).toMatch(/\bpipe\b.*\brun\/supervise\b/);
    if (asRoot) expect(named).toContain('null');
  });

  it.each(['.dockerignore', 'Dockerfile.dockerignore'])('refuses a %s that would be read without end', async (name) => {
    await dockerfile();
    const attempt = () =>
      makeExecutor(variant({}), bench.environment()).then((executor) => executor.setup(bench.stop.signal));
    await symlink('/dev/zero', bench.path(`context/${name}`));
    await expect(attempt()).rejects.toThrow(`${bench.path(`context/${name}`)} is no regular file.`);
    await rm(bench.path(`context/${name}`));
    execFileSync('mkfifo', [bench.path(`context/${name}`)]);
    await expect(attempt()).rejects.toThrow(`${bench.path(`context/${name}`)} is no regular file.`);
  });

  describe('that runs as root for a caller who does not', () => {
    // Who started joulediff is a mock: these tests are root, who may use the engine.
    afterEach(() => {
      jest.restoreAllMocks();
    });
    const volumes = () => [`${bench.path('data')}:/data`];
    const reported = () => bench.lines.find((line) => line.includes('runs as root'));
    const setUp = async (options: { user?: string; volumes: string[] }) => {
      await dockerfile();
      jest.spyOn(process, 'getuid').mockReturnValue(4242);
      jest.spyOn(process, 'getgid').mockReturnValue(4343);
      const built = { ...variant({ run: ['sh', '-c', 'id -u; id -g; touch /data/made'] }), ...options };
      const executor = await makeExecutor(built, bench.environment());
      tags.push(((await executor.setup(bench.stop.signal)) as { readonly image: string }).image);
      return executor;
    };

    it('says whose the files in a mounted folder will be', async () => {
      await mkdir(bench.path('data'));
      await setUp({ volumes: volumes() });
      expect(reported()).toMatch(/can write into the mounted folder \S*data: files that it makes there belong to root/);
    });

    it.each([
      ['a folder that is only read', { volumes: [':ro'] }],
      ['a user of its own', { user: '1000', volumes: [''] }],
    ])('says nothing of %s', async (_, options) => {
      await mkdir(bench.path('data'));
      await setUp({ ...options, volumes: options.volumes.map((mode) => `${bench.path('data')}:/data${mode}`) });
      expect(reported()).toBeUndefined();
    });

    it('runs as the caller where it is asked to', async () => {
      await mkdir(bench.path('data'), { mode: 0o777 });
      await chmod(bench.path('data'), 0o777);
      const executor = await setUp({ user: 'caller', volumes: volumes() });
      const prepared = await executor.prepare(bench.context());
      await prepared.execute({ onEdge() {} });
      await prepared.dispose();
      expect(bench.log()).toMatch(/4242\n4343/);
      const { uid, gid } = await stat(bench.path('data/made'));
      expect([uid, gid, reported()]).toEqual([4242, 4343, undefined]);
    });
  });

  it('that fails says what its step printed last', async () => {
    await dockerfile('RUN printf "one "; sleep 0.1; echo line; echo ZWNobw==; echo the reason; exit 3');
    const attempt = makeExecutor(variant({}), bench.environment()).then((executor) =>
      executor.setup(bench.stop.signal),
    );
    await expect(attempt).rejects.toThrow(/Its last output:\n[\s\S]*\n {2}one line\n {2}ZWNobw==\n {2}the reason\n/);
    expect(bench.lines).toContain('the reason');
  });

  it('is left to the builder where an image that it may not need could not be pulled', async () => {
    const { DOCKER_CONFIG: before } = process.env;
    const login = { auths: { 'localhost:1': { auth: Buffer.from('me:secret').toString('base64') } } };
    await bench.file('config.json', JSON.stringify(login));
    await bench.file('context/Dockerfile', ['FROM localhost:1/none AS unused', ...FROM_BUSYBOX, ''].join('\n'));
    process.env.DOCKER_CONFIG = bench.folder;
    try {
      const executor = await makeExecutor({ ...variant({}), pull: 'missing' }, bench.environment());
      tags.push(String((await executor.setup(bench.stop.signal)).image));
    } finally {
      if (before === undefined) delete process.env.DOCKER_CONFIG;
      else process.env.DOCKER_CONFIG = before;
    }
    expect(bench.lines).toContainEqual(expect.stringMatching(/"localhost:1\/none" .*could not be pulled.*builder/));
  });

  it('makes the image that its Dockerfile describes, with arguments and target, and tells its progress', async () => {
    await dockerfile('ARG WHO=nobody', 'RUN echo "built for $WHO" > /who', 'FROM scratch AS last', 'COPY nowhere /');
    await bench.file(
      'context/Dockerfile',
      [...FROM_BUSYBOX, 'ARG WHO=nobody', 'RUN echo "for $WHO" > /who']
        .join('\n')
        .replace('FROM scratch', 'FROM scratch AS wanted')
        .concat('\nFROM wanted\nRUN rm /who\n'),
    );
    const facts = await run({ run: ['cat', '/who'] }, { target: 'wanted', args: { WHO: 'me' } });
    expect(bench.log()).toBe('for me\n');
    expect((await docker.getImage(facts.image).inspect()).Id).toBe(facts.image_id);
    expect(bench.lines.join('\n')).toMatch(/^Building image joulediff\/built-/);
  });

  it('keeps one tag for one Dockerfile, the image when nothing changed, and none that was built before', async () => {
    await dockerfile('RUN echo one > /text');
    const first = await run({ run: ['cat', '/text'] });
    expect(await run({ run: ['cat', '/text'] })).toEqual(first);
    await dockerfile('RUN echo two > /text');
    const second = await run({ run: ['cat', '/text'] });
    expect(second.image).toBe(first.image);
    expect(second.image_id).not.toBe(first.image_id);
    expect(bench.log()).toBe('one\none\ntwo\n');
    await expect(docker.getImage(first.image_id).inspect()).rejects.toMatchObject({ statusCode: 404 });
  });

  it('leaves an earlier image alone that a container uses, or that has another name', async () => {
    const made = [];
    for (const text of ['one', 'two', 'three']) {
      await dockerfile(`RUN echo ${text} > /text`);
      made.push(await run({ run: ['cat', '/text'] }));
      const IMAGE = made.at(-1)?.image_id ?? '';
      if (text === 'one') await docker.getImage(IMAGE).tag({ repo: 'joulediff-kept', tag: bench.experimentId });
      if (text === 'two') {
        await docker.createContainer({ Image: IMAGE, name: `joulediff-kept-${bench.experimentId}`, Cmd: ['true'] });
      }
    }
    const there = await Promise.all(made.map(({ image_id }) => docker.getImage(image_id).inspect()));
    expect(there.map(({ Id }) => Id)).toEqual(made.map(({ image_id }) => image_id));
    await docker.getContainer(`joulediff-kept-${bench.experimentId}`).remove();
    await docker.getImage(`joulediff-kept:${bench.experimentId}`).remove();
    await docker.getImage(made[1]?.image_id ?? '').remove();
  });

  it('goes when no experiment has needed it for thirty days, but not while it has another name, a container, or is needed to go on', async () => {
    await dockerfile('RUN echo old > /text');
    const { image, image_id: id } = await run({ run: ['cat', '/text'] });
    const days = (n: number, needed: readonly PlaceFacts[] = []) =>
      removeOldImages({ nowMs: Date.now() + n * 86_400_000, only: image, needed });
    const isThere = () =>
      docker
        .getImage(image)
        .inspect()
        .then(
          ({ Id }) => Id === id,
          () => false,
        );
    expect(await days(29)).toEqual([]);
    await docker.getImage(id).tag({ repo: 'joulediff-kept', tag: bench.experimentId });
    expect(await days(32)).toEqual([]);
    await docker.getImage(`joulediff-kept:${bench.experimentId}`).remove();
    const user = await docker.createContainer({ Image: id, Cmd: ['true'] });
    expect(await days(32)).toEqual([]);
    await user.remove();
    expect(await days(32, [{ image: 'another' }, { web_image_id: id }])).toEqual([]);
    expect(await isThere()).toBe(true);
    expect((await days(32)).join()).toMatch(
      /^Removed the image joulediff\/built-.*, which was built .* 3[12] days ago and not needed since\.$/,
    );
    expect(await isThere()).toBe(false);
    tags = [];
  });

  it('is needed by an experiment that is resumed, from that day on', async () => {
    await dockerfile('RUN echo resumed > /text');
    const facts = await run({ run: ['cat', '/text'] });
    const taggedMs = async () => {
      const { Metadata } = (await docker.getImage(facts.image).inspect()) as unknown as {
        Metadata: { LastTagTime: string };
      };
      return Date.parse(Metadata.LastTagTime);
    };
    const before = await taggedMs();
    const again = await findImageAgain(
      docker,
      variant({}),
      { ...facts, image_digest: null },
      () => {},
      bench.stop.signal,
    );
    expect(again.id).toBe(facts.image_id);
    expect(await taggedMs()).toBeGreaterThan(before);
  });

  it('has one tag for a repository of Gitea, whose runner gives each job a folder of its own', () => {
    const { GITHUB_WORKSPACE, GITHUB_REPOSITORY, GITEA_ACTIONS } = process.env;
    const tagIn = (folder: string, repository: string) => {
      Object.assign(process.env, { GITHUB_WORKSPACE: folder, GITHUB_REPOSITORY: repository, GITEA_ACTIONS: 'true' });
      return builtTag('container', [`${folder}/image\0${folder}/image/Dockerfile`, '']);
    };
    try {
      const first = tagIn('/home/ci/.cache/act/1f2e/hostexecutor', 'octo/demo');
      expect(tagIn('/home/ci/.cache/act/77aa/hostexecutor', 'octo/demo')).toBe(first);
      expect(tagIn('/home/ci/.cache/act/77aa/hostexecutor', 'octo/other')).not.toBe(first);
    } finally {
      for (const [name, value] of Object.entries({ GITHUB_WORKSPACE, GITHUB_REPOSITORY, GITEA_ACTIONS })) {
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
    }
  });

  it('sends what .dockerignore leaves: exceptions in ignored folders included', async () => {
    await bench.file('context/.dockerignore', '# a comment\n*\n!busybox\n!kept/yes\n**/*.secret\n');
    await bench.file('context/no', '');
    await bench.file('context/kept/yes', '');
    await bench.file('context/kept/no', '');
    await bench.file('context/kept/x.secret', '');
    await dockerfile('COPY . /sent/');
    await run({ run: 'cd /sent && find . -type f | grep -v Dockerfile | sort' });
    // Nor a folder of which nothing is left: an empty .git is none to the tools in the image.
    await bench.file('context/.dockerignore', 'kept\n!README.md\n');
    await bench.file('context/.git/objects/ab/cd', '');
    await run({ run: 'cd /sent && find . -mindepth 1 -type d' });
    // An exception with a wildcard may match in any folder.
    await bench.file('context/.dockerignore', '*\n!**/*.go\n!busybox\n');
    await bench.file('context/src/deep/main.go', '');
    await bench.file('context/src/other/main.c', '');
    await run({ run: 'cd /sent && find . -mindepth 1 ! -name "*ockerfile" ! -name .dockerignore | sort' });
    expect(bench.log()).toBe('./busybox\n./kept/yes\n./busybox\n./src\n./src/deep\n./src/deep/main.go\n');
  });

  it('sends no history of a repository, unless .dockerignore asks for it', async () => {
    await bench.file('context/.git/config', 'AUTHORIZATION: basic x');
    await bench.file('context/part/.git', 'gitdir: ../.git/modules/part');
    await bench.file('context/part/.gitignore', '');
    await dockerfile('COPY . /sent/');
    const sent = { run: 'cd /sent && find . -name "*.git*" -o -path "*.git/*" | sort' };
    await run(sent);
    await bench.file('context/.dockerignore', 'nothing\n!.git\n');
    await run(sent);
    expect(bench.log()).toBe('./part/.gitignore\n./.git\n./.git/config\n./part/.gitignore\n');
    await bench.file('context/.dockerignore', '');
    await dockerfile('COPY .git /history');
    await expect(run(sent)).rejects.toMatchObject({ advice: expect.stringContaining('!.git in .dockerignore') });
  });

  it('sends no results, with which an image would be another after each measurement', async () => {
    await bench.file('context/joulediff-out/experiment.db', 'x');
    await bench.file('context/part/joulediff-out/report.html', 'x');
    await bench.file('context/part/kept', '');
    await dockerfile('COPY . /sent/');
    await run({ run: 'cd /sent && find . -name "joulediff-out" -o -name kept' });
    expect(bench.log()).toBe('./part/kept\n');
  });

  it('takes a Dockerfile from outside of its context, and the modes of files whatever the umask', async () => {
    const outside = await bench.file('Other.Dockerfile', [...FROM_BUSYBOX, 'COPY tool /tool', ''].join('\n'));
    await bench.file('context/tool', '', 0o755);
    const umask = process.umask(0o077);
    try {
      await run({ run: ['stat', '-c', '%a %u', '/tool'] }, { dockerfile: outside });
    } finally {
      process.umask(umask);
    }
    expect(bench.log()).toBe('755 0\n');
  });

  it('that fails is an error with the end of its output', async () => {
    await dockerfile('RUN echo about to fail && exit 7');
    const attempt = (await makeExecutor(variant({}), bench.environment())).setup(bench.stop.signal);
    await expect(attempt).rejects.toThrow(MeasureError);
    await expect(attempt).rejects.toThrow(
      /could not be built from .*context\/Dockerfile: .*7[\s\S]*Its last output:[\s\S]*about to fail/,
    );
  });

  it('that fails leaves the image before it under its own name alone', async () => {
    await dockerfile();
    const built = await run({ run: ['true'] });
    await dockerfile('RUN exit 7');
    await expect(run({ run: ['true'] })).rejects.toThrow(MeasureError);
    const { RepoTags: names } = await docker.getImage(built.image_id ?? '').inspect();
    expect(names).toEqual([built.image]);
  });

  it('without Dockerfile or context is an input error', async () => {
    const nothing = await makeExecutor(variant({}, { dockerfile: 'Nowhere' }), bench.environment());
    await expect(nothing.setup(bench.stop.signal)).rejects.toThrow(InputError);
    const nowhere = await makeExecutor(variant({}, { context: bench.path('nowhere') }), bench.environment());
    await expect(nowhere.setup(bench.stop.signal)).rejects.toThrow(/build context .*nowhere, isn't a folder/);
  });

  it('ends when a stop is asked for', async () => {
    await dockerfile('RUN echo building && sleep 300');
    const attempt = (await makeExecutor(variant({}), bench.environment())).setup(bench.stop.signal);
    await during(attempt, () => bench.lines.some((line) => line.includes('sleep 300')));
    bench.stop.abort();
    await expect(attempt).rejects.toBe(bench.stop.signal.reason);
  });
});
