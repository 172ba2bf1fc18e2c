// Class: unit.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { REPOSITORY, VERSION } from '../src/version.ts';

const { jobs } = parse(readFileSync('.github/workflows/release.yml', 'utf8')) as {
  jobs: { release: { steps: { name?: string; run?: string }[] } };
};

/** The part of GitHub's `gh` that the workflow asks, with the scratch repository in the place of GitHub's. What the file `fails` names, fails. */
const GH = `#!/bin/sh
set -eu
case "gh $*" in *"$(cat fails 2>/dev/null || echo nothing)"*)
  echo 'gh: Server Error (HTTP 502)' >&2
  exit 1
  ;;
esac
case "$1 $2" in
  'release view')
    if [ -e "draft-$3.md" ]; then echo true; exit; fi
    if [ -e "published-$3.md" ]; then echo false; exit; fi
    echo 'release not found' >&2
    exit 1
    ;;
  'release create')
    git rev-parse -q --verify "refs/tags/$3" >/dev/null
    [ ! -e "draft-$3.md" ] && [ ! -e "published-$3.md" ]
    case "$*" in *--draft*) cp notes.md "draft-$3.md" ;; *) cp notes.md "published-$3.md" ;; esac
    exit
    ;;
  'release upload')
    [ -e "draft-$3.md" ]
    case "$*" in *--clobber*) exit ;; *) exit 1 ;; esac
    ;;
  'release edit')
    mv "draft-$3.md" "published-$3.md"
    exit
    ;;
  'release verify')
    if [ -e immutable ]; then exit; fi
    echo "no attestations for tag $3" >&2
    exit 1
    ;;
esac
shift
method=GET path= ref= sha=
while [ $# -gt 0 ]; do
  case $1 in
    --method) method=$2; shift ;;
    --jq) shift ;;
    -f | -F)
      [ "$method" != GET ] || method=POST
      case $2 in ref=*) ref=\${2#ref=} ;; sha=*) sha=\${2#sha=} ;; esac
      shift
      ;;
    *) path=$1 ;;
  esac
  shift
done
name=refs/\${path#*/git/ref*/}
case $path in */compare/*)
  name=refs/tags/\${path#*/compare/}
  head=\${name#*...} name=\${name%%...*}
  ;;
esac
if [ "$method" != POST ] && ! git rev-parse -q --verify "$name" >/dev/null; then
  echo 'gh: Not Found (HTTP 404)' >&2
  exit 1
fi
case $path in */compare/*)
  if [ "$(git rev-parse "$name")" = "$head" ]; then echo identical
  elif git merge-base --is-ancestor "$head" "$name"; then echo behind
  else echo ahead
  fi
  exit
  ;;
esac
case $method in
  POST) git update-ref "$ref" "$sha" '' ;;
  GET) git rev-parse "$name" ;;
  PATCH) git update-ref "$name" "$sha" ;;
esac
`;

/** npm, which keeps what it publishes, and what release was public by then. */
const NPM = `#!/bin/sh
case $1 in
  view) grep -qs "joulediff-v\${2#*@}.npm.tgz" npm.log && echo "\${2#*@}" ;;
  *)
    case "npm $*" in *"$(cat fails 2>/dev/null || echo nothing)"*) exit 1 ;; esac
    echo "$*" published-*.md >>npm.log
    ;;
esac
`;

let folder: string;
const folders: string[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'joulediff-release-'));
  folders.push(folder);
  mkdirSync(join(folder, 'bin'));
  writeFileSync(join(folder, 'bin', 'gh'), GH, { mode: 0o755 });
  writeFileSync(join(folder, 'bin', 'npm'), NPM, { mode: 0o755 });
  git('init', '-q', '-b', 'main');
});
afterAll(() => {
  for (const one of folders) rmSync(one, { recursive: true, force: true });
});

function git(...words: string[]): string {
  const who = ['-c', 'user.name=test', '-c', 'user.email=test@example.test'];
  const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
  return execFileSync('git', [...who, ...words], { cwd: folder, encoding: 'utf8', env }).trim();
}

/** Commits a version, and runs a step of the workflow on it as GitHub's runner does. */
function commit(version: string, changes: string): string {
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'joulediff', version }));
  writeFileSync(join(folder, 'CHANGELOG.md'), changes);
  writeFileSync(join(folder, 'README.md'), '- uses: us/joulediff@v1   # by its tag\n');
  git('add', '-A');
  git('commit', '-q', '-m', version);
  return git('rev-parse', 'HEAD');
}

