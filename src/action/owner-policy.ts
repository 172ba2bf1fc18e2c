import { readFileSync } from 'node:fs';
import { InputError } from '../errors.ts';
import { readCodeOrigin } from '../forge/code-origin.ts';
import { type Env, readEvent } from '../forge/event.ts';
import { plain } from '../text/plain.ts';

/** Settings that the machine's owner makes with `runner-setup/install.sh`; a job can't change them. */
const POLICY = '/etc/joulediff/runner.conf';

/**
 * Refuses to measure code that the event does not prove to be from this repository, unless the machine's owner allows it. The runner's hook
 * before a job does the same, but Forgejo's runner has no such hook, and Gitea's uses the job's container image for it. Earlier steps have
 * already run. Throws InputError.
 */
export function refuseForks(env: Env, policy = POLICY): void {
  if (allowsForks(policy)) return;
  const origin = readCodeOrigin(env);
  if (origin === 'own') return;
  throw new InputError(`This machine measures ${REFUSED[origin]}: its owner has not allowed it in ${policy}.`, {
    advice:
      origin === 'unreadable'
        ? (readEvent(env).problem ?? undefined)
        : 'What it does was not run by joulediff, but the steps before this one have run. Its owner may set ALLOW_FORKS=yes there; better, measure it after a review, from a branch of the repository.',
  });
}

const REFUSED = {
  fork: 'no pull request of a fork',
  unproved:
    'no code that may come from a fork, and the event of this job does not prove that it comes from this repository',
  unreadable: 'no job whose event it cannot read',
} as const;

/** Log warning for measuring foreign code with this repository's permissions; null: not the case. */
export function foreignCodeWarning(env: Env): string | null {
  const name = env.GITHUB_EVENT_NAME ?? '';
  const hasRights = name !== '' && name !== 'pull_request' && !name.startsWith('pull_request_review');
  const origin = hasRights ? readCodeOrigin(env) : 'own';
  if (origin !== 'fork' && origin !== 'unproved') return null;
  const from = origin === 'fork' ? 'belongs to a fork' : 'may have checked out code of a fork';
  return `This job ${from}, and its event (${plain(name, 60)}) gives it the rights and secrets of this repository. Measure forks with the event pull_request, and publish from a job of its own (mode: publish).`;
}

/** Whether the policy allows forks. A machine without a policy was not set up by install.sh and has no such rule. */
function allowsForks(policy: string): boolean {
  try {
    const settings = readFileSync(policy, 'utf8').matchAll(
      /^\s*(?:export\s+)?ALLOW_FORKS=(["']?)(.*?)\1\s*(?:#.*)?$/gm,
    );
    return [...settings].at(-1)?.[2] === 'yes';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' || (error as NodeJS.ErrnoException).code === 'ENOTDIR';
  }
}
