import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../../../errors.ts';
import { git } from '../../../measure/checkout/git.ts';
import { differsFromTree, findCommit, findRepository } from '../../../measure/checkout/repository.ts';
import { openMeters } from '../../../meters/registry.ts';

/** A command that looks like a benchmark, and where it was found. */
export interface FoundCommand {
  readonly run: string;
  readonly where: string;
}

export interface FoundSuite {
  readonly harness: string;
  readonly target: string | null;
  readonly where: string;
}

export interface FoundMeter {
  /** As an experiment file names it. */
  readonly name: string;
  /** What was chosen and why, a sentence. */
  readonly sentence: string;
  readonly measured: boolean;
}

/** A commit, and what is compared with it. */
export interface States {
  /** As an experiment file names it. */
  readonly base: string;
  /** Changes that are not committed are compared with it, and not HEAD. */
  readonly worktree: boolean;
}

/** What a folder and its machine tell about the experiment that suits them. */
export interface Found {
  readonly command: FoundCommand | null;
  /** A harness whose benchmarks lie in the folder, and what it is pointed at; null: there is none. */
  readonly suite: FoundSuite | null;
  /** Path of a Dockerfile, from the folder. */
  readonly dockerfile: string | null;
  /** Path of a Compose file, from the folder. */
  readonly compose: string | null;
  /** Branch that pull requests are merged into; null: this is the top of no repository. */
  readonly branch: string | null;
  /** Two states of the repository that differ; null: it has only one commit, without changes. */
  readonly states: States | null;
  /** Where the forge looks for workflows. */
  readonly workflows: string;
  readonly meter: FoundMeter;
}

const DOCKERFILES = ['Dockerfile', 'docker/Dockerfile', '.docker/Dockerfile', 'Containerfile'];
const COMPOSE_FILES = ['compose.yml', 'compose.yaml', 'docker-compose.yml', 'docker-compose.yaml'];
const FORGES = ['.gitea', '.forgejo'];
/** Names of benchmarks, the likeliest first. */
const NAMES = ['bench', 'benchmark', 'benchmarks', 'perf'];
const SCRIPTS = ['', 'scripts/', 'bench/', 'benchmarks/'].flatMap((folder) =>
  [...NAMES, 'run'].map((name) => `${folder}${name}.sh`),
);

/** Reads the folder, and asks the meters. Throws nothing for what isn't there. */
export async function inspectFolder(folder: string): Promise<Found> {
  const isFile = (path: string) => statSync(join(folder, path), { throwIfNoEntry: false })?.isFile() === true;
  const isFolder = (path: string) => statSync(join(folder, path), { throwIfNoEntry: false })?.isDirectory() === true;
  const forge = FORGES.find((path) => isFolder(path)) ?? '.github';
  const branch = await findBranch(folder);
  return {
    command: findCommand(folder, isFile),
    suite: findSuite(folder, isFile),
    dockerfile: DOCKERFILES.find(isFile) ?? null,
    compose: COMPOSE_FILES.find(isFile) ?? null,
    branch,
    states: branch === null ? null : await findStates(folder, branch),
    workflows: `${forge}/workflows`,
    meter: await findMeter(),
  };
}

const PYTHON_FILES = ['pyproject.toml', 'requirements.txt', 'requirements-dev.txt', 'setup.cfg', 'tox.ini'];