function step(name: string, env: Record<string, string>) {
  const script = jobs.release.steps.find((one) => one.name?.startsWith(name))?.run ?? '';
  const output = join(folder, 'output');
  writeFileSync(output, '');
  const { status, stdout, stderr } = spawnSync(
    'bash',
    ['--noprofile', '--norc', '-e', '-o', 'pipefail', '-c', script],
    {
      cwd: folder,
      encoding: 'utf8',
      env: {
        PATH: [join(folder, 'bin'), dirname(process.execPath), process.env.PATH].join(delimiter),
        GITHUB_REPOSITORY: 'us/joulediff',
        GITHUB_OUTPUT: output,
        ...env,
      },
    },
  );
  return { status, said: stdout + stderr, output: readFileSync(output, 'utf8') };
}

function release(sha: string, publish = '') {
  const { status, said, output } = step('Find the version', { GITHUB_SHA: sha });
  if (status !== 0) return said;
  const [, version = '', major = '', tag = ''] = /^version=(.*)\nmajor=(.*)\ntag=(.*)\n$/.exec(output) ?? [];
  const env = { GITHUB_SHA: sha, VERSION: version, MAJOR: major, TAG: tag, PUBLISH: publish };
  return step('Tag and publish', env).said;
}

const tags = () =>
  Object.fromEntries(
    git('tag')
      .split('\n')
      .map((tag) => [tag, git('rev-parse', tag)]),
  );

describe('a release', () => {
  it('makes v1 of version 1.0.0, and moves it with each later version', () => {
    const changes = '# Changelog\n\n## 1.0.0\nIt measures.\n\n## 0.1.0\nIt began.\n';
    const first = commit('1.0.0', changes);
    release(first);
    expect(tags()).toEqual({ 'v1.0.0': first, v1: first });
    const notes = readFileSync(join(folder, 'published-v1.0.0.md'), 'utf8');
    expect(notes).toBe(`It measures.\n\n\n\`\`\`yaml\n- uses: us/joulediff@${first} # v1.0.0\n\`\`\`\n`);

    const second = commit('1.1.0', changes.replace('## 1.0.0', '## 1.1.0\nIt measures more.\n\n## 1.0.0'));
    release(second);
    expect(tags()).toEqual({ 'v1.0.0': first, 'v1.1.0': second, v1: second });
  });

  it('is published to npm only where the owner has switched that on, and before it is public', () => {
    const changes = '## 1.0.0\nIt measures.\n\n## 1.0.1\nIt measures better.\n';
    release(commit('1.0.0', changes));
    expect(existsSync(join(folder, 'npm.log'))).toBe(false);

    writeFileSync(join(folder, 'immutable'), '');
    const second = commit('1.0.1', changes);
    release(second, 'true');
    expect(readFileSync(join(folder, 'npm.log'), 'utf8')).toBe(
      'publish joulediff-v1.0.1.npm.tgz published-v1.0.0.md\n',
    );
    expect(tags()).toMatchObject({ 'v1.0.1': second, v1: second });
  });

  it('moves v1 to no release that can still be changed, where releases are published', () => {
    const changes = '## 1.0.0\nIt measures.\n\n## 1.0.1\nIt measures better.\n';
    const first = commit('1.0.0', changes);
    release(first);
    expect(release(commit('1.0.1', changes), 'true')).toContain('no attestations');
    expect(tags()).toMatchObject({ v1: first });
  });

  it.each([
    'gh release create',
    'gh release upload',
    'npm publish',
    'gh release edit',
    'gh release verify',
    'refs/tags/v1 ',
  ])('that failed at %s is completed when it is started again', (fails) => {
    const sha = commit('1.0.0', '## 1.0.0\nIt measures.\n');
    writeFileSync(join(folder, 'immutable'), '');
    writeFileSync(join(folder, 'fails'), fails);
    release(sha, 'true');
    expect(tags()).toEqual({ 'v1.0.0': sha });
    rmSync(join(folder, 'fails'));
    release(sha, 'true');
    expect(tags()).toEqual({ 'v1.0.0': sha, v1: sha });
    expect(existsSync(join(folder, 'published-v1.0.0.md'))).toBe(true);
    expect(readFileSync(join(folder, 'npm.log'), 'utf8').match(/publish /g)).toHaveLength(1);
    expect(release(sha, 'true')).toContain('::error::v1.0.0 is released already');
  });

  it('that is started again after a later one does not take v1 back', () => {
    const changes = '## 1.0.0\nIt measures.\n\n## 1.0.1\nIt measures better.\n';
    const first = commit('1.0.0', changes);
    release(first);
    const second = commit('1.0.1', changes);
    release(second);
    git('checkout', '-q', '-f', first);
    expect(release(first)).toContain('::error::v1.0.0 is released already');
    expect(tags()).toMatchObject({ v1: second });
  });

  it.each(['0.1.0', '10.0.0'])('is refused where README.md names another major version: %s', (version) => {
    const sha = commit(version, `## ${version}\nIt measures.\n`);
    const major = `v${version.split('.')[0]}`;
    expect(release(sha)).toContain(
      `::error::README.md does not name joulediff@${major}, the tag that v${version} moves`,
    );
    expect(git('tag')).toBe('');
  });

  it('goes no further while GitHub does not say whether there is one', () => {
    const sha = commit('1.0.0', '## 1.0.0\nIt measures.\n');
    writeFileSync(join(folder, 'fails'), 'git/ref/tags');
    expect(release(sha)).toContain('HTTP 502');
    expect(git('tag')).toBe('');
  });

  it('is refused where its version is there already, or the changelog does not tell of it', () => {
    const first = commit('1.0.0', '## 1.0.0\nIt measures.\n');
    release(first);
    const again = commit('1.0.0', '## 1.0.0\nIt measures again.\n');
    expect(release(again)).toContain('::error::v1.0.0 is released already');
    const unreported = commit('1.0.1', '## 1.0.1 (unreleased)\nIt measures.\n');
    expect(release(unreported)).toContain('::error::CHANGELOG.md has no section ## 1.0.1');
    expect(tags()).toEqual({ 'v1.0.0': first, v1: first });
  });
});

