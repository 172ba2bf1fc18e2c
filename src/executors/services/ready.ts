import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { urlToHttpOptions } from 'node:url';
import { getErrorCode, messageOf } from '../../errors.ts';
import { maskSecrets } from '../../text/credentials.ts';
import { phaseMatcher } from '../phases/phase-lines.ts';
import type { MadeService, Ready, Service } from '../service.ts';

/** Pause between two polls. It grows, so that a service that is ready at once is noticed at once, and a slow one is hardly disturbed. */
const FIRST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 250;
const ASK_MS = 5000;

/** Whether it was ready in time; if not, the result of the last poll, a sentence without its end; null: unknown. */
export type Readiness = { readonly isReady: true } | { readonly isReady: false; readonly last: string | null };

/**
 * Waits until a service can be used, at most `readyWithinS`. Rejects with the signal's reason when that is aborted, which also happens when the
 * service has ended.
 */
export async function waitUntilReady(service: Service, made: MadeService, signal: AbortSignal): Promise<Readiness> {
  const { ready, readyWithinS } = service;
  if (ready === null) return { isReady: true };
  const deadline = AbortSignal.timeout(Math.ceil(1000 * readyWithinS));
  const ending = AbortSignal.any([signal, deadline]);
  let last: string | null = null;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    const found = await poll(ready, made, ending).catch((thrown: unknown) => messageOf(thrown));
    signal.throwIfAborted();
    if (found === null) return { isReady: true };
    if (!deadline.aborted || last === null) last = found;
    if (deadline.aborted) return { isReady: false, last };
    await sleep(pauseMs, undefined, { signal: ending }).catch(() => {});
    signal.throwIfAborted();
  }
}

/** Tests once. Null: it is ready; else what was found instead. */
async function poll(ready: Ready, made: MadeService, signal: AbortSignal): Promise<string | null> {
  switch (ready.kind) {
    case 'tcp':
      if (await made.listens(ready.port)) return null;
      return (await made.unheard?.(ready.port)) ?? `nothing listens on port ${ready.port}`;
    case 'http':
      return askEach(ready.url, ready.status, made, signal);
    case 'log': {
      await made.refresh?.();
      const isIt = phaseMatcher(ready.line);
      const lines = made.output().split('\n');
      return lines.some((line) => isIt(line.trimEnd())) ? null : `it did not print ${JSON.stringify(ready.line)}`;
    }
    case 'command':
      return (await made.succeeds(ready.command, signal)) ? null : 'the command of ready did not end with exit code 0';
  }
}

async function askEach(url: string, status: number, made: MadeService, signal: AbortSignal): Promise<string | null> {
  const { hostname } = new URL(url);
  // Local names lead to the host, but a service in a network of its own is at another address.
  const hosts = isLocal(hostname) ? await made.addresses() : [];
  let last: string | null = null;
  for (const host of hosts.length === 0 ? [null] : hosts) {
    last = await ask(url, status, host, signal);
    if (last === null) return null;
  }
  return last;
}

export const isLocal = (hostname: string): boolean =>
  /^(?:localhost|127(?:\.\d+){3}|\[::1\]|0\.0\.0\.0)$/.test(hostname);

/** Sends one request; null: it was answered with this status. `host`: where it is sent instead; null: to the URL's own host. */
function ask(url: string, status: number, host: string | null, signal: AbortSignal): Promise<string | null> {
  return new Promise((resolve) => {
    const { hostname, ...given } = urlToHttpOptions(new URL(url));
    const shown = maskSecrets(url);
    const options = {
      ...given,
      host: host ?? hostname,
      headers: { host: new URL(url).host },
      agent: false as const,
      signal: AbortSignal.any([signal, AbortSignal.timeout(ASK_MS)]),
    };
    const asked = request(options, (answer) => {
      answer.resume();
      answer.destroy();
      resolve(
        answer.statusCode === status ? null : `${shown} answered with status ${answer.statusCode}, not ${status}`,
      );
    });
    asked.on('error', (cause) => resolve(`${shown} did not answer (${getErrorCode(cause) || messageOf(cause)})`));
    asked.end();
  });
}

/** TCP ports on which a service listens, as far as its test for readiness shows. */
export function listenedPorts({ ready }: Pick<Service, 'ready'>): number[] {
  if (ready?.kind === 'tcp') return [ready.port];
  if (ready?.kind !== 'http') return [];
  const { hostname, port } = new URL(ready.url);
  return isLocal(hostname) ? [port === '' ? 80 : Number(port)] : [];
}
