import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { rememberSecrets } from '../../text/known-secrets.ts';

/** A login for one registry in the engine's form. It must not get into any result, log or message. */
export type Login =
  | { readonly username: string; readonly password: string; readonly serveraddress: string }
  | { readonly identitytoken: string; readonly serveraddress: string };

const Stored = z.object({
  auth: z.string().optional(),
  username: z.string().optional(),
  password: z.string().optional(),
  identitytoken: z.string().optional(),
});

/** `config.json` of the docker command. */
const Config = z.object({
  auths: z.record(z.string(), Stored).optional(),
  credHelpers: z.record(z.string(), z.string()).optional(),
  credsStore: z.string().optional(),
});

/** What a credential helper prints. */
const Helped = z.object({ Username: z.string(), Secret: z.string() });

/** Key of Docker Hub in that file. */
const HUB = 'https://index.docker.io/v1/';
const HELPER_MS = 30_000;
const MAX_HELPER_BYTES = 1 << 20;

/**
 * The login that the docker command would send for this image, from `DOCKER_CONFIG` or `~/.docker`: by `credHelpers`, `credsStore`, `auths`. Null:
 * there is none, or it can't be read; the registry then says that it wants one.
 */
export async function loginFor(reference: string, env: NodeJS.ProcessEnv = process.env): Promise<Login | null> {
  const registry = parseRegistry(reference);
  const { auths = {}, credHelpers = {}, credsStore } = readConfig(env);
  const helper = credHelpers[registry] ?? credHelpers[parseHost(registry)] ?? (credsStore || undefined);
  const [, stored] = Object.entries(auths).find(([key]) => parseHost(key) === parseHost(registry)) ?? [];
  const helped = helper === undefined ? null : await askHelper(helper, registry, env);
  const login = helped ?? (stored === undefined ? null : decodeLogin(stored, registry));
  if (login !== null) rememberSecrets(['password' in login ? login.password : login.identitytoken]);
  return login;
}

/** The registry of an image, as `auths` has it: what stands before the first slash, where it can be a host. */
export function parseRegistry(reference: string): string {
  const [first = '', ...rest] = reference.split('/');
  const isHost = rest.length > 0 && (/[.:]/.test(first) || first === 'localhost');
  return !isHost || first === 'docker.io' || first === 'index.docker.io' ? HUB : first;
}

const parseHost = (key: string): string => key.replace(/^https?:\/\//, '').replace(/\/.*$/, '');

function readConfig(env: NodeJS.ProcessEnv): z.output<typeof Config> {
  try {
    const folder = env.DOCKER_CONFIG || join(homedir(), '.docker');
    return Config.parse(JSON.parse(readFileSync(join(folder, 'config.json'), 'utf8')));
  } catch {
    return {};
  }
}

function decodeLogin(
  { auth, username, password, identitytoken }: z.output<typeof Stored>,
  registry: string,
): Login | null {
  if (identitytoken) return { identitytoken, serveraddress: registry };
  const text = auth ? Buffer.from(auth, 'base64').toString('utf8') : `${username ?? ''}:${password ?? ''}`;
  const at = text.indexOf(':');
  const login = {
    username: text.slice(0, at),
    password: text.slice(at + 1).replace(/\0+$/, ''),
    serveraddress: registry,
  };
  return at > 0 && login.password !== '' ? login : null;
}

/** Runs `docker-credential-NAME get`, with the registry on its standard input. Null: it has no login, or fails. */
async function askHelper(name: string, registry: string, env: NodeJS.ProcessEnv): Promise<Login | null> {
  // The name becomes part of a program's name, so it must be no path.
  if (!/^[\w.-]+$/.test(name)) return null;
  const output = await new Promise<string | null>((done) => {
    const options = { env, timeout: HELPER_MS, maxBuffer: MAX_HELPER_BYTES, killSignal: 'SIGKILL' as const };
    const child = execFile(`docker-credential-${name}`, ['get'], options, (error, stdout) =>
      done(error === null ? stdout : null),
    );
    child.stdin?.on('error', () => {});
    child.stdin?.end(registry);
  });
  try {
    const { Username, Secret } = Helped.parse(JSON.parse(output ?? ''));
    return Username === '<token>'
      ? { identitytoken: Secret, serveraddress: registry }
      : { username: Username, password: Secret, serveraddress: registry };
  } catch {
    return null;
  }
}
