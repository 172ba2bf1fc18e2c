import type { Readable } from 'node:stream';
import type Docker from 'dockerode';
import { PlaceLostError } from '../failures.ts';

const ENDED = 'Its container was ended or removed from outside.';

interface EngineEvent {
  readonly Action?: string;
}

/** What Docker's engine and Podman say of a container that somebody ends or removes: one that is stopped is killed for the one, and not for the other. */
const ENDS = ['kill', 'destroy', 'stop', 'remove'];
/**
 * When a container has ended, Podman tidies up once, which may be after its next start has ended, too. Whoever stops one does so as well, and Podman 4
 * tells nothing else of that.
 */
const TIDIED = 'cleanup';
/** Podman's events arrive as `die`, and are filtered as `died`. */
const DIED = ['die', 'died'];

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
  /** Ends that were not tidied up after. */
  #untidy = 0;

  private constructor(stream: Readable, title: string) {
    this.#stream = stream;
    // Whoever waits for a run looks at it; at other times the reason is asked for.
    this.#lost.promise.catch(() => {});
    const gone = (cause?: unknown) => this.#lose(new PlaceLostError(`${title} went away during the run.`, { cause }));
    stream.on('data', (chunk: Buffer) => {
      const lines = chunk.toString().split('\n');
      if (lines.some((line) => this.#isEnd(line))) this.#lose(new PlaceLostError(ENDED));
    });
    for (const end of ['error', 'end', 'close']) stream.on(end, gone);
  }

  /** `title`: what the engine is called. Throws what the library throws. */
  static async open(docker: Docker, containerId: string, title: string): Promise<ContainerWatch> {
    const filters = { container: [containerId], event: [...ENDS, ...DIED, TIDIED] };
    return new ContainerWatch((await docker.getEvents({ filters })) as unknown as Readable, title);
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

  #isEnd(line: string): boolean {
    const action = actionOf(line);
    if (DIED.includes(action)) this.#untidy += 1;
    if (action === TIDIED) this.#untidy -= 1;
    return this.#untidy < 0 || ENDS.includes(action);
  }

  #lose(reason: PlaceLostError): void {
    if (this.#expected || this.#reason !== null) return;
    this.#reason = reason;
    this.#lost.reject(reason);
  }
}

function actionOf(line: string): string {
  try {
    return (JSON.parse(line) as EngineEvent).Action ?? '';
  } catch {
    return '';
  }
}
