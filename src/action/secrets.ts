import { setSecret } from '@actions/core';
import { isSecretName } from '../text/credentials.ts';
import { rememberSecrets } from '../text/known-secrets.ts';

/** As the runner names the input `github-token`. */
const TOKEN_INPUT = 'INPUT_GITHUB-TOKEN';

/**
 * Takes the token and the runner's own credentials out of the environment, before anything is started that would inherit
 * them. The artifact client reads its credentials from there, so `restore` puts those back; the token stays out.
 */
export function withholdSecrets(env: NodeJS.ProcessEnv): { readonly token: string; restore(): void } {
  const token = env[TOKEN_INPUT]?.trim() ?? '';
  delete env[TOKEN_INPUT];
  if (token !== '') {
    setSecret(token);
  }
  // Masked by their values from here on: the token of a job of Gitea is 40 digits, which have no look of their own.
  const named = Object.entries(env).filter(([name, value]) => isSecretName(name) && !value?.startsWith('/'));
  rememberSecrets([token, ...named.map(([, value]) => value)]);
  const names = Object.keys(env).filter((name) => /^ACTIONS_.*TOKEN$/.test(name));
  const kept = names.map((name) => [name, env[name]] as const);
  for (const name of names) {
    delete env[name];
  }
  return {
    token,
    restore: () => {
      for (const [name, value] of kept) {
        env[name] = value;
      }
    },
  };
}
