import type Docker from 'dockerode';

/** One event of a pull or a build. */
export interface EngineEvent {
  readonly stream?: string;
  readonly status?: string;
  readonly id?: string;
  readonly progress?: string;
  readonly error?: string;
  readonly aux?: { readonly ID?: string };
}

type FollowProgress = (
  stream: NodeJS.ReadableStream,
  onFinished: (thrown: unknown) => void,
  onProgress: (event: EngineEvent) => void,
) => void;

/**
 * Follows a pull or a build to its end. Throws what the engine reports as error (it answers 200 and tells it in the stream),
 * and when `signal` aborts; the engine gives up with the connection.
 */
export async function followEngine(
  docker: Docker,
  stream: NodeJS.ReadableStream,
  signal: AbortSignal,
  onEvent: (event: EngineEvent) => void,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let error: string | null = null;
  const stop = () => {
    if ('destroy' in stream && typeof stream.destroy === 'function') stream.destroy();
    reject(new Error('stopped'));
  };
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  // Newer than its types; it reads BuildKit's events as well as the classic ones.
  (docker as unknown as { followProgress: FollowProgress }).followProgress(
    stream,
    (thrown) => (thrown ? reject(thrown) : resolve()),
    (event: EngineEvent) => {
      error ??= event.error ?? null;
      onEvent(event);
    },
  );
  try {
    await promise;
  } finally {
    signal.removeEventListener('abort', stop);
  }
  if (error !== null) throw new Error(error);
}
