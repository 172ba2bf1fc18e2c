// Which tests a change can reach.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { SetupError } from '../../runner-setup/command.mjs';
import { root } from '../../runner-setup/node24.mjs';

function told(program, words) {
  const { status, stdout, stderr } = spawnSync(program, words, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 28 });
  if (status !== 0) throw new SetupError(`${program} ${words.join(' ')} failed: ${stderr.trim()}`);
  return stdout;
}

/** Files that differ from where this branch left origin/main, or from the last commit where there is no such branch; new ones too. */
function changedFiles() {
  const { status, stdout } = spawnSync('git', ['merge-base', 'HEAD', 'origin/main'], { cwd: root, encoding: 'utf8' });
  const base = status === 0 ? stdout.trim() : 'HEAD';
  const listed =
    told('git', ['diff', '--name-only', base]) + told('git', ['ls-files', '--others', '--exclude-standard']);
  return listed.split('\n').filter(Boolean);
}

/** What imports what, by path, in both folders. */
function imports() {
  const words = [join(root, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs'), 'src', '__tests__'];
  const { modules } = JSON.parse(
    told(process.execPath, [...words, '--no-config', '--parser', 'swc', '-T', 'json', '-x', 'node_modules']),
  );
  return new Map(modules.map(({ source, dependencies }) => [source, dependencies.map(({ resolved }) => resolved)]));
}

/** Whatever starts the program, or its bundle, reaches all of src/. */
const STARTS = /^(?:__tests__\/(?:terminal\/(?:entry|program)|e2e\/program)\.ts|src\/cli\.ts)$/;

/** Whole ways, by programs that are built of it. */
const JOURNEYS = /^__tests__\/(?:e2e|gitea|soak)\//;

/** Those of `files` that import a changed file, however far down, or start a program that does. What is no source reaches all of them. */
export function affected(files) {
  const changed = changedFiles();
  if (changed.some((path) => !/^(?:src|__tests__|docs)\/.*|\.md$/.test(path))) return files;
  const graph = imports();
  const isChanged = new Set(changed);
  const isSource = changed.some((path) => path.startsWith('src/'));
  const reaches = (path, seen = new Set()) => {
    if (isChanged.has(path) || (isSource && STARTS.test(path))) return true;
    if (seen.has(path)) return false;
    seen.add(path);
    return (graph.get(path) ?? []).some((next) => reaches(next, seen));
  };
  return files.filter(({ path }) => reaches(path) || (isSource && JOURNEYS.test(path)));
}
