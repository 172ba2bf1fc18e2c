// Real harnesses of benchmarks, each in a folder of its own with the project that __tests__/harnesses/projects has for it.
import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { basename, join } from 'node:path';
import { find, run, SetupError, say } from '../../runner-setup/command.mjs';
import { root } from '../../runner-setup/node24.mjs';
import { ensurePythonPackage } from './python-package.mjs';

const PROJECTS = join(root, '__tests__/harnesses/projects');
const VITEST = '5.1.2';

/** Packages of PyPI, in the order of the search path. */
const PYTHON = [
  { name: 'pytest-benchmark', version: '5.3.1', holds: 'pytest_benchmark', size: '0.1 MB' },
  { name: 'py-cpuinfo2', version: '10.1.1', holds: 'cpuinfo', size: '0.1 MB' },
  { name: 'google-benchmark', version: '1.9.5', holds: 'google_benchmark', size: '0.5 MB' },
];

/** What JMH needs at run time, in Maven's local repository, which Java looks for where the user is at home. */
const JARS = [
  'org/openjdk/jmh/jmh-core/1.37/jmh-core-1.37.jar',
  'net/sf/jopt-simple/jopt-simple/5.0.4/jopt-simple-5.0.4.jar',
  'org/apache/commons/commons-math3/3.6.1/commons-math3-3.6.1.jar',
];

/** By harness: what makes the folder what a benchmark needs. Each throws where that can't be had. */
const MAKE = {
  vitest: async (folder, options) => {
    const npm = ['install', '--no-save', '--no-audit', '--no-fund', '--silent', `vitest@${VITEST}`];
    await run(program('npm'), ['--prefix', folder, ...npm], options);
  },
  jmh: async (folder, options) => {
    await run(program('mvn'), ['-q', '-f', join(folder, 'pom.xml'), 'compile'], options);
    for (const jar of JARS) cpSync(join(userInfo().homedir, '.m2/repository', jar), join(folder, basename(jar)));
    // No line of it may be long.
    const paths = JARS.map((jar) => basename(jar)).join('\n  ');
    writeFileSync(join(folder, 'manifest'), `Main-Class: org.openjdk.jmh.Main\nClass-Path: ${paths}\n`);
    const jar = ['cfm', join(folder, 'calls.jar'), join(folder, 'manifest'), '-C', join(folder, 'target/classes'), '.'];
    await run(program('jar'), jar, options);
  },
  criterion: async (folder, options) => {
    const cargo = ['bench', '--quiet', '--no-run', '--manifest-path', join(folder, 'Cargo.toml')];
    await run(program('cargo'), cargo, { ...options, env: { ...process.env, ...rustHomes() } });
  },
};

/** Where Rust lies of the user whose HOME is another folder here; empty where it is found anyway. */
export function rustHomes() {
  // A start of Rust's programs makes the folders, and leaves them empty.
  const homes = { RUSTUP_HOME: ['.rustup', 'toolchains'], CARGO_HOME: ['.cargo', 'bin'] };
  return Object.fromEntries(
    Object.entries(homes).flatMap(([name, [folder, part]]) => {
      const own = join(userInfo().homedir, folder);
      const isThere = (home) => existsSync(join(home, folder, part));
      return process.env[name] || isThere(homedir()) || !isThere(userInfo().homedir) ? [] : [[name, own]];
    }),
  );
}

function program(name) {
  const path = find(name);
  if (path === null) throw new SetupError(`There is no ${name} here.`);
  return path;
}

/** Gives variables that tests read: folders, by harness. What can't be had is not there, and is told. */
export async function ensureHarnesses({ signal } = {}) {
  const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'joulediff', 'harnesses');
  const found = {};
  for (const [name, make] of Object.entries(MAKE)) {
    const folder = join(cache, name);
    try {
      if (!existsSync(join(folder, 'made'))) {
        say(`making a project with ${name} in ${folder}`);
        rmSync(folder, { recursive: true, force: true });
        mkdirSync(folder, { recursive: true });
        cpSync(join(PROJECTS, name), folder, { recursive: true });
        await make(folder, { signal, seconds: 300 });
        writeFileSync(join(folder, 'made'), '');
      }
      found[name] = folder;
    } catch (error) {
      signal?.throwIfAborted();
      say(`${error.message.split('\n')[0]}\nThe tests with the real ${name} are skipped.`);
    }
  }
  try {
    const folders = [];
    for (const one of PYTHON) folders.push(await ensurePythonPackage({ ...one, signal }));
    found.python = folders.join(':');
  } catch (error) {
    signal?.throwIfAborted();
    say(`${error.message.split('\n')[0]}\nThe tests with the real google-benchmark are skipped.`);
  }
  return found;
}