it('the citation is of this version, with what its format requires', () => {
  const citation = parse(readFileSync('CITATION.cff', 'utf8'));
  // https://github.com/citation-file-format/citation-file-format/blob/main/schema-guide.md: the required keys.
  expect(citation).toMatchObject({
    'cff-version': '1.2.0',
    message: expect.any(String),
    title: 'joulediff',
    authors: [{ name: expect.any(String) }],
    type: 'software',
    version: VERSION,
    license: 'MIT',
    'repository-code': `https://github.com/${REPOSITORY}`,
  });
});

/** The owner's name as the package has it, and where this checkout still has another one before the repository's. */
function owners(checkout: string, other = 'OWNER'): { owner: string; left: string[] } {
  const { url } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8')).repository as { url: string };
  const [, owner = ''] = /github\.com\/([^/]+)\/joulediff\.git$/.exec(url) ?? [];
  const words = ['grep', '-lE', `(^|[^A-Za-z_])${other}/joulediff`];
  const { stdout } = spawnSync('git', words, { cwd: checkout, encoding: 'utf8' });
  return { owner, left: stdout.split('\n').filter(Boolean) };
}

describe('the name of the owner', () => {
  it('is nowhere left to be filled in once the package has it', () => {
    const { owner, left } = owners('.');
    if (owner === 'OWNER') expect(left).toContain('package.json');
    else expect(left).toEqual([]);
  });

  it('is set everywhere by the command of the developers’ page, and changed by what that says then', () => {
    const files = execFileSync('git', ['ls-files', '-z'], { encoding: 'utf8' }).split('\0').filter(Boolean);
    for (const file of files) if (!file.startsWith('dist/')) cpSync(file, join(folder, file));
    git('add', '-A');
    let { owner: before } = owners(folder);
    // No account can have two hyphens in a row.
    for (const owner of ['first--owner', 'second--owner']) {
      const page = readFileSync(join(folder, 'docs/development.md'), 'utf8');
      const [command = ''] = /^git grep .*\/joulediff,g'$/m.exec(page) ?? [];
      execFileSync('bash', ['-c', command.replace(/[^,]+(?=\/joulediff,g)/, owner)], { cwd: folder });
      expect(owners(folder, before)).toEqual({ owner, left: [] });
      expect(readFileSync(join(folder, 'README.md'), 'utf8')).toContain(`uses: ${owner}/joulediff@v1`);
      expect(readFileSync(join(folder, 'src/version.ts'), 'utf8')).toContain(`'${owner}/joulediff'`);
      before = owner;
    }
  });

  it('is in no test without the repository, where that command would not find it', () => {
    // Whose runner it is, is another matter.
    const words = 'grep -nw -e OWNER --and --not -e OWNER/joulediff --and --not -e orgs/OWNER -- __tests__';
    const all = [...words.split(' '), ':(exclude)__tests__/release.test.ts'];
    const { status, stdout } = spawnSync('git', all, { encoding: 'utf8' });
    // 1: git has looked, and found nothing.
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  });

  it('is in the program as in the package', () => {
    const { repository } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect(repository.url).toBe(`git+https://github.com/${REPOSITORY}.git`);
  });
});
