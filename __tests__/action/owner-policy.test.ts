// Class: system.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { foreignCodeWarning, refuseForks } from '../../src/action/owner-policy.ts';
import { EVENTS } from '../forge/origin-events.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'joulediff-policy-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What is said to a job of us/it with this event on a machine whose owner has these settings; null: it may measure. */
function said(settings: string | null, event: unknown, name = 'pull_request'): string | null {
  const [policy, file] = [join(folder, 'runner.conf'), join(folder, 'event.json')];
  rmSync(policy, { recursive: true, force: true });
  if (settings !== null) writeFileSync(policy, settings);
  writeFileSync(file, event === undefined ? 'not JSON' : JSON.stringify(event));
  try {
    refuseForks({ GITHUB_REPOSITORY: 'us/it', GITHUB_EVENT_NAME: name, GITHUB_EVENT_PATH: file }, policy);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

const from = (head: string | null) => ({
  pull_request: { number: 1, head: { repo: head === null ? null : { full_name: head } } },
});
/** As install.sh writes it. */
const AS_INSTALLED = '# Whether …: no, or yes.\nALLOW_FORKS=no\nWHEN_BUSY=refuse\n';

describe('the owner of a machine', () => {
  it.each([
    ['has said no', AS_INSTALLED],
    ['has left it out', 'WHEN_BUSY=wait\n'],
    ['has said neither yes nor no', 'ALLOW_FORKS=sometimes\n'],
    ['has said yes in a remark', '# ALLOW_FORKS=yes\n'],
    ['has taken it back', 'ALLOW_FORKS=yes\nALLOW_FORKS=no\n'],
  ])('lets no fork be measured where he %s', (_, settings) => {
    for (const head of ['them/it', null]) {
      expect(said(settings, from(head))).toContain('This machine measures no pull request of a fork: its owner');
    }
    expect(said(settings, undefined)).toContain('measures no job whose event it cannot read');
    expect(said(settings, from('us/it'))).toBeNull();
    expect(said(settings, { ref: 'refs/heads/main' }, 'push')).toBeNull();
  });

  it.each(Object.entries(EVENTS))('is asked by events whose code is %s', (origin, events) => {
    const sentence = { own: null, fork: 'of a fork', unproved: 'does not prove', unreadable: 'it cannot read' }[origin];
    for (const [name, event] of events) {
      const expected = sentence === null ? null : expect.stringContaining(sentence as string);
      expect({ name, event, said: said(AS_INSTALLED, event, name) }).toEqual({ name, event, said: expected });
    }
  });

  it('is not needed for the repository to be warned of foreign code that has its rights', () => {
    const file = join(folder, 'event.json');
    const warning = (name: string, event: unknown) => {
      writeFileSync(file, JSON.stringify(event));
      return foreignCodeWarning({ GITHUB_REPOSITORY: 'us/it', GITHUB_EVENT_NAME: name, GITHUB_EVENT_PATH: file });
    };
    expect(warning('pull_request_target', from('them/it'))).toContain('This job belongs to a fork');
    expect(warning('issue_comment', { issue: { number: 5, pull_request: {} } })).toContain('may have checked out');
    expect(warning('pull_request', from('them/it'))).toBeNull();
    expect(warning('pull_request_target', from('us/it'))).toBeNull();
    expect(warning('push', {})).toBeNull();
  });

  it('lets forks in by a yes, as a shell reads it', () => {
    for (const yes of ['yes', '"yes"', "'yes' # after a review"]) {
      expect(said(`${AS_INSTALLED}ALLOW_FORKS=${yes}\n`, from('them/it'))).toBeNull();
    }
  });

  it('has no rule on a machine that was not set up as a runner, and lets nobody in by rules that can’t be read', () => {
    expect(said(null, from('them/it'))).toBeNull();
    const policy = join(folder, 'runner.conf');
    mkdirSync(policy);
    expect(() => refuseForks({ GITHUB_EVENT_PATH: join(folder, 'event.json') }, policy)).toThrow('of a fork');
  });
});
