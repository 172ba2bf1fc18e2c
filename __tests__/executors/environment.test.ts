import { describe, expect, it } from '@jest/globals';
import { scrubEnvironment } from '../../src/executors/environment.ts';

describe('scrubEnvironment', () => {
  it.each([
    'INPUT_TOKEN',
    'INPUT_GITHUB-TOKEN',
    'STATE_experiment',
    'GITHUB_TOKEN',
    'GH_TOKEN',
    'GITEA_TOKEN',
    'NPM_TOKEN',
    'TOKEN',
    'ACTIONS_RUNTIME_TOKEN',
    'ACTIONS_RUNTIME_URL',
    'ACTIONS_ID_TOKEN_REQUEST_URL',
    'ACTIONS_ID_TOKEN_REQUEST_TOKEN',
    'ACTIONS_CACHE_URL',
    'ACTIONS_RESULTS_URL',
    'GITHUB_OUTPUT',
    'GITHUB_ENV',
    'GITHUB_PATH',
    'GITHUB_STATE',
    'GITHUB_STEP_SUMMARY',
    'JOULEDIFF_OWNER',
  ])('withholds %s', (name) => {
    expect(scrubEnvironment({ [name]: 'x', PATH: '/bin' })).toEqual({ PATH: '/bin' });
  });

  it.each([
    'PATH',
    'HOME',
    'RUNNER_TRACKING_ID',
    'RUNNER_TEMP',
    'GITHUB_SHA',
    'GITHUB_WORKSPACE',
    'TOKENIZERS_PARALLELISM',
    'EMPTY',
  ])('keeps %s', (name) => {
    const value = name === 'EMPTY' ? '' : 'x';
    expect(scrubEnvironment({ [name]: value })).toEqual({ [name]: value });
  });

  it('leaves out what is not set', () => {
    expect(scrubEnvironment({ HOME: undefined })).toEqual({});
  });
});
