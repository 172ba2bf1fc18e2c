import { readFileSync } from 'node:fs';
import type { ExecutorEnvironment } from '../../executor.ts';
import type { Ulimit } from '../ulimits.ts';
import type { ContainerVariant } from '../variant.ts';
import type { Engine } from './engine.ts';

/** Bit of CAP_SYS_RESOURCE in /proc/PID/status (capability(7)). */
const CAP_SYS_RESOURCE = 24n;

const reported = new Set<string>();

/**
 * Podman sets higher limits of files and processes than usual, for which root needs CAP_SYS_RESOURCE: without that, as in a container, no container
 * would start. Then the limits of this process are given instead. What the variant sets stays.
 */
export function withUlimits(
  variant: ContainerVariant,
  { isPodman, text }: Pick<Engine, 'isPodman' | 'text'>,
  { experimentId, log }: Pick<ExecutorEnvironment, 'experimentId' | 'log'>,
): ContainerVariant {
  if (!isPodman || process.getuid?.() !== 0 || mayRaise()) return variant;
  const own = ownLimits();
  if (!reported.has(experimentId)) {
    reported.add(experimentId);
    const list = Object.entries(own).map(([name, { hard }]) => `${name} ${hard}`);
    log(
      `${text} may not raise limits here (CAP_SYS_RESOURCE is missing): its containers have those of joulediff, ${list.join(' and ')}.`,
    );
  }
  return { ...variant, ulimits: { ...own, ...variant.ulimits } };
}

function mayRaise(): boolean {
  const bits = /^CapEff:\s*([0-9a-f]+)$/m.exec(read('/proc/self/status'))?.[1];
  return bits === undefined || ((BigInt(`0x${bits}`) >> CAP_SYS_RESOURCE) & 1n) === 1n;
}

function ownLimits(): Record<string, Ulimit> {
  const limits = read('/proc/self/limits');
  const of = (title: string): [] | [Ulimit] => {
    const [, soft, hard] = new RegExp(`^${title}\\s+(\\d+|unlimited)\\s+(\\d+|unlimited)`, 'm').exec(limits) ?? [];
    return soft === undefined || hard === undefined ? [] : [{ soft: number(soft), hard: number(hard) }];
  };
  const named = { nofile: of('Max open files'), nproc: of('Max processes').map(withinPids) };
  return Object.fromEntries(Object.entries(named).flatMap(([name, [limit]]) => (limit ? [[name, limit]] : [])));
}

/** Limit of processes, at most the machine's number of process IDs, since Podman itself has no more to hand on. */
function withinPids({ soft, hard }: Ulimit): Ulimit {
  const most = Number(read('/proc/sys/kernel/pid_max')) || Number.POSITIVE_INFINITY;
  const least = (limit: Ulimit['hard']) => (limit === 'unlimited' ? most : Math.min(limit, most));
  return { soft: least(soft), hard: least(hard) };
}

const number = (text: string): Ulimit['hard'] => (text === 'unlimited' ? text : Number(text));

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}
