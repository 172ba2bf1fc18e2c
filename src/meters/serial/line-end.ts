import { MeasureError } from '../../errors.ts';
import type { Line } from './line.ts';

/** The end of a line that is talked over: the port was lost, or closed by its owner. It is told once. */
export class LineEnd {
  readonly #line: Line;
  readonly #failAwaited: (error: MeasureError) => void;
  #onEnd: (error: MeasureError) => void = () => {};
  /** Why the line has ended; null: it has not. */
  error: MeasureError | null = null;

  /** `failAwaited` ends the wait for a reply, before anybody else hears of the end. */
  constructor(line: Line, failAwaited: (error: MeasureError) => void) {
    this.#line = line;
    this.#failAwaited = failAwaited;
    line.onLost((error) => this.#end(error));
  }

  /** The listener is called once; at once when the line has ended already. */
  onEnd(listener: (error: MeasureError) => void): void {
    this.#onEnd = listener;
    if (this.error) listener(this.error);
  }

  /** Never throws, may be called twice. */
  async close(): Promise<void> {
    this.#end(new MeasureError('The port of the meter was closed.'));
    await this.#line.close();
  }

  #end(error: MeasureError): void {
    if (this.error) return;
    this.error = error;
    this.#failAwaited(error);
    this.#onEnd(error);
  }
}
