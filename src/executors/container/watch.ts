import type { Readable } from 'node:stream';
import type Docker from 'dockerode';
import { PlaceLostError } from '../failures.ts';
import { answerTo } from './docker.ts';

const ENDED = 'Its container was ended or removed from outside.';

interface EngineEvent {
  readonly Action?: string;
}

/** Events of a container that somebody ends or removes. Docker's engine reports a stop as `kill`, Podman does not. */
const ENDS = ['kill', 'destroy', 'stop', 'remove'];
/**
 * Event of Podman's clean-up, once after each end of a container, perhaps after the next one. A stop by somebody causes one more, which is all that
 * Podman 4 reports of it.
 */
const TIDIED = 'cleanup';
/** Events of an end: Podman reports `die`, but filters by `died`. */
const DIED = ['die', 'died'];

/**
 * Notices what ends a container without being the workload's doing: the engine goes away, or somebody kills or removes the container. An engine that
 * is stopped kills its containers a second and more before it closes its connections: by the exit code alone, the workload would seem to have failed.
 * No events come while a container runs undisturbed.
 */
export class ContainerWatch {
  readonly #stream: Readable;
  readonly #lost = Promise.withResolvers<never>();
  #reason: PlaceLostError | null = null;
  #expected = false;
  /** Number of ends without a clean-up yet. */
  #untidy = 0;

  private constructor(stream: Readable, title: string) {
    this.#stream = stream;
    // Whatever waits for a run handles this error; at other times `throwIfLost` reports it.
    this.#lost.promise.catch(() => {});
    const gone = (cause?: unknown) => this.#lose(new PlaceLostError(`${title} went away during the run.`, { cause }));
    const onEvent = ({ Action: action = '' }: EngineEvent) => {
      if (this.#isEnd(action)) this.#lose(new PlaceLostError(ENDED));
    };
    followEvents(stream, onEvent, gone);
  }

  /** `title`: name of the engine in messages. Throws the library's error. */
  static async open(docker: Docker, containerId: string, title: string): Promise<ContainerWatch> {
    const filters = { container: [containerId], event: [...ENDS, ...DIED, TIDIED] };
    const events = await answerTo((options) => docker.getEvents({ ...options, filters }));
    return new ContainerWatch(events as unknown as Readable, title);
  }

  /** Rejects with a PlaceLostError when the container is lost. */
  get lost(): Promise<never> {
    return this.#lost.promise;
  }

  /** Throws the PlaceLostError, where it is lost. */
  throwIfLost(): void {
    if (this.#reason !== null) throw this.#reason;
  }

  /** Expects the end of the container, since this process is about to end it. */
  expectEnd(): void {
    this.#expected = true;
  }

  close(): void {
    this.#expected = true;
    this.#stream.destroy();
  }

  #isEnd(action: string): boolean {
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

/** Follows an engine's events, each a line, which may come in several pieces. */
export function followEvents<T>(
  stream: Readable,
  onEvent: (event: T) => void,
  onGone: (cause?: unknown) => void,
): void {
  let rest = '';
  stream.on('data', (chunk: Buffer) => {
    const lines = (rest + chunk.toString()).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      try {
        onEvent(JSON.parse(line) as T);
      } catch {
        // The line is no event.
      }
    }
  });
  for (const end of ['error', 'end', 'close']) stream.on(end, onGone);
}
