import { execFile, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { lockMachine } from '../../src/measure/lock.ts';
import { hookWith } from '../runner-setup/hook-with.ts';
import { entry } from '../terminal/program.ts';
import { endedRun, type Forge, logsOf, openPullRequest, runsOf, succeededRun, until } from './forge.ts';
import { approveRun, pushToFork } from './fork.ts';
import { type Clone, newClone, writeWorkflow } from './repositories.ts';

const SETUP = fileURLToPath(new URL('../../runner-setup/', import.meta.url));
const UNIT = readFileSync(join(SETUP, 'systemd/joulediff-gitea-runner.service'), 'utf8');
const INSTALL = readFileSync(join(SETUP, 'install.sh'), 'utf8');
const LOCK = `unit.${randomUUID()}`;
const FILE = 'killed.yml';

/** Which pull requests the hook says that the machine doesn't run. */
const refusalIn = (log: string): string =>
  /runs no (pull request of a fork|job whose event it cannot read)/.exec(log)?.[1] ?? log;

/** The unit of Gitea's runner without systemd: its hooks as it names them, and our runner where it starts Gitea's. */
export function hookScenarios(forge: () => Forge, program: string): void {
  describe('the unit of the runner', () => {
    let clone: Clone;
    let folder: string;
    let env: NodeJS.ProcessEnv;

    const settings = (rules: string) =>
      `JOULEDIFF='${folder}/joulediff'\nNODE='${process.execPath}'\nHOME='${folder}'\nJOULEDIFF_LOCK='${LOCK}'\n${rules}`;
    /** What the unit does around a job, as it is installed. */
    const hook = (setting: 'ExecStartPre' | 'ExecStopPost') => {
      const [, name = '', words] = new RegExp(`^${setting}=@PREFIX@/hooks/(\\S+)(?: (.*))?$`, 'm').exec(UNIT) ?? [];
      return spawnSync(hookWith(folder, name, settings('')), words?.split(' ') ?? [], { encoding: 'utf8', env });
    };
    /** What the configuration of Gitea's runner names for inside the job, by the name and with the content that it is installed with. */
    const hookInside = (rules: string) => {
      const [, name = ''] = /^ {4}job_started: \/opt\/joulediff\/hooks\/(\S+)/m.exec(INSTALL) ?? [];
      const [, source = ''] = new RegExp(`^ *hook (\\S+) ${name} `, 'm').exec(INSTALL) ?? [];
      return hookWith(folder, source, settings(rules), name);
    };
    const runOneJob = async (rules = '') => {
      const { gitea } = forge();
      const { token } = await gitea.api<{ token: string }>('POST', 'admin/actions/runners/registration-token');
      const words = ['-forge', gitea.url, '-token', token, '-name', 'unit', '-labels', 'unit', '-folder', folder];
      await promisify(execFile)(program, [...words, '-once', '-hook', hookInside(rules)], { env });
    };
    /** Begins an experiment, and kills it without warning while its workload runs. */
    const killed = (name: string) => `sh '${folder}/killed.sh' '${folder}/${name}'`;
    const workload = (name: string) => Number(readFileSync(join(folder, name, 'pid'), 'utf8'));
    const isReaped = (name: string) => hasEnded(workload(name)) && existsSync(join(folder, name, 'out/experiment.db'));

    beforeAll(async () => {
      const { gitea } = forge();
      folder = forge().folder('unit');
      mkdirSync(folder);
      env = {
        PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
        HOME: folder,
        NODE_OPTIONS: '',
        JOULEDIFF_LOCK: LOCK,
      };
      writeFileSync(join(folder, 'joulediff'), `#!/bin/sh\nexec '${process.execPath}' '${entry}' "$@"\n`);
      chmodSync(join(folder, 'joulediff'), 0o755);
      const run = 'echo $$ >pid.new; mv pid.new pid; exec sleep 600';
      const experiment = { workload: { run }, variants: { a: {}, b: {} }, rest: '0s', guard: '0s', meter: 'estimate' };
      writeFileSync(join(folder, 'joulediff.yml'), JSON.stringify(experiment));
      writeFileSync(
        join(folder, 'killed.sh'),
        `set -eu
mkdir "$1"
cp '${folder}/joulediff.yml' "$1"
cd "$1"
'${folder}/joulediff' measure joulediff.yml --out out >said 2>&1 &
until [ -e pid ]; do kill -0 $! || { cat said; exit 1; }; sleep 0.1; done
kill -9 $!
`,
      );
      await gitea.api('POST', 'user/repos', { name: 'killed', default_branch: 'main' });
      clone = newClone(forge().folder('killed'), gitea, 'bot/killed');
      const job = { 'runs-on': 'unit', steps: [{ run: killed('by-job') }] };
      writeWorkflow(clone, FILE, { on: 'push', jobs: { killed: job } });
    });

    it('lets no job in while an experiment is measured, and removes what was left before the job and after it', async () => {
      const { gitea } = forge();
      const sha = clone.push('main', 'Leave everything as a killed job does');
      {
        using _lock = lockMachine('the experiment "night"', LOCK);
        const { status, stdout, stderr } = hook('ExecStartPre');
        expect({ status, stdout }).toEqual({
          status: 1,
          stdout: expect.stringContaining('::error::Another experiment'),
        });
        expect(stderr).toContain('It is the experiment "night"');
        // systemd runs it after a start that failed, too.
        expect(hook('ExecStopPost')).toMatchObject({ status: 0, stderr: '' });
      }
      const [waiting] = await until('the run of the job', async () => {
        const runs = await runsOf(gitea, 'bot/killed', FILE, sha);
        return runs.length > 0 ? runs : null;
      });
      expect(waiting?.conclusion ?? null).toBeNull();

      expect(spawnSync('sh', ['-c', killed('by-hand')], { encoding: 'utf8', env })).toMatchObject({ status: 0 });
      expect(isReaped('by-hand')).toBe(false);
      expect(hook('ExecStartPre')).toMatchObject({ status: 0, stderr: '' });
      await until('the end of what was left before', () => isReaped('by-hand') || null);

      await runOneJob();
      await succeededRun(gitea, 'bot/killed', FILE, sha);
      expect(isReaped('by-job')).toBe(false);
      expect(hook('ExecStopPost')).toMatchObject({ status: 0, stderr: '' });
      await until('the end of what the job left', () => isReaped('by-job') || null);
    }, 600_000);

    it('refuses a fork’s pull request before its first step, until the owner of the machine allows it', async () => {
      const { gitea } = forge();
      await gitea.api('POST', 'user/repos', { name: 'guarded', default_branch: 'main' });
      const guarded = newClone(forge().folder('guarded'), gitea, 'bot/guarded');
      const steps = [{ run: 'echo what was "sent" runs', shell: 'sh' }];
      // What a stranger may set in his workflow, for all jobs and for one: to answer in the owner's place, or to run before the hook does.
      const ran = join(folder, 'ran');
      const event = join(folder, 'own.json');
      writeFileSync(event, '{}');
      const reported = {
        ALLOW_FORKS: 'yes',
        NODE_OPTIONS: `--import=data:text/javascript,import('node:fs').then(fs=>fs.writeFileSync('${ran}',''));console.log('own')`,
        BASH_ENV: `$(: >'${ran}')`,
        LD_PRELOAD: join(folder, 'nothing.so'),
      };
      const reportedAgain = {
        GITHUB_EVENT_NAME: 'push',
        GITHUB_EVENT_PATH: event,
        HOME: '/',
        conf: event,
        JOULEDIFF: '/bin/true',
      };
      writeWorkflow(guarded, 'guarded.yml', {
        on: 'pull_request',
        env: reported,
        jobs: { guarded: { 'runs-on': 'unit', env: reportedAgain, steps } },
      });
      guarded.push('main', 'Run what is sent');
      const ended = async (sha: string) => {
        const { id, conclusion } = await endedRun(gitea, 'bot/guarded', 'guarded.yml', sha);
        let log = '';
        // The forge may tell the end of a job before it has all lines of its log.
        const reported = until('a word of the hook or of the job in its log', async () => {
          log = await logsOf(gitea, 'bot/guarded', id);
          const refused = log.includes('::error::');
          const ran = log.includes('what was sent runs');
          return refused || ran ? { conclusion, refused: refused && refusalIn(log), ran } : null;
        });
        return reported.catch((cause: Error) => {
          throw new Error(`${cause.message}, which ended as ${conclusion}: ${JSON.stringify(log.slice(-4000))}`, {
            cause,
          });
        });
      };

      const own = guarded.push('own', 'A colleague’s feature');
      await openPullRequest(gitea, 'bot/guarded', 'own');
      await runOneJob();
      expect(await ended(own)).toEqual({ conclusion: 'success', refused: false, ran: true });

      const { sha, eve } = await pushToFork(gitea, 'guarded', guarded, 'A stranger’s feature');
      await openPullRequest(gitea, 'bot/guarded', 'eve:feature', eve);
      await approveRun(gitea, 'bot/guarded', 'guarded.yml', sha);
      await runOneJob();
      expect(await ended(sha)).toEqual({ conclusion: 'failure', refused: 'pull request of a fork', ran: false });
      expect(existsSync(ran)).toBe(false);

      const allowed = guarded.push('feature', 'A stranger’s better feature');
      await approveRun(gitea, 'bot/guarded', 'guarded.yml', allowed);
      await runOneJob('ALLOW_FORKS=yes\n');
      expect(await ended(allowed)).toEqual({ conclusion: 'success', refused: false, ran: true });
    }, 600_000);
  });
}

/** What has ended and that nobody waits for stays as a zombie where the first process of a container is no init. */
function hasEnded(pid: number): boolean {
  try {
    return /\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return true;
  }
}
