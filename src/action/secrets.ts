import { setSecret } from '@actions/core';
import { isSecretName } from '../text/credentials.ts';
import { rememberSecrets } from '../text/known-secrets.ts';

/** Environment variable with which the runner passes the input `github-token`. */
const TOKEN_INPUT = 'INPUT_GITHUB-TOKEN';

/**
 * Removes the token and the runner's credentials from the environment, before any process is started that would inherit
 * them. The artifact client reads its credentials there, so `restore` puts those back; the token stays out.
 */
export function withholdSecrets(env: NodeJS.ProcessEnv): { readonly token: string; restore(): void } {
  const token = env[TOKEN_INPUT]?.trim() ?? '';
  delete env[TOKEN_INPUT];
  if (token !== '') {
    setSecret(token);
  }
  // Masked by value from here on, since the token of a Gitea job is 40 digits without a recognizable format.
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
