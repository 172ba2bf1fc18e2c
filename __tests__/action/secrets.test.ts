import { spawnSync } from 'node:child_process';
import { describe, expect, it, jest } from '@jest/globals';
import { withholdSecrets } from '../../src/action/secrets.ts';

describe('withholdSecrets', () => {
  it('takes the credentials out of what a child inherits, and puts the runner’s own back for the upload', () => {
    const write = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
    const env: NodeJS.ProcessEnv = {
      PATH: process.env.PATH,
      'INPUT_GITHUB-TOKEN': ' ghs_secret ',
      ACTIONS_RUNTIME_TOKEN: 'runtime-secret',
      ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'oidc-secret',
      ACTIONS_RESULTS_URL: 'https://results.example/',
    };
    const { token, restore } = withholdSecrets(env);
    expect(write).toHaveBeenCalledWith(expect.stringMatching(/^::add-mask::ghs_secret\s*$/));
    write.mockRestore();
    expect(token).toBe('ghs_secret');
    expect(spawnSync('env', { env }).stdout.toString()).not.toContain('secret');
    restore();
    expect(env.ACTIONS_RUNTIME_TOKEN).toBe('runtime-secret');
    expect(env['INPUT_GITHUB-TOKEN']).toBeUndefined();
  });

  it('finds no token where there is none', () => {
    expect(withholdSecrets({}).token).toBe('');
  });
});
