// Class: world.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';

const page = readFileSync(fileURLToPath(new URL('../../docs/runner.md', import.meta.url)), 'utf8');
const script = readFileSync(fileURLToPath(new URL('../../runner-setup/install.sh', import.meta.url)), 'utf8');
const blocks = [...page.matchAll(/^( *)```sh\n([\s\S]*?)^ *```$/gm)].map(([, , commands = '']) => commands);

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'joulediff-page-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A configuration as install.sh writes it, after the page's own command has edited it. */
function edited(name: string): string {
  const [, text = ''] = new RegExp(`"\\$etc/${name}"[^\\n]*<<'END'\\n([\\s\\S]*?)^END$`, 'm').exec(script) ?? [];
  const file = join(folder, basename(name));
  writeFileSync(file, text);
  const [command = ''] = blocks.flatMap((block) =>
    block.split('\n').filter((line) => line.endsWith(` /etc/joulediff/${name}`)),
  );
  const here = command.replace(/^sudo /, '').replace(`/etc/joulediff/${name}`, file);
  expect(spawnSync('sh', ['-c', here], { encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
  return readFileSync(file, 'utf8');
}

describe('the page of the runner', () => {
  it('shows commands that a shell takes', () => {
    expect(blocks.length).toBeGreaterThan(10);
    for (const block of blocks) {
      const { status, stderr } = spawnSync('bash', ['-n'], { encoding: 'utf8', input: block });
      expect({ block, status, stderr }).toEqual({ block, status: 0, stderr: '' });
    }
  });

  it('edits the configurations to what it says, and nothing else', () => {
    const { connections } = parse(edited('forgejo-runner.yaml')).server;
    expect(connections.forgejo).toMatchObject({
      url: 'https://forgejo.example.com/',
      uuid: '01234567-89ab-cdef-0123-456789abcdef',
      token_url: 'file:/etc/joulediff/forgejo.token',
    });
    // By a name that its runner doesn't give to bash, which would do what a variable of the job says before it reads the hook.
    const [, written = ''] = /"\$etc\/gitea-runner\.yaml"[^\n]*<<'END'\n([\s\S]*?)^END$/m.exec(script) ?? [];
    const { runner, container } = parse(written);
    expect(runner.hooks).toEqual({ job_started: '/opt/joulediff/hooks/job-started' });
    expect(script).toContain('  hook job-started.sh job-started ');
    expect(container).toEqual({ docker_host: '-' });
    const settings = edited('github.conf')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    expect(settings).toEqual([
      expect.stringMatching(/^GITHUB_SCOPE=repos\/\w+\/REPOSITORY$/),
      'RUNNER_LABELS=joulediff',
    ]);
  });
});
