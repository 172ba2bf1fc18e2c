import { describe, expect, it } from '@jest/globals';
import { isSecretName, maskSecrets } from '../../src/text/credentials.ts';

const part = 'aB3'.repeat(14);

describe('A credential in a text is masked', () => {
  it.each([
    ['GitHub', `ghp_${part}`],
    ['a job of GitHub', `ghs_${part}`],
    ['GitHub, fine-grained', `github_pat_${part}`],
    ['GitLab', `glpat-${part}`],
    ['npm', `npm_${part.slice(0, 36)}`],
    ['PyPI', `pypi-AgE${part}`],
    ['Slack', `xoxb-1234567890-${part}`],
    ['AWS', 'AKIAIOSFODNN7EXAMPLE'],
    ['Google', `AIza${'x'.repeat(35)}`],
    ['a web token', `eyJhbGciOiJI.eyJzdWIiOiIx.${part}`],
    ['a private key', '-----BEGIN RSA PRIVATE KEY-----\nMIIEow\n-----END RSA PRIVATE KEY-----'],
  ])('%s', (_who, secret) => {
    expect(maskSecrets(`before ${secret} after`)).toBe('before *** after');
  });

  it.each([
    ['https://me:swordfish@example.org/x', 'https://me:***@example.org/x'],
    ['AUTHORIZATION: basic eHg6c3dvcmRmaXNo', 'AUTHORIZATION: basic ***'],
    ['DATABASE_PASSWORD=swordfish', 'DATABASE_PASSWORD=***'],
    ['export API_KEY="swordfish"', 'export API_KEY="***"'],
    ['MYSQL_PWD=swordfish PWD=/home/me', 'MYSQL_PWD=*** PWD=/home/me'],
  ])('%s', (text, masked) => {
    expect(maskSecrets(text)).toBe(masked);
  });

  it('that is known', () => {
    expect(maskSecrets('a swordfish, a fish', ['swordfish'])).toBe('a ***, a fish');
    // What is so short stands everywhere.
    expect(maskSecrets('4 of 4', ['4'])).toBe('4 of 4');
  });
});

it.each([
  'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  'commit 1234567890abcdef1234567890abcdef12345678',
  'https://example.org:8080/a@b',
  'threads=4 keyboard=us TOKENIZERS_PARALLELISM=false',
  'the monkey=banana1',
  'npm_config_global_prefix, npm_lifecycle_event_script_name, hf_hub_disable_telemetry_of_all',
  'sk-learn-contrib-packages-and-more',
])('%s stays as it is', (text) => {
  expect(maskSecrets(text)).toBe(text);
});

it('Names tell credentials from other variables', () => {
  const names = ['A_TOKEN', 'TOKEN', 'PGPASSWORD', 'SECRET_KEY_BASE', 'SENTRY_DSN', 'http_auth', 'AWS_ACCESS_KEY_ID'];
  expect(names.filter((name) => !isSecretName(name))).toEqual([]);
  const others = ['PWD', 'AUTHOR', 'KEYBOARD', 'TOKENIZERS_PARALLELISM', 'PATH', 'SECRETARY', 'MONKEY'];
  expect(others.filter(isSecretName)).toEqual([]);
});

it('A long text without any takes no time that grows with its square', () => {
  const text = ['gh', 'eyJ', 'a:', 'A_', '-----BEGIN ', '://x:'].map((word) => word.repeat(200_000)).join('\n');
  expect(maskSecrets(text) === text).toBe(true);
});
