// Class: system.
import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { isBuiltin } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { VERSION } from '../src/version.ts';
import { docker, testImage } from './executors/bench.ts';

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');
const scripts = readdirSync(dist).filter((name) => name.endsWith('.js'));

let clean: string;

beforeAll(() => {
  clean = mkdtempSync(join(tmpdir(), 'joulediff-clean-'));
  cpSync(dist, join(clean, 'dist'), { recursive: true });
});

afterAll(() => {
  rmSync(clean, { recursive: true, force: true });
});

/** Runs Node.js in a folder that has no node_modules above it, with an environment that helps in nothing. */
function runClean(...args: string[]) {
  return spawnSync(process.execPath, args, {
    cwd: clean,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: clean },
    timeout: 20_000,
  });
}

/** The system's own Node.js, where it is older than joulediff needs; null: there is none. */
const olderNode =
  ['/usr/bin/node', '/usr/local/bin/node'].find((path) => {
    const { stdout } = spawnSync(path, ['--version'], { encoding: 'utf8', timeout: 20_000 });
    return /^v\d/.test(stdout ?? '') && Number.parseInt(stdout.slice(1), 10) < 24;
  }) ?? null;

/** What a script requires and imports, as a bundler sees it. */
function importsOf(file: string): string[] {
  const esbuild = join(root, 'node_modules', 'esbuild', 'bin', 'esbuild');
  const metafile = join(clean, 'imports.json');
  const options = [
    '--bundle',
    '--platform=node',
    '--external:*',
    `--metafile=${metafile}`,
    `--outfile=${clean}/imports.js`,
  ];
  execFileSync(process.execPath, [esbuild, file, ...options, '--log-level=error']);
  const { inputs } = JSON.parse(readFileSync(metafile, 'utf8')) as {
    inputs: Record<string, { imports: { path: string }[] }>;
  };
  return Object.values(inputs).flatMap(({ imports }) => imports.map(({ path }) => path));
}

