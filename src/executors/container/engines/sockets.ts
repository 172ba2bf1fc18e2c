import { statSync } from 'node:fs';
import type { EngineName } from '../../engine-key.ts';

/** Socket of the engine with this name for this user. */
export function getSocketPath(name: EngineName): string {
  const uid = process.getuid?.() ?? 0;
  const ofUser = process.env.XDG_RUNTIME_DIR || `/run/user/${uid}`;
  switch (name) {
    case 'docker':
      return '/var/run/docker.sock';
    case 'podman':
      return uid === 0 ? '/run/podman/podman.sock' : `${ofUser}/podman/podman.sock`;
    case 'rootless':
      return `${ofUser}/docker.sock`;
    default:
      return name.slice('unix://'.length);
  }
}

export function isSocket(path: string): boolean {
  try {
    return statSync(path).isSocket();
  } catch {
    return false;
  }
}
