import { ANY_LINE, isPhaseName, literalOf, nameOfLine, type PhaseLine, phaseMatcher } from './phase-lines.ts';

/** What begins a marker line. `::joulediff phase NAME` begins a phase, `::joulediff end` ends the one that runs. */
const MARKER = '::joulediff';

/** A line is looked at so far, bytes. */
export const LONGEST_LINE = 4096;

/** What a line tells: the phase that begins, null for the end of one; or what is wrong with it, a sentence without its end. */
export type Told =
  | { readonly phase: string | null }
  | { readonly problem: string }
  /** Name of a phase that it may begin. */
  | { readonly candidate: string };

/** Finds the checkpoints in a workload's output: its own markers always, and the lines that the experiment file names. */
export class CheckpointLines {
  readonly #lines: readonly { readonly phase: string; readonly matches: (line: string) => boolean }[];
  readonly #needles: readonly Buffer[];
  readonly #isAny: boolean;

  constructor(given: readonly PhaseLine[]) {
    this.#isAny = given.includes(ANY_LINE);
    const lines = given.filter((line) => line !== ANY_LINE);
    this.#lines = lines.map(({ phase, pattern }) => ({ phase, matches: phaseMatcher(pattern) }));
    this.#needles = [MARKER, ...lines.map(({ pattern }) => literalOf(pattern))].map((text) => Buffer.from(text));
  }

  /** Cheap: false is certain that no line in here is a checkpoint. */
  mayHold(output: Buffer): boolean {
    return this.#isAny || this.#needles.some((needle) => output.includes(needle));
  }

  /** One line of output without its line feed; null: no checkpoint. */
  read(output: Buffer): Told | null {
    if (!this.mayHold(output)) return null;
    const line = output.toString('utf8', 0, LONGEST_LINE).trimEnd();
    if (line === MARKER || line.startsWith(`${MARKER} `)) return marked(line.slice(MARKER.length).trim());
    const found = this.#lines.find(({ matches }) => matches(line));
    if (found !== undefined) return { phase: found.phase };
    const candidate = this.#isAny ? nameOfLine(line) : null;
    return candidate === null ? null : { candidate };
  }
}

function marked(words: string): Told {
  if (words === 'end') return { phase: null };
  const name = /^phase\s+(?<name>.*)$/u.exec(words)?.groups?.name;
  if (name !== undefined && isPhaseName(name)) return { phase: name };
  // Quoted as JSON: whatever a workload prints can't act on whoever reads it.
  const shown = JSON.stringify(`${MARKER} ${words}`.slice(0, 100));
  return {
    problem: `it printed ${shown}; a marker is "${MARKER} phase NAME", with a name of 1 to 60 printable characters, or "${MARKER} end"`,
  };
}
