import { afterAll, beforeAll, describe, it } from '@jest/globals';
import { dockerfileScenarios } from './dockerfile.ts';
import { type Forge, startForge } from './forge.ts';
import { forkScenarios } from './fork.ts';
import { historyScenarios } from './history.ts';
import { hookScenarios } from './hooks.ts';
import { matrixScenarios } from './matrix.ts';
import { pullRequestScenarios } from './pull-request.ts';

// The workflows of `examples/` on a real Gitea, by a runner with Gitea's executor, on machines whose meters are emulated.

const home = process.env.JOULEDIFF_TEST_GITEA;
const program = process.env.JOULEDIFF_TEST_GITEA_RUNNER;

describe('a real Gitea with a real runner', () => {
  if (home && program) {
    let forge: Forge;
    beforeAll(async () => {
      forge = await startForge(home, program);
    });
    afterAll(() => forge?.stop());
    for (const scenarios of [
      pullRequestScenarios,
      dockerfileScenarios,
      forkScenarios,
      historyScenarios,
      matrixScenarios,
    ]) {
      scenarios(() => forge);
    }
    hookScenarios(() => forge, program);
  } else {
    it.skip('is not there: npm test -- __tests__/gitea builds both where Go and its module proxy can be reached', () =>
      undefined);
  }
});