function findSuite(folder: string, isFile: (path: string) => boolean): FoundSuite | null {
  const text = (path: string) => (isFile(path) ? readFileSync(join(folder, path), 'utf8') : '');
  const python = PYTHON_FILES.find((path) => text(path).includes('pytest-benchmark'));
  if (python !== undefined) return { harness: 'pytest-benchmark', target: null, where: python };
  const cargo = text('Cargo.toml');
  const bench = /\[\[bench\]\][^[]*?name\s*=\s*"([^"]+)"/.exec(cargo)?.[1];
  if (bench !== undefined && cargo.includes('criterion'))
    return { harness: 'criterion', target: bench, where: 'Cargo.toml' };
  const vitest = /"vitest":\s*"[^\d"]*(\d+)/.exec(text('package.json'))?.[1];
  // Older ones take no number of calls.
  if (Number(vitest) >= 5 && filesIn(folder).some((name) => /\.bench\.[cm]?[jt]sx?$/.test(name)))
    return { harness: 'vitest', target: null, where: 'package.json' };
  const goTests = isFile('go.mod') ? filesIn(folder).filter((name) => name.endsWith('_test.go')) : [];
  const go = goTests.find((name) => /^func Benchmark/m.test(text(name)));
  return go === undefined ? null : { harness: 'go', target: null, where: go };
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function findCommand(folder: string, isFile: (path: string) => boolean): FoundCommand | null {
  const text = (path: string) => (isFile(path) ? readFileSync(join(folder, path), 'utf8') : '');
  const script = SCRIPTS.find((path) => path !== 'run.sh' && isFile(path));
  if (script !== undefined) return { run: `sh ${script}`, where: script };
  const inPackage = Object.keys(scriptsOf(text('package.json')));
  const npm = NAMES.find((name) => inPackage.includes(name));
  if (npm !== undefined) return { run: `npm run ${npm}`, where: 'package.json' };
  const makefile = ['Makefile', 'makefile', 'GNUmakefile'].find(isFile);
  const targets = [...text(makefile ?? '').matchAll(/^([\w.-]+)\s*:(?!=)/gm)].map(([, target]) => target ?? '');
  const make = NAMES.find((name) => targets.includes(name));
  if (make !== undefined) return { run: `make ${make}`, where: makefile ?? '' };
  if (isFile('Cargo.toml') && hasFiles(join(folder, 'benches'))) return { run: 'cargo bench', where: 'benches/' };
  return inPackage.includes('test') ? { run: 'npm test', where: 'package.json, whose tests are all there is' } : null;
}

function scriptsOf(text: string): object {
  try {
    const { scripts } = JSON.parse(text);
    return typeof scripts === 'object' && scripts !== null ? scripts : {};
  } catch {
    return {};
  }
}

function hasFiles(folder: string): boolean {
  try {
    return readdirSync(folder).length > 0;
  } catch {
    return false;
  }
}

/** The default branch as the clone knows it, else one of the usual names, else the branch that is checked out. */
async function findBranch(folder: string): Promise<string | null> {
  const { signal } = new AbortController();
  try {
    const top = await git(folder, ['rev-parse', '--show-prefix'], { signal });
    if (top.code !== 0 || top.stdout.trim() !== '') return null;
    const remote = await git(folder, ['symbolic-ref', '--short', 'refs/remotes/origin/HEAD'], { signal });
    if (remote.code === 0) return remote.stdout.trim();
    for (const name of ['main', 'master']) {
      const usual = await git(folder, ['rev-parse', '--verify', '--quiet', `refs/heads/${name}`], { signal });
      if (usual.code === 0) return name;
    }
    const here = await git(folder, ['symbolic-ref', '--short', 'HEAD'], { signal });
    return here.code === 0 ? here.stdout.trim() : null;
  } catch {
    return null;
  }
}

/** This branch against where it began; on the default branch itself, what is not committed, or else the last commit. */
async function findStates(folder: string, branch: string): Promise<States | null> {
  const options = new AbortController();
  try {
    const repository = await findRepository(folder, options);
    const head = await findCommit(repository, 'HEAD', options);
    const began = await findCommit(repository, `${branch}...HEAD`, options);
    if (began !== head) return { base: `${branch}...HEAD`, worktree: false };
    if (await differsFromTree(repository, head, options)) return { base: 'HEAD', worktree: true };
    await findCommit(repository, 'HEAD~1', options);
    return { base: 'HEAD~1', worktree: false };
  } catch {
    return null;
  }
}

async function findMeter(): Promise<FoundMeter> {
  try {
    const { meters, chosen } = await openMeters(['auto']);
    const infos = meters.map(({ info }) => info);
    await Promise.all(meters.map((meter) => meter.stop()));
    const [info] = infos;
    const name = info === undefined ? 'auto' : info.address === null ? info.type : `${info.type}:${info.address}`;
    return { name, sentence: chosen ?? '', measured: info?.source === 'measured' };
  } catch (error) {
    return { name: 'auto', sentence: messageOf(error), measured: false };
  }
}
