import { ANY_LINE, isPhaseName, longestLiteral, nameOfLine, type PhaseLine, phaseMatcher } from './phase-lines.ts';

/** Prefix of a marker line. `::joulediff phase NAME` begins a phase, `::joulediff end` ends the present one. */
const MARKER = '::joulediff';

/** Bytes of a line that are examined. */
export const LONGEST_LINE = 4096;

/**
 * Meaning of a line: the phase that begins, or null for the end of one; or a problem, a sentence without its end. `overrules`: it is a marker
 * where any line may begin a phase, and then those don't.
 */
export type LineMeaning =
  | { readonly phase: string | null; readonly overrules?: boolean }
  | { readonly problem: string }
  /** Name of a phase that the line may begin. */
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
    this.#needles = [MARKER, ...lines.map(({ pattern }) => longestLiteral(pattern))].map((text) => Buffer.from(text));
  }

  /** Quick test: false means that no line in here is a checkpoint. */
  mayHold(output: Buffer): boolean {
    return this.#isAny || this.#needles.some((needle) => output.includes(needle));
  }

  /** Parses one line without its line feed; null: it is no checkpoint. */
  read(output: Buffer): LineMeaning | null {
    if (!this.mayHold(output)) return null;
    const line = output.toString('utf8', 0, LONGEST_LINE).trimEnd();
    if (line === MARKER || line.startsWith(`${MARKER} `)) {
      const meaning = marked(line.slice(MARKER.length).trim());
      return this.#isAny ? { ...meaning, overrules: true } : meaning;
    }
    const found = this.#lines.find(({ matches }) => matches(line));
    if (found !== undefined) return { phase: found.phase };
    const candidate = this.#isAny ? nameOfLine(line) : null;
    return candidate === null ? null : { candidate };
  }
}

function marked(words: string): LineMeaning {
  if (words === 'end') return { phase: null };
  const name = /^phase\s+(?<name>.*)$/u.exec(words)?.groups?.name;
  if (name !== undefined && isPhaseName(name)) return { phase: name };
  // JSON quotes make sure that a workload's output can't act on a terminal.
  const shown = JSON.stringify(`${MARKER} ${words}`.slice(0, 100));
  return {
    problem: `it printed ${shown}; a marker is "${MARKER} phase NAME", with a name of 1 to 60 printable characters, or "${MARKER} end"`,
  };
}
