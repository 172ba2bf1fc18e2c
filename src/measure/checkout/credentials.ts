import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { isJob } from '../../system/gitea.ts';
import { isSecretValue } from '../../text/credentials.ts';
import { type GitOptions, git } from './git.ts';

/** Upper bound on the configuration files that are followed through includes. */
const MAX_FILES = 20;

/**
 * Where a workload would find credentials of the repository that a folder lies in: a sentence with what to do; null: nowhere, as far as is seen.
 * actions/checkout leaves its token in .git/config up to version 5, and since then in a file of RUNNER_TEMP that .git/config includes under a
 * condition (`includeIf`), where it is not told persist-credentials: false.
 */
export async function foundCredentials(
  folder: string,
  env: NodeJS.ProcessEnv,
  options: GitOptions,
): Promise<string | null> {
  try {
    const file = (await configIn(folder, options)) ?? null;
    const files = [...(file === null ? [] : await holding(file, isJob(env), options)), ...leftIn(env.RUNNER_TEMP)];
    if (files.length === 0) return null;
    return `The workload can read credentials of the checkout in ${[...new Set(files)].join(' and ')}. Give actions/checkout persist-credentials: false, or take them out before anything is measured.`;
  } catch {
    options.signal.throwIfAborted();
    // Where git is missing, no check is made; the warning is a courtesy.
    return null;
  }
}

/** The configuration of the repository; undefined: there is none. Git itself may refuse one of another owner, and is asked last. */
async function configIn(folder: string, options: GitOptions): Promise<string | undefined> {
  for (let at = resolve(folder); ; at = dirname(at)) {
    const place = join(at, '.git');
    if (existsSync(place)) {
      if (statSync(place).isDirectory()) return join(place, 'config');
      const common = await git(at, ['rev-parse', '--path-format=absolute', '--git-common-dir'], options);
      return common.code === 0 ? join(common.stdout.trim(), 'config') : undefined;
    }
    if (at === dirname(at)) return undefined;
  }
}

/** Files that hold a credential, from a configuration on through whatever it includes, under any condition. */
async function holding(first: string, ofJob: boolean, options: GitOptions): Promise<string[]> {
  const files = [first];
  const found: string[] = [];
  for (const file of files) {
    if (files.length > MAX_FILES || !existsSync(file)) continue;
    const { stdout } = await git(dirname(file), ['config', '--file', file, '--list', '--null'], options);
    for (const entry of stdout.split('\0')) {
      const [key = '', value = ''] = entry.split(/\n(.*)/s, 2);
      if (/^include(?:if\..*)?\.path$/i.test(key)) files.push(isAbsolute(value) ? value : join(dirname(file), value));
      if (isCredential(key, value, ofJob)) found.push(file);
    }
  }
  return found;
}

function isCredential(key: string, value: string, ofJob: boolean): boolean {
  if (/^http\..*\.extraheader$|^http\.extraheader$/i.test(key)) return /authorization:/i.test(value);
  // In a job, the key is the one that actions/checkout was given; a person's own command names a key that is elsewhere anyway.
  if (/^core\.sshcommand$/i.test(key)) return ofJob && / -i /.test(value);
  return /^(?:remote|url)\..*/i.test(key) && isSecretValue(`${key} ${value}`);
}

/** Files in which actions/checkout left credentials, also those of a checkout into another folder of the job. */
function leftIn(folder: string | undefined): string[] {
  if (folder === undefined || !isAbsolute(folder)) return [];
  const names = readdirSync(folder).filter((name) => /^git-credentials-.*\.config$/.test(name));
  return names.map((name) => join(folder, name));
}
