import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../../../errors.ts';
import { git } from '../../../measure/checkout/git.ts';
import { differsFromTree, findCommit, findRepository } from '../../../measure/checkout/repository.ts';
import { openMeters } from '../../../meters/registry.ts';

/** A likely benchmark command, and where it was found. */
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
  /** Meter name for the experiment file. */
  readonly name: string;
  /** The choice and its reason, as a sentence. */
  readonly sentence: string;
  readonly measured: boolean;
}

/** A commit and the state to compare with it. */
export interface States {
  /** Revision for the experiment file. */
  readonly base: string;
  /** True: uncommitted changes are compared with `base`; false: HEAD. */
  readonly worktree: boolean;
}

/** Facts about a folder and its machine, for a suitable experiment. */
export interface FolderFacts {
  readonly command: FoundCommand | null;
  /** Harness with benchmarks in the folder, and its target; null: none. */
  readonly suite: FoundSuite | null;
  /** Path of a Dockerfile, from the folder. */
  readonly dockerfile: string | null;
  /** Whether the Dockerfile copies something of the folder into the image; false without a Dockerfile. */
  readonly copied: boolean;
  /** Path of a Compose file, from the folder. */
  readonly compose: string | null;
  /** Branch that pull requests are merged into; null: not the top folder of a repository. */
  readonly branch: string | null;
  /** Two different states of the repository; null: only one commit, without changes. */
  readonly states: States | null;
  /** Folder of the forge's workflows. */
  readonly workflows: string;
  readonly meter: FoundMeter;
}

const DOCKERFILES = ['Dockerfile', 'docker/Dockerfile', '.docker/Dockerfile', 'Containerfile'];
/** An instruction that copies files of the build context, not those of another stage or image. */
const COPY = /^[ \t]*(?:COPY|ADD)[ \t](?!.*--from=)/im;
const COMPOSE_FILES = ['compose.yml', 'compose.yaml', 'docker-compose.yml', 'docker-compose.yaml'];
const FORGES = ['.gitea', '.forgejo'];
/** Names of benchmark commands, the most likely first. */
const NAMES = ['bench', 'benchmark', 'benchmarks', 'perf'];
const SCRIPTS = ['', 'scripts/', 'bench/', 'benchmarks/'].flatMap((folder) =>
  [...NAMES, 'run'].map((name) => `${folder}${name}.sh`),
);

/** Inspects the folder and the meters. Missing things cause no error. */
export async function inspectFolder(folder: string): Promise<FolderFacts> {
  const isFile = (path: string) => statSync(join(folder, path), { throwIfNoEntry: false })?.isFile() === true;
  const text = (path: string) => (isFile(path) ? readFileSync(join(folder, path), 'utf8') : '');
  const isFolder = (path: string) => statSync(join(folder, path), { throwIfNoEntry: false })?.isDirectory() === true;
  const forge = FORGES.find((path) => isFolder(path)) ?? '.github';
  const branch = await findBranch(folder);
  const dockerfile = DOCKERFILES.find(isFile) ?? null;
  return {
    command: findCommand(folder, isFile, text),
    suite: findSuite(folder, text),
    dockerfile,
    copied: COPY.test(text(dockerfile ?? '')),
    compose: COMPOSE_FILES.find(isFile) ?? null,
    branch,
    states: branch === null ? null : await findStates(folder, branch),
    workflows: `${forge}/workflows`,
    meter: await findMeter(),
  };
}

/** Files that name the packages of a Python project. */
const PYTHON_FILES = [
  '{pyproject.toml,setup.py,setup.cfg,tox.ini,Pipfile,noxfile.py,conftest.py}',
  '{*requirements*,requirements/*}.{txt,in}',
];
/** Files in which pytest looks for tests. */
const PYTHON_TESTS = '**/{test_*,*_test}.py';
/** A package name in any spelling, or a test with the fixture that the package provides. */
const PYTEST_BENCHMARK = /pytest[-_.]benchmark|\bdef test\w*\([^)]*\bbenchmark\b/i;

