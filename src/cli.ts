import { PARTS } from './parts/all.ts';
import { main as terminal } from './terminal/program.ts';
import type { Streams } from './terminal/terminal.ts';

export const main = (words: readonly string[], streams?: Streams): Promise<number> => terminal(words, PARTS, streams);
