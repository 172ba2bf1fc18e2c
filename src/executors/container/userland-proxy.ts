import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const CONFIGURATION = '/etc/docker/daemon.json';

/**
 * Whether Docker's engine on this machine takes connections to published ports from the machine itself by a process of its own, docker-proxy, as its
 * command line and its configuration say (dockerd(8): --userland-proxy, by default it does). Null: no engine is seen here, several are that differ, or
 * another machine's is used. `root`: another for tests.
 */
export function usesUserlandProxy(root = '/', engine = process.env.DOCKER_HOST): boolean | null {
  if (engine !== undefined && engine !== '' && !engine.startsWith('unix://')) return null;
  const answers = new Set(
    pidsIn(root).flatMap((pid) => {
      const words = (read(join(root, 'proc', pid, 'cmdline')) ?? '').split('\0');
      if (!/(?:^|\/)dockerd$/.test(words[0] ?? '')) return [];
      // The configuration of an engine without root is elsewhere.
      const isRoots = /^Uid:\t0\t/m.test(read(join(root, 'proc', pid, 'status')) ?? '');
      return [isRoots ? hasProxy(words, root) : null];
    }),
  );
  return answers.size === 1 ? ([...answers][0] ?? null) : null;
}

/** An engine other than this machine's Docker with root. */
export interface OtherEngine {
  readonly isPodman: boolean;
  readonly isRootless: boolean;
}

/** Path of network traffic between a container and the outside, in words by which two places can be compared. */
export function networkPath(network: string, ports: number, other: OtherEngine | null = null): string {
  // Docker's engine without root is in a network namespace of its own.
  if (network === 'none' || (network === 'host' && (other?.isPodman ?? true))) return network;
  if (other !== null) {
    const engine = `${other.isPodman ? 'Podman' : 'Docker'}${other.isRootless ? ' without root' : ''}`;
    return `${network} of ${engine}${ports === 0 || network === 'host' ? '' : ', published ports'}`;
  }
  if (ports === 0) return network;
  const proxy = usesUserlandProxy();
  return `${network}, published ports${proxy === null ? '' : proxy ? ', docker-proxy' : ', no docker-proxy'}`;
}

function hasProxy(words: readonly string[], root: string): boolean | null {
  const flag = words.findLast((word) => /^--userland-proxy(?:=|$)/.test(word));
  if (flag !== undefined) return !/=(?:false|f|0)$/i.test(flag);
  const at = words.findLastIndex((word) => /^--config-file(?:=|$)/.test(word));
  const named = words[at]?.includes('=') ? words[at].slice('--config-file='.length) : words[at + 1];
  const text = read(join(root, at < 0 ? CONFIGURATION : (named ?? '')));
  // The default file may be missing.
  if (text === null) return at < 0 ? true : null;
  try {
    const given: unknown = (JSON.parse(text) as Record<string, unknown> | null)?.['userland-proxy'];
    return given !== false;
  } catch {
    return null;
  }
}

function pidsIn(root: string): string[] {
  try {
    return readdirSync(join(root, 'proc')).filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}

function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
