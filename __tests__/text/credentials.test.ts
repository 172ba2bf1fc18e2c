// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { logLine } from '../../src/forge/untrusted.ts';
import { markdownText } from '../../src/report/escape.ts';
import { isSecretName, isSecretValue, maskSecrets } from '../../src/text/credentials.ts';
import { rememberSecrets } from '../../src/text/known-secrets.ts';
import { plain } from '../../src/text/plain.ts';
import { screenText } from '../../src/text/screen.ts';

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

describe('A credential under its name is masked', () => {
  const secret = 'hunter2hunter2';
  it.each([
    'GET /x?a=1&access_token=§&b=2',
    'GET /x?a=1;access_token=§',
    'A=1;API_TOKEN=§',
    'A=1,API_TOKEN=§',
    'redirect=%2Fx%3Fa%3D1%26access_token%3DS',
    '{"a":"b","token":"§","c":1}',
    '{"apiKey": "§"}',
    '{"clientSecret":"§"}',
    String.raw`"{\"a\":1,\"token\":\"§\"}"`,
    '%7B%22token%22%3A%22§%22%7D',
    "{'password': '§'}",
    'db:\n  password: §\n',
    'password:\n    §\n',
    'password: "§"',
    'spring.datasource.password=§',
    'X-Api-Key: §',
    'private-token: §',
    'Authorization: Bearer §',
    '"Authorization": "Bearer §"',
    'proxy-authorization: Basic §',
    'Cookie: a=b; session=§',
    'Set-Cookie: session=§; Path=/',
    'login --password § --host x',
    'login --password=§',
    'login --auth-token "§"',
    "export 'DB_PASS'='§'",
    'API_TOKEN=ab"§"',
    'API_TOKEN="hunter §"',
    'API_TOKEN = §',
    ':token => "§"',
    '<password>§</password>',
    '- name: API_TOKEN\n  value: §\n',
    '{"name":"API_TOKEN","value":"§"}',
    '//registry.example/:_authToken=§',
    'machine example.org login me password §',
    'DefaultEndpointsProtocol=https;AccountKey=§;EndpointSuffix=x',
    'https://x.blob.example/a?sv=1&sig=§',
    'https://me:p@§@example.org/x',
    `https://${secret}§@example.org/x`,
    '["Env", "API_TOKEN=§"]',
  ])('%s', (line) => {
    const text = `before\n${line.replaceAll('§', secret)}\nafter`;
    const masked = maskSecrets(text);
    expect(masked).not.toContain(secret);
    expect(masked).toMatch(/^before\n[\s\S]*\nafter$/);
    const stars = maskSecrets(text, [], (found) => found.replace(/[^\r\n]/g, '*'));
    expect(stars).not.toContain(secret);
    expect(stars).toHaveLength(text.length);
  });
});

describe('A value that was given as a secret is masked', () => {
  const secret = '0123456789abcdef0123456789abcdef01234567';
  rememberSecrets([secret]);
  const base64 = (before: string) => Buffer.from(`${before}${secret}:more`).toString('base64');
  it.each([
    ['by itself', secret],
    ['over lines', `${secret.slice(0, 10)}\n${secret.slice(10, 30)}\r\n   ${secret.slice(30)}`],
    ['where a shell continues a line', `${secret.slice(0, 10)}\\\n${secret.slice(10)}`],
    ['in base64', base64('')],
    ['in base64 after one character', base64('x')],
    ['in base64 after two', base64('x:')],
    ['in base64 of a checkout', base64('x-access-token:')],
    ['in base64 over lines', base64('ab').replace(/.{19}/g, '$&\n')],
    ['twice', `${secret}${secret}`],
  ])('%s', (_where, text) => {
    const masked = maskSecrets(`before ${text} after`);
    expect(masked).toMatch(/^before [\s\S]* after$/);
    expect(masked.replace(/[^0-9A-Za-z]/g, '')).not.toContain(secret);
    for (const before of ['', 'x', 'x:']) {
      const inside = Buffer.from(`${before}${secret}`).toString('base64').slice(8, -8);
      expect(masked.replace(/\s/g, '')).not.toContain(inside);
    }
  });

  it('as short as the password of a plug', () => {
    rememberSecrets(['x7!mQz', 'abc']);
    expect(maskSecrets('admin:x7!mQz@plug, not abc')).toBe('admin:***@plug, not abc');
  });

  it('in a query and in JSON', () => {
    const odd = 'p"ss wörd&1/';
    expect(maskSecrets(encodeURIComponent(odd), [odd])).toBe('***');
    expect(maskSecrets(JSON.stringify({ a: odd }), [odd])).toBe('{"a":"***"}');
  });
});

it('Takes no time that grows faster than a text', () => {
  rememberSecrets(['a'.repeat(500), `${'ab'.repeat(300)}c`]);
  const words = [
    'sk-',
    'gh',
    'ghp_',
    'eyJ',
    'eyJaaaaaaaa.',
    'a:',
    'A_',
    '-----BEGIN ',
    '-----BEGIN PRIVATE KEY-----',
    '://x:',
    '://',
    '@',
  ];
  words.push(
    'token',
    'token=',
    'token:',
    'name: token ',
    '"',
    "'",
    '\\',
    '\\"',
    '%22',
    '%3d',
    '=',
    ':',
    '&',
    ';',
    'password="',
    'login ',
    'login a password',
  );
  words.push(
    '--token ',
    '<token>',
    'cookie:',
    'authorization: ',
    'a',
    'ab',
    'AKIA',
    'xoxb-',
    '\u001b]',
    '\u001b[',
    '\u0090',
    '\n',
    ' ',
    '\t',
    '\u200b',
    '-',
    '_',
    '.',
  );
  const readers: Readonly<Record<string, (text: string) => unknown>> = {
    maskSecrets: (text) => maskSecrets(text),
    screenText: (text) => screenText(text),
    isSecretValue,
    isSecretName,
    plain: (text) => plain(text),
    logLine: (text) => logLine(text),
    markdownText: (text) => markdownText(text),
  };
  // Processor time, which other processes of a busy machine do not take, and the ratio of two lengths: 8 where it is linear, 64 where it is quadratic.
  const timed = (read: (text: string) => unknown, text: string): number => {
    const before = process.cpuUsage();
    read(text);
    const { user } = process.cpuUsage(before);
    return user / 1000;
  };
  // A pair of words for each, from a fixed sequence.
  const pairs = words.map((word, i) => word + words[(i * 17 + 5) % words.length]);
  for (const word of [...words, ...pairs]) {
    const text = (length: number) => word.repeat(Math.ceil(length / word.length)).slice(0, length);
    for (const [name, read] of Object.entries(readers)) {
      const short = Math.max(4, timed(read, text(25_000)));
      const long = timed(read, text(200_000));
      const ratio = long / short > 24 ? timed(read, text(200_000)) / Math.max(4, timed(read, text(25_000))) : 0;
      expect({ name, word, isLinear: ratio <= 24 }).toEqual({ name, word, isLinear: true });
    }
  }
}, 120_000);
