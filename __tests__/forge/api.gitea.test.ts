// Class: system.
import { describe } from '@jest/globals';
import { startForgeServer } from '../servers/forge-server.ts';
import { type GiteaUnderTest, giteaSuite } from './gitea-suite.ts';

/** Plays what gitea.real.test.ts sees of the real one. */
async function played(): Promise<GiteaUnderTest> {
  const bot = { id: 1, login: 'bot' };
  const users = {
    full: { ...bot, access: 'write' as const },
    limited: { ...bot, access: 'read' as const },
    other: { id: 2, login: 'eve', access: 'write' as const },
  };
  const server = await startForgeServer({ mode: 'gitea', users, filters: false, delayMs: () => Math.random() * 10 });
  server.pull(5, { repository: 'octo/demo' });
  return {
    apiUrl: server.url,
    owner: 'octo',
    repository: 'demo',
    pullRequest: 5,
    token: 'full',
    limitedToken: 'limited',
    otherToken: 'other',
    close: server.close,
  };
}

describe('a played Gitea', () => giteaSuite(played));