describe('dist/', () => {
  it('tells its version from a folder that holds nothing else', () => {
    const { stdout, stderr, status } = runClean('dist/cli.js', '--version');
    expect({ stdout: stdout.trim(), stderr, status }).toEqual({ stdout: VERSION, stderr: '', status: 0 });
  });

  describe.each(['main', 'post', 'cli'])('%s.js', (file) => {
    const on = (object: string, name: string, value: string) =>
      runClean(
        '-e',
        `Object.defineProperty(${object}, '${name}', { value: '${value}' }); require('./dist/${file}.js')`,
      );

    /** The action’s files tell it as an error of the step. */
    const sentence = ({ source }: RegExp) => new RegExp(`^${file === 'cli' ? '' : '::error::'}${source}\n$`);

    it('names the Node.js that it needs, in one sentence', () => {
      const { stdout, stderr, status } = on('process.versions', 'node', '20.1.0');
      expect(status).toBe(2);
      expect(stdout + stderr).toMatch(sentence(/joulediff needs Node\.js 24 or later; [^\n]+/));
    });

    (olderNode === null ? it.skip : it)('says so when an older Node.js starts it', () => {
      const started = spawnSync(olderNode ?? '', [`dist/${file}.js`], {
        cwd: clean,
        encoding: 'utf8',
        timeout: 20_000,
      });
      expect(started.status).toBe(2);
      expect(started.stdout + started.stderr).toMatch(
        sentence(/joulediff needs Node\.js 24 or later; this is v\d+\.[^\n]+/),
      );
    });

    it.each(['darwin', 'win32'])('names the platforms that it runs on where it is started on %s', (platform) => {
      const { stdout, stderr, status } = on('process', 'platform', platform);
      expect(status).toBe(2);
      expect(stdout + stderr).toMatch(
        sentence(
          new RegExp(`joulediff runs on Linux with glibc, on x64 and arm64; this is ${platform} ${process.arch}\\.`),
        ),
      );
    });
  });

  it('is started as a program, without `node` before it', () => {
    const stdout = execFileSync(join(clean, 'dist', 'cli.js'), ['--version'], { encoding: 'utf8', timeout: 20_000 });
    expect(stdout.trim()).toBe(VERSION);
  });

  it('keeps what Node.js compiled in its user’s own folder, and uses none of somebody else', () => {
    const home = mkdtempSync(join(clean, 'home-'));
    const start = (env: NodeJS.ProcessEnv) =>
      spawnSync(process.execPath, ['dist/cli.js', '--version'], { cwd: clean, env, timeout: 20_000 }).status;
    const kept = join(home, '.cache', 'joulediff', 'compiled');
    expect(start({ HOME: home })).toBe(0);
    expect(statSync(kept).isDirectory()).toBe(true);
    rmSync(kept, { recursive: true });
    expect(start({ HOME: 'home' })).toBe(0);
    chmodSync(home, 0o777);
    expect(start({ HOME: home })).toBe(0);
    chmodSync(home, 0o700);
    if (process.getuid?.() === 0) {
      chownSync(home, 1, 1);
      expect(start({ HOME: home })).toBe(0);
    }
    expect(start({})).toBe(0);
    expect(start({ HOME: join(home, 'missing') })).toBe(0);
    expect(existsSync(kept)).toBe(false);
  });

  it('hands the exit code of wrong input to the shell', () => {
    const { stderr, status } = runClean('dist/cli.js', 'plan', 'no-such-file.yml');
    expect(status).toBe(2);
    expect(stderr).toContain('no-such-file.yml');
  });

  it('reads an experiment file and plans its runs', () => {
    cpSync(join(root, 'examples', 'demo'), join(clean, 'demo'), { recursive: true });
    const { stdout, stderr, status } = runClean(
      'dist/cli.js',
      'plan',
      'demo/joulediff.yml',
      '--seed',
      '1',
      '--offline',
    );
    expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
    expect(stdout).toMatch(/native/);
    expect(stdout).toMatch(/container/);
  });

  it.each(scripts.filter((name) => !['main.js', 'post.js', 'cli.js'].includes(name)))('loads %s', (name) => {
    const { stdout, stderr } = runClean('-p', `Object.keys(require('./dist/${name}')).length > 0`);
    expect({ stdout: stdout.trim(), stderr }).toEqual({ stdout: 'true', stderr: '' });
  });

  it('fails the step with a sentence when the action is given nothing', () => {
    const { stdout, status } = runClean('dist/main.js');
    expect(stdout).toMatch(/^::error::.*\b(config|run)\b/m);
    expect(status).toBe(1);
  });

  it('cleans up nothing, and says nothing, when nothing was started', () => {
    const { stdout, stderr, status } = runClean('dist/post.js');
    expect({ stdout, stderr, status }).toEqual({ stdout: '', stderr: '', status: 0 });
  });

  it.each(scripts)('asks for nothing but Node.js and its own files in %s', (name) => {
    const imports = importsOf(join(dist, name));
    expect(imports.length).toBeGreaterThan(0);
    const own = scripts.map((script) => `./${script}`);
    expect(imports.filter((path) => !isBuiltin(path) && !own.includes(path))).toEqual([]);
  });

  it('has both add-ons for both architectures, each a library of that architecture', () => {
    const machines = { x64: 62, arm64: 183 }; // ELF e_machine: EM_X86_64, EM_AARCH64
    for (const [architecture, machine] of Object.entries(machines)) {
      for (const addon of ['better-sqlite3', 'serialport']) {
        const header = readFileSync(join(dist, 'native', `${addon}.linux-${architecture}.node`)).subarray(0, 20);
        expect(header.subarray(0, 4).toString('latin1')).toBe('\x7fELF');
        expect(header.readUInt16LE(18)).toBe(machine);
      }
    }
  });

  it('loads both add-ons of this architecture', () => {
    const load = ['better-sqlite3', 'serialport'].map(
      (addon) => `require('./dist/native/${addon}.linux-' + process.arch + '.node')`,
    );
    const { stdout, stderr } = runClean('-p', `typeof (${load[0]}).Database + ' ' + typeof (${load[1]}).open`);
    expect({ stdout: stdout.trim(), stderr }).toEqual({ stdout: 'function function', stderr: '' });
  });

  it('is built the same from any folder', () => {
    const builds = ['a', 'b'].map((name) => {
      const out = join(clean, 'builds', name);
      mkdirSync(out, { recursive: true });
      execFileSync(process.execPath, [join(root, 'esbuild.config.mjs'), out], { cwd: name === 'a' ? root : out });
      return out;
    });
    const [a, b] = builds.map((out) => readdirSync(out, { recursive: true, encoding: 'utf8' }).sort());
    expect(a).toEqual(b);
    for (const name of a!.filter((each) => statSync(join(builds[0]!, each)).isFile())) {
      const [one, other] = builds.map((out) => readFileSync(join(out, name)));
      expect({ name, same: one!.equals(other!) }).toEqual({ name, same: true });
      expect({
        name,
        namesTheCheckout: ['node_modules', 'src'].some((folder) => one!.includes(join(root, folder))),
      }).toEqual({ name, namesTheCheckout: false });
    }
  });

  it('has a bill of materials with all of its packages and their hashes', () => {
    const words = () => execFileSync(process.execPath, ['.esbuild/sbom.mjs'], { cwd: root, encoding: 'utf8' });
    const bom = JSON.parse(words());
    expect(bom).toMatchObject({
      // Without all three, actions/attest takes it for no bill of materials.
      bomFormat: 'CycloneDX',
      serialNumber: expect.stringMatching(
        /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      ),
      specVersion: '1.6',
      metadata: { component: { name: 'joulediff', version: VERSION } },
    });
    const named = readFileSync(join(dist, 'licenses.txt'), 'utf8').matchAll(/^(@?[\w./-]+@\d\S*) \(/gm);
    const parts = bom.components as { 'bom-ref': string; purl: string; hashes: { alg: string; content: string }[] }[];
    expect(parts.map((part) => part['bom-ref'])).toEqual([...named].map(([, title]) => title).sort());
    expect(parts.length).toBeGreaterThan(100);
    for (const { purl, hashes } of parts) {
      expect(purl).toMatch(/^pkg:npm\/(%40[\w.-]+\/)?[\w.-]+@\d/);
      expect(hashes).toEqual([{ alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) }]);
    }
    expect(words()).toBe(`${JSON.stringify(bom, null, 2)}\n`);
  });

  // As a person packs and installs it, in a copy: npm exchanges package.json while it packs.
  it('is packed into one tarball, which npm install starts without fetching anything', () => {
    const checkout = join(clean, 'checkout');
    const manifest = readFileSync(join(root, 'package.json'), 'utf8');
    for (const name of ['action.yml', 'package.json', '.npmrc', 'README.md', 'LICENSE', 'dist', '.esbuild'])
      cpSync(join(root, name), join(checkout, name), { recursive: true });
    const npm = (...words: string[]) => {
      // Offline: whatever would be fetched is an error.
      const env = { PATH: process.env.PATH, HOME: clean, npm_config_offline: 'true', npm_config_yes: 'true' };
      const { stdout, stderr, status } = spawnSync('npm', words, { cwd: checkout, encoding: 'utf8', env });
      expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' });
      return stdout.trim();
    };
    const [packed] = JSON.parse(npm('run', '--silent', 'package', '--', '--json'));
    expect(packed.filename).toBe(`joulediff-${VERSION}.tgz`);
    expect(readFileSync(join(checkout, 'package.json'), 'utf8')).toBe(manifest);
    expect(readdirSync(checkout)).not.toContain('package.json.checkout');
    const files = (packed.files as { path: string }[])
      .map(({ path }) => path)
      .filter((path) => !path.startsWith('dist/'));
    expect(files.sort()).toEqual(['LICENSE', 'README.md', 'action.yml', 'package.json']);
    // Offline, npm leaves out optional packages without a word: that none is asked for shows in the manifest alone.
    const inTarball = execFileSync('tar', ['-xOf', join(checkout, packed.filename), 'package/package.json']);
    const asked = Object.keys(JSON.parse(inTarball.toString())).filter((key) => /dependencies$|^scripts$/i.test(key));
    expect(asked).toEqual([]);

    const tarball = join(checkout, packed.filename);
    const prefix = join(clean, 'prefix');
    npm('install', '--global', '--prefix', prefix, tarball);
    expect(readdirSync(join(prefix, 'lib', 'node_modules'))).toEqual(['joulediff']);
    expect(readdirSync(join(prefix, 'lib', 'node_modules', 'joulediff'))).not.toContain('node_modules');
    const installed = join(prefix, 'bin', 'joulediff');
    const { stdout, status } = spawnSync(
      installed,
      ['plan', join(root, 'examples', 'demo', 'joulediff.yml'), '--offline'],
      {
        encoding: 'utf8',
        env: { PATH: process.env.PATH, HOME: clean },
      },
    );
    expect({ status, reported: stdout.includes('native') }).toEqual({ status: 0, reported: true });
  });

  it('is published by hand as the developers’ page says, off the workflow that npm trusts', async () => {
    const checkout = join(clean, 'by-hand');
    for (const name of ['action.yml', 'package.json', '.npmrc', 'dist', '.esbuild'])
      cpSync(join(root, name), join(checkout, name), { recursive: true });
    const sent: string[] = [];
    const registry = createServer(async (request, response) => {
      const body = await text(request);
      if (request.method === 'PUT') sent.push(body);
      response.writeHead(request.method === 'PUT' ? 201 : 404, { 'content-type': 'application/json' }).end('{}');
    });
    registry.listen(0, '127.0.0.1');
    await once(registry, 'listening');
    const host = `127.0.0.1:${(registry.address() as AddressInfo).port}/`;
    writeFileSync(join(checkout, 'user.npmrc'), `registry=http://${host}\n//${host}:_authToken=x\n`);
    const page = readFileSync(join(root, 'docs', 'development.md'), 'utf8');
    const [commands = ''] = /^ *npm run package\n *npm publish .*$/m.exec(page) ?? [];
    const env = { PATH: process.env.PATH, HOME: clean, npm_config_userconfig: join(checkout, 'user.npmrc') };
    try {
      await promisify(execFile)('sh', ['-ec', commands.replace(/\d+\.\d+\.\d+/, VERSION)], { cwd: checkout, env });
    } finally {
      registry.close();
    }
    const [{ versions, _attachments: files }] = sent.map((body) => JSON.parse(body));
    expect(Object.keys(files)).toEqual([`joulediff-${VERSION}.tgz`]);
    expect(versions[VERSION]).not.toHaveProperty('optionalDependencies');
  });

  it('is run by npx from its tarball, in a container that has Node.js 24 and no network', async () => {
    const image = await testImage(`joulediff-test-npx:${process.pid}`, [
      'RUN mkdir -p /tmp /root /usr/bin && ln -s /bin/env /usr/bin/env',
    ]);
    const whichNpm = execFileSync('sh', ['-c', 'readlink -f "$(command -v npm)"'], { encoding: 'utf8' }).trim();
    const libraries = execFileSync('ldd', [process.execPath], { encoding: 'utf8' }).matchAll(/(?:=> )?(\/\S+) \(0x/g);
    const readable = [
      `${dirname(dirname(whichNpm))}:/npm`,
      `${process.execPath}:/bin/node`,
      `${join(clean, 'checkout', `joulediff-${VERSION}.tgz`)}:/joulediff.tgz`,
      ...[...libraries].map(([, path = '']) => `${realpathSync(path)}:${path}`),
    ];
    const npx = ['node', '/npm/bin/npx-cli.js', '--yes', '--offline', '--package', '/joulediff.tgz', 'joulediff'];
    const quick = ['--runs', '1', '--warmup', '0', '--set', 'rest=0s', '--set', 'guard=0s', '--set', 'batch=1'];
    const { status, stdout, stderr } = spawnSync(
      'docker',
      [
        ...['run', '--rm', '--network', 'none', '-w', '/root', '-e', 'HOME=/root'],
        ...readable.flatMap((volume) => ['-v', `${volume}:ro`]),
        ...[image, ...npx, 'compare', 'true', 'sleep 0.1', ...quick],
      ],
      { encoding: 'utf8' },
    );
    await docker.getImage(image).remove({ force: true });
    expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain('Everything else: joulediff-out');
  });
});
