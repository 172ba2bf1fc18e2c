import type { ActionPart } from '../action/part.ts';
import type { TerminalPart } from '../terminal/terminal.ts';

/** An optional part: the core is built, measures and reports without it. Its code is loaded only when needed. */
export interface Part {
  readonly name: string;
  readonly terminal?: () => Promise<TerminalPart>;
  readonly action?: ActionPart;
}
