import { execFile, spawnSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { type CsvRow, docker, joulediff, readCsv, temporaryFolder } from '../program.ts';

export const EXAMPLES = fileURLToPath(new URL('../../../examples', import.meta.url));

/** Made short: the pauses, and one block without a warm-up. No energy is read from it. */
export const short = (...more: string[]) =>
  ['repetitions=1', 'warmup.runs=0', 'rest=200ms', 'guard=100ms', 'meter=estimate', ...more].flatMap((setting) => [
    '--set',
    setting,
  ]);

export interface Needs {
  /** Its experiment file; absent: joulediff.yml. */
  readonly file?: string;
  /** Programs of this machine, or paths as patterns of a shell. Where one is missing, the example is skipped, and the name of the test says so. */
  readonly programs: readonly string[];
  /** Its script that needs more of the network than Debian's packages. Where it fails, the example is skipped, and the name of the test says so. */
  readonly fetch?: string;
  /** Ports that stand in its files: each becomes one that is free. */
  readonly ports?: readonly number[];
  /** Its small size: settings as `--set` takes them. */
  readonly small: readonly string[];
  /** What its scripts get of the environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** What joulediff gets of the environment beside what these tests have, asked when it starts. */
  readonly environment?: () => NodeJS.ProcessEnv;
}

/** The example once more, as it ran. */
export interface Again {
  /** Runs all of it anew. */
  run(): Promise<CsvRow[]>;
  /** Another command of the experiment, on the result of its last run; gives the folder of that. */
  call(command: string, ...words: string[]): Promise<string>;
}

/**
 * An example as it stands, but for its ports, the names of its images and of what it leaves in /tmp: nothing that another one on this
 * machine uses. Its images are made once, it is planned, and run in its small size; `expectations` gets the runs, and may have it run again.
 */
export function describeExample(
  name: string,
  needs: Needs,
  expectations: (runs: readonly CsvRow[], again: Again) => void | Promise<void>,
): void {
  const fileName = needs.file ?? 'joulediff.yml';
  const title = `examples/${name}${needs.file ? `/${fileName}` : ''}`;
  const PATH = `${process.env.PATH}:/usr/sbin:/sbin`;
  const missing = needs.programs.filter(
    (program) =>
      spawnSync('sh', ['-c', `${program.startsWith('/') ? 'test -e' : 'command -v'} ${program}`], { env: { PATH } })
        .status !== 0,
  );
  if (missing.length > 0) {
    it.skip(`${title}: ${missing.join(' and ')} not installed`, () => undefined);
    return;
  }
  const folder = temporaryFolder();
  const own = join(folder.path, 'examples', name);
  cpSync(EXAMPLES, join(folder.path, 'examples'), { recursive: true });
  const env = { ...process.env, PATH, ...needs.env };
  if (needs.fetch && spawnSync(needs.fetch, { cwd: own, env, shell: true, timeout: 90_000 }).status !== 0) {
    folder.remove();
    it.skip(`${title}: ${needs.fetch} could not get what it runs`, () => undefined);
    return;
  }
  describe(title, () => {
    const file = join(own, fileName);
    const tag = `test-${process.pid}`;
    let images: readonly string[] = [];
    let words: string[] = [];

    beforeAll(async () => {
      const texts = readdirSync(own).filter((entry) => entry.endsWith('.yml'));
      images = imagesOf(texts.map((entry) => readFileSync(join(own, entry), 'utf8')).join('\n'));
      const exchanged = new Map(images.map((image) => [`image: ${image}`, `image: ${image}:${tag}`]));
      for (const port of needs.ports ?? []) exchanged.set(String(port), String(await freePort()));
      exchanged.set('/tmp/joulediff-', `/tmp/joulediff-${basename(folder.path)}-`);
      for (const path of readdirSync(own).map((entry) => join(own, entry))) {
        if (statSync(path).isFile()) exchange(path, exchanged);
      }
      if (images.length > 0) await promisify(execFile)(join(own, 'images.sh'), [tag], { cwd: own, env });
      words = [file, ...short(...needs.small)];
    }, 1_200_000);

    afterAll(() => {
      for (const image of images) docker('rmi', '-f', `${image}:${tag}`);
      folder.remove();
    });

    it('is planned: what starts where, in which order', async () => {
      const { code, stdout, stderr } = await joulediff(['plan', '--order', ...words], { env: needs.environment?.() });
      expect({ code, stderr, failed: stdout.match(/^fail .*/gm) }).toEqual({ code: 0, stderr: '', failed: null });
      const { variants, matrix, services } = parse(readFileSync(file, 'utf8'));
      const [block = ''] = /^block 1 .*/m.exec(stdout) ?? [];
      expect(
        block
          .split(/ +/)
          .slice(2)
          .filter((word) => word !== '·')
          .sort(),
      ).toEqual((matrix ? cellsOf(matrix) : Object.keys(variants)).sort());
      for (const service of Object.keys(services ?? {})) expect(stdout).toContain(`  ${service}: `);
    });

    it('runs', async () => {
      const out = join(folder.path, 'out');
      const call = async (command: string, ...more: string[]): Promise<string> => {
        const { code, stderr } = await joulediff([command, ...words, '--out', out, ...more], {
          env: needs.environment?.(),
        });
        if (code !== 0) throw new Error(`exit code ${code}: ${stderr}`);
        expect(stderr).not.toContain('could not be seen');
        return out;
      };
      const run = async (): Promise<CsvRow[]> => {
        await call('run', '--overwrite');
        const runs = readCsv(join(out, 'runs.csv'));
        expect(runs.filter(({ status }) => status !== 'ok')).toEqual([]);
        return runs;
      };
      await expectations(await run(), { run, call });
    }, 1_200_000);
  });
}

/** Names of the variants of a matrix whose factors are maps. */
const cellsOf = (matrix: Readonly<Record<string, object>>): string[] =>
  Object.values(matrix).reduce<string[]>(
    (cells, levels) =>
      Object.keys(levels).flatMap((level) => (cells.length ? cells.map((cell) => `${cell}/${level}`) : level)),
    [],
  );

/** Images of containers; that of a guest is a path. */
const imagesOf = (text: string): readonly string[] => [
  ...new Set([...text.matchAll(/^[^#\n]*\bimage: ([a-z0-9-]+)(?![\w./-])/gm)].map(([, image = '']) => image)),
];

function exchange(path: string, exchanged: ReadonlyMap<string, string>): void {
  let text = readFileSync(path, 'utf8');
  for (const [old, replacement] of exchanged) text = text.replaceAll(old, replacement);
  writeFileSync(path, text);
}

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
