import type { IncomingMessage } from 'node:http';
import type Docker from 'dockerode';
import { MeasureError } from '../../errors.ts';

/** Time after which a wait counts as registered: an engine (Podman) may register it without saying so at once. */
const REGISTERED_MS = 1000;

export interface ContainerEnd {
  /** When the engine reported the end, on CLOCK_MONOTONIC. */
  readonly endNs: bigint;
  readonly exitCode: number;
}

/**
 * Waits for a container's next end. Resolves to the wait once the engine has registered it: a container that is started after
 * that can't end unseen, however short it is. `onEnd` is called the moment the word arrives.
 */
export async function waitForNextExit(
  docker: Docker,
  containerId: string,
  onEnd: () => void,
  title = 'The engine',
): Promise<{ readonly end: Promise<ContainerEnd>; close(): void }> {
  const { promise: end, resolve, reject } = Promise.withResolvers<ContainerEnd>();
  // A wait that is closed early has no reader for this error.
  end.catch(() => {});
  let answer: IncomingMessage | undefined;
  let closed = false;
  const registered = new Promise<void>((done, fail) => {
    const onAnswer = (thrown: unknown, response: IncomingMessage) => {
      if (thrown) return fail(thrown);
      answer = response;
      if (closed) return response.destroy();
      follow(response, { resolve, reject }, onEnd, title);
      done();
    };
    const request = {
      path: `/containers/${containerId}/wait?`,
      method: 'POST',
      options: { _query: { condition: 'next-exit' }, _body: {} },
      isStream: true,
      statusCodes: { 200: true, 400: 'bad parameter', 404: 'no such container', 500: 'server error' },
    };
    docker.modem.dial(request as never, onAnswer as never);
  });
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((done) => {
    timer = setTimeout(done, REGISTERED_MS);
  });
  // A refusal that comes later ends the wait.
  registered.catch(reject);
  await Promise.race([registered, late]).finally(() => clearTimeout(timer));
  return {
    end,
    close() {
      closed = true;
      answer?.destroy();
    },
  };
}

function follow(
  response: IncomingMessage,
  { resolve, reject }: { resolve(end: ContainerEnd): void; reject(reason: unknown): void },
  onEnd: () => void,
  title: string,
): void {
  let endNs: bigint | null = null;
  const chunks: Buffer[] = [];
  const lost = (cause?: unknown) => reject(new MeasureError(`${title} went away while a container ran.`, { cause }));
  response.on('data', (chunk: Buffer) => {
    if (endNs === null) {
      endNs = process.hrtime.bigint();
      onEnd();
    }
    chunks.push(chunk);
  });
  response.on('end', () => {
    try {
      const { StatusCode } = JSON.parse(Buffer.concat(chunks).toString()) as { StatusCode: number };
      // A negative code is Podman's answer when it is itself being stopped: no process has such a code.
      if (StatusCode < 0) return lost();
      resolve({ endNs: endNs ?? process.hrtime.bigint(), exitCode: StatusCode });
    } catch (cause) {
      lost(cause);
    }
  });
  response.on('error', lost);
  response.on('close', lost);
}
