import * as z from 'zod';
import { isPhaseName, isPhasePattern, OUTSIDE_PHASES, PHASE_NAME } from '../executors/phases/phase-lines.ts';
import { text } from '../input/leaves.ts';

const NAME = `1 to 60 printable characters, without spaces at the ends, and not "${OUTSIDE_PHASES}"`;
const LINE =
  'text of a line that begins the phase, such as "^Loading done": plain text, with * for anything, ^ for the start and $ for the end of the line, and no regular expression';
const PHASES = 'a map of phases and the lines that begin them, such as { load: "^Loading" }, 50 at most';

/** Lines of an unchanged program that begin a phase. */
export const phases = z
  .record(
    text(NAME, PHASE_NAME).refine(isPhaseName, { error: NAME }),
    text(LINE, /^[^\p{C}]{1,500}$/u, 500).refine(isPhasePattern, { error: LINE }),
    { error: PHASES },
  )
  .refine((map) => Object.keys(map).length <= 50, { error: PHASES });
