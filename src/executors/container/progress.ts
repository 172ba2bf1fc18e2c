import { isUtf8 } from 'node:buffer';
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
  const give = (event: EngineEvent) => {
    error ??= event.error ?? null;
    onEvent(event);
  };
  const printed = new StepOutput(stream, give);
  // This method is newer than the library's types; it reads BuildKit's events as well as the classic ones.
  (docker as unknown as { followProgress: FollowProgress }).followProgress(
    stream,
    (thrown) => (thrown ? reject(thrown) : resolve()),
    (event: EngineEvent) => printed.take(event),
  );
  try {
    await promise;
  } finally {
    signal.removeEventListener('abort', stop);
    printed.flush();
  }
  if (error !== null) throw new Error(error);
}

/** What a step prints under BuildKit comes from the library (dockerode 5.0.1) in base64, piece by piece; its other lines have a blank. Made to lines here. */
class StepOutput {
  readonly #give: (event: EngineEvent) => void;
  #isBuildKit = false;
  #rest = '';

  constructor(stream: NodeJS.ReadableStream, give: (event: EngineEvent) => void) {
    this.#give = give;
    const inspect = (data: Buffer) => {
      if (!data.includes('"moby.buildkit.trace"')) return;
      this.#isBuildKit = true;
      stream.off('data', inspect);
    };
    stream.on('data', inspect);
  }

  take(event: EngineEvent): void {
    const piece = this.#isBuildKit ? decoded(event.stream?.trimEnd() ?? '') : null;
    if (piece === null) {
      this.flush();
      this.#give(event);
      return;
    }
    const text = this.#rest + piece;
    const end = text.lastIndexOf('\n') + 1;
    this.#rest = text.slice(end);
    if (end > 0) this.#give({ stream: text.slice(0, end) });
  }

  flush(): void {
    if (this.#rest !== '') this.#give({ stream: this.#rest });
    this.#rest = '';
  }
}

/** Text of a line in base64; null: it is none. */
function decoded(line: string): string | null {
  if (line === '' || !/^[A-Za-z0-9+/]*={0,2}$/.test(line)) return null;
  const bytes = Buffer.from(line, 'base64');
  return isUtf8(bytes) && bytes.toString('base64') === line ? bytes.toString('utf8') : null;
}
