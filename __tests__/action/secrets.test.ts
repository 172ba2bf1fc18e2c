// Class: system.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import { withholdSecrets } from '../../src/action/secrets.ts';
import { maskFile } from '../../src/executors/discreet.ts';
import { screenText } from '../../src/text/screen.ts';

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

  it('has the credentials of the job masked by their values from then on, in stored logs too', () => {
    const digits = '0123456789abcdef0123456789abcdef01234567';
    const [runtime, deploy] = ['opaque-runtime-value', 'pässword-of-deployment'];
    const write = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
    withholdSecrets({ 'INPUT_GITHUB-TOKEN': digits, ACTIONS_RUNTIME_TOKEN: runtime, DEPLOY_PASSWORD: deploy });
    write.mockRestore();
    const folder = mkdtempSync(join(tmpdir(), 'joulediff-secrets-'));
    const log = join(folder, 'run.log');
    const basic = Buffer.from(`x-access-token:${digits}`).toString('base64');
    const text = `a ${digits} b\n${digits.slice(0, 20)}\n${digits.slice(20)}\n${basic}\n${runtime} ${deploy}\n`;
    writeFileSync(log, text);
    maskFile(log);
    const masked = readFileSync(log, 'utf8');
    expect(masked).toMatch(/^a \*{40} b\n\*{20}\n\*{20}\n\S{18,20}\*+\w?=*\n\*{20} \*{23}\n$/);
    expect(Buffer.byteLength(masked)).toBe(Buffer.byteLength(text));
    expect(screenText(`The command ended: ${digits}`)).toBe('The command ended: ***');
    rmSync(folder, { recursive: true });
  });

  it('finds no token where there is none', () => {
    expect(withholdSecrets({}).token).toBe('');
  });
});
