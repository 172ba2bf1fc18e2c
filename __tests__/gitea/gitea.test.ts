// Class: world, gitea, long.
import { describe, it } from '@jest/globals';
import { giteaSuite } from '../forge/gitea-suite.ts';
import { startGitea } from './real.ts';

/** Where `npm test` has built a Gitea. */
const home = process.env.JOULEDIFF_TEST_GITEA;

describe('a real Gitea', () => {
  if (home) giteaSuite(() => startGitea(home));
  else
    it.skip('is not there: npm test -- __tests__/gitea builds one where Go and its module proxy can be reached', () =>
      undefined);
});