function findSuite(folder: string, text: (path: string) => string): FoundSuite | null {
  const pytestIn = (patterns: string | readonly string[]): FoundSuite | null => {
    const where = filesIn(folder, patterns).find((path) => PYTEST_BENCHMARK.test(text(path)));
    return where === undefined ? null : { harness: 'pytest-benchmark', target: null, where };
  };
  const pytest = pytestIn(PYTHON_FILES);
  if (pytest !== null) return pytest;
  const cargo = text('Cargo.toml');
  const bench = /\[\[bench\]\][^[]*?name\s*=\s*"([^"]+)"/.exec(cargo)?.[1];
  if (bench !== undefined && cargo.includes('criterion'))
    return { harness: 'criterion', target: bench, where: 'Cargo.toml' };
  const vitest = /"vitest":\s*"[^\d"]*(\d+)/.exec(text('package.json'))?.[1];
  // Older versions have no option for the number of calls.
  if (Number(vitest) >= 5 && filesIn(folder, '**/*.bench.{,c,m}{j,t}s{,x}').length > 0)
    return { harness: 'vitest', target: null, where: 'package.json' };
  const goFiles = text('go.mod') === '' ? [] : filesIn(folder, '**/*_test.go');
  const go = goFiles.find((path) => /^func Benchmark/m.test(text(path)));
  // A project in another language may hold Python tests of its tools.
  return go === undefined ? pytestIn(PYTHON_TESTS) : { harness: 'go', target: null, where: go };
}

/** Files of the project itself, without those of hidden folders and installed packages. */
function filesIn(folder: string, patterns: string | readonly string[]): string[] {
  const exclude = ['**/.*', '**/{node_modules,vendor,third_party,venv,site-packages}'];
  return globSync(patterns, { cwd: folder, exclude }).toSorted();
}

/** A script's interpreter with its options, without `env` and the usual folders: another shell would fail, or do other work. */
const INTERPRETER = /^#!\s*(?:(?:\/usr)?\/bin\/(?:env\s+(?:-S\s*)?)?)?((?!-)[\w./+= -]+?)\s*(?:\n|$)/;

function findCommand(
  folder: string,
  isFile: (path: string) => boolean,
  text: (path: string) => string,
): FoundCommand | null {
  const script = SCRIPTS.find((path) => path !== 'run.sh' && isFile(path));
  if (script !== undefined) return { run: `${INTERPRETER.exec(text(script))?.[1] ?? 'sh'} ${script}`, where: script };
  const inPackage = Object.keys(parseScripts(text('package.json')));
  const npm = NAMES.find((name) => inPackage.includes(name));
  if (npm !== undefined) return { run: `npm run ${npm}`, where: 'package.json' };
  const makefile = ['Makefile', 'makefile', 'GNUmakefile'].find(isFile);
  const targets = [...text(makefile ?? '').matchAll(/^([\w.-]+)\s*:(?!=)/gm)].map(([, target]) => target ?? '');
  const make = NAMES.find((name) => targets.includes(name));
  if (make !== undefined) return { run: `make ${make}`, where: makefile ?? '' };
  if (isFile('Cargo.toml') && filesIn(folder, 'benches/*').length > 0) return { run: 'cargo bench', where: 'benches/' };
  return inPackage.includes('test') ? { run: 'npm test', where: 'package.json, whose tests are all there is' } : null;
}

function parseScripts(text: string): object {
  try {
    const { scripts } = JSON.parse(text);
    return typeof scripts === 'object' && scripts !== null ? scripts : {};
  } catch {
    return {};
  }
}

/** The clone's default branch, else one with a usual name, else the current branch. */
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

/** The states to compare: this branch and its merge base; on the default branch, uncommitted changes, else the last commit. */
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
    await Promise.all(meters.map((meter) => meter.stop()));
    const info = meters[0]?.info;
    const name = info === undefined ? 'auto' : info.address === null ? info.type : `${info.type}:${info.address}`;
    return { name, sentence: chosen ?? '', measured: info?.source === 'measured' };
  } catch (error) {
    return { name: 'auto', sentence: messageOf(error), measured: false };
  }
}
