// Class: system.
import { describe, expect, it } from '@jest/globals';
import { inFolder, workloadEnvironment } from '../../src/executors/environment.ts';
import { isJob } from '../../src/system/gitea.ts';

const JOB = { GITHUB_ACTIONS: 'true' };
const CREDENTIALS = [
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
  'DATABASE_PASSWORD',
  'PGPASSWORD',
  'MYSQL_PWD',
  'SSH_AUTH_SOCK',
  'GIT_CONFIG_VALUE_0',
  'DOCKER_AUTH_CONFIG',
  'GITHUB_TOKEN',
  'NPM_TOKEN',
  'OPENAI_API_KEY',
  'SENTRY_DSN',
  'AZURE_STORAGE_CONNECTION_STRING',
  'ACTIONS_RUNTIME_TOKEN',
  'ACTIONS_ID_TOKEN_REQUEST_URL',
  'ACTIONS_CACHE_URL',
  'INPUT_GITHUB-TOKEN',
  'STATE_experiment',
  'GITHUB_OUTPUT',
  'GITHUB_ENV',
  'GITHUB_PATH',
  'GITHUB_STEP_SUMMARY',
  'JOULEDIFF_OWNER',
];

describe('In a job', () => {
  it.each([...CREDENTIALS, 'ANYTHING', 'https_proxy', 'NODE_OPTIONS'])('a workload does not see %s', (name) => {
    expect(workloadEnvironment({ ...JOB, [name]: 'x' }).inherited).toEqual(JOB);
  });

  it.each([
    'PATH',
    'HOME',
    'LANG',
    'LC_ALL',
    'TMPDIR',
    'TZ',
    'CI',
    'RUNNER_TRACKING_ID',
    'GITHUB_SHA',
    'JAVA_HOME',
  ])('a workload sees %s', (name) => {
    expect(workloadEnvironment({ ...JOB, [name]: '1' }).inherited).toEqual({ ...JOB, [name]: '1' });
  });

  it('is told by the forge or by CI', () => {
    expect([{}, { CI: '' }, { CI: 'false' }, { CI: 'true' }, JOB].map(isJob)).toEqual([
      false,
      false,
      false,
      true,
      true,
    ]);
  });
});

describe('At a terminal', () => {
  it.each(CREDENTIALS)('a workload does not see %s', (name) => {
    expect(workloadEnvironment({ [name]: 'x', PATH: '/bin' }).inherited).toEqual({ PATH: '/bin' });
  });

  it.each([
    ['DATABASE_URL', 'postgres://app:hunter22@db.example/app'],
    ['WHATEVER', `ghp_${'a1'.repeat(18)}`],
  ])('a workload does not see what is a credential by its value: %s', (name, value) => {
    expect(workloadEnvironment({ [name]: value }).inherited).toEqual({});
  });

  it.each([
    'PATH',
    'TOKENIZERS_PARALLELISM',
    'NODE_OPTIONS',
    'VIRTUAL_ENV',
    'KEYBOARD',
    'AUTHOR',
    'EMPTY',
  ])('a workload sees %s', (name) => {
    const value = name === 'EMPTY' ? '' : 'x';
    expect(workloadEnvironment({ [name]: value }).inherited).toEqual({ [name]: value });
  });
});

it.each([{}, JOB])('A workload sees no folder of the caller, and is not told so: with %j', (more) => {
  const { inherited, withheld } = workloadEnvironment({ ...more, PWD: '/a', OLDPWD: '/b' });
  expect([inherited, withheld]).toEqual([more, []]);
  expect(inFolder('/c', inherited)).toEqual({ cwd: '/c', env: { ...more, PWD: '/c' } });
  expect(inFolder('/c', { PWD: '/own' })).toEqual({ cwd: '/c', env: { PWD: '/own' } });
});

describe('pass-env', () => {
  it('lets variables through by name, in a job and at a terminal', () => {
    for (const env of [{ ...JOB, A_TOKEN: 'secret' }, { A_TOKEN: 'secret' }]) {
      const { inherited, passed } = workloadEnvironment(env, ['A_TOKEN']);
      expect({ inherited, passed }).toEqual({ inherited: env, passed: { A_TOKEN: 'secret' } });
    }
  });

  it('refuses a variable that is not set, and takes an empty one', () => {
    expect(() => workloadEnvironment({}, ['A', 'B'])).toThrow('pass-env names A and B, which are not set here.');
    expect(workloadEnvironment({ A: '' }, ['A']).passed).toEqual({ A: '' });
  });
});

it('What is withheld is told by name, without what every job has', () => {
  const env = { ...JOB, MODEL: 'x', GITHUB_OUTPUT: 'x', RUNNER_NAME: 'x', PASSED: 'x', PATH: 'x' };
  expect(workloadEnvironment(env, ['PASSED']).withheld).toEqual(['MODEL']);
});
