import type { Readable } from 'node:stream';
import type Docker from 'dockerode';
import { PlaceLostError } from '../failures.ts';

const GONE = "Docker's engine went away during the run.";
const ENDED = 'Its container was ended or removed from outside.';

interface EngineEvent {
  readonly Action?: string;
}

/**
 * Hears of what ends a container and is not the workload's doing: the engine that goes away, and whoever kills or removes the container. An
 * engine that is stopped in order kills its containers a second and more before it closes its connections: the exit code alone would say that
 * the workload failed. Nothing comes while a container runs undisturbed.
 */
export class ContainerWatch {
  readonly #stream: Readable;
  readonly #lost = Promise.withResolvers<never>();
  #reason: PlaceLostError | null = null;
  #expected = false;

  private constructor(stream: Readable) {
    this.#stream = stream;
    // Whoever waits for a run looks at it; at other times the reason is asked for.
    this.#lost.promise.catch(() => {});
    const gone = (cause?: unknown) => this.#lose(new PlaceLostError(GONE, { cause }));
    stream.on('data', (chunk: Buffer) => {
      if (chunk.toString().split('\n').some(isEnd)) this.#lose(new PlaceLostError(ENDED));
    });
    for (const end of ['error', 'end', 'close']) stream.on(end, gone);
  }

  /** Throws what the library throws. */
  static async open(docker: Docker, containerId: string): Promise<ContainerWatch> {
    const filters = { container: [containerId], event: ['kill', 'destroy'] };
    return new ContainerWatch((await docker.getEvents({ filters })) as unknown as Readable);
  }

  /** Rejects with a PlaceLostError. */
  get lost(): Promise<never> {
    return this.#lost.promise;
  }

  /** Throws the PlaceLostError, where it is lost. */
  throwIfLost(): void {
    if (this.#reason !== null) throw this.#reason;
  }

  /** From now on this process itself ends the container. */
  expectEnd(): void {
    this.#expected = true;
  }

  close(): void {
    this.#expected = true;
    this.#stream.destroy();
  }

  #lose(reason: PlaceLostError): void {
    if (this.#expected || this.#reason !== null) return;
    this.#reason = reason;
    this.#lost.reject(reason);
  }
}

function isEnd(line: string): boolean {
  try {
    const { Action } = JSON.parse(line) as EngineEvent;
    return Action === 'kill' || Action === 'destroy';
  } catch {
    return false;
  }
}
