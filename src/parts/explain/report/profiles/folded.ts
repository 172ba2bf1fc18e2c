import type { ProfileTree } from '../../analysis/tree.ts';
import { safeName, selfTimes } from './walk.ts';

/** Folded stacks, a line each: `phase;outermost;…;innermost MICROSECONDS`, the mean of a run (Brendan Gregg's format, read by FlameGraph, inferno and speedscope). */
export function* folded(tree: ProfileTree, variant: number): Generator<string> {
  for (const { phase, path, seconds } of selfTimes(tree, variant)) {
    const micros = Math.round(seconds * 1e6);
    const frames = [...(phase === null ? [] : [phase]), ...path.map(({ name }) => name)];
    // The last blank of a line ends the stack, and a semicolon ends a frame.
    if (micros > 0) yield `${frames.map((name) => safeName(name).replaceAll(';', ':')).join(';') || '?'} ${micros}\n`;
  }
}
