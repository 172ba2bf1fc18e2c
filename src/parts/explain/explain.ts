import type { Part } from '../part.ts';

/** Explains differences by observed extra runs: the runs, their analysis, and its charts. */
export const explain: Part = {
  name: 'explain',
  terminal: async () => (await import('./terminal.ts')).terminal,
  action: { run: async () => (await import('./run.ts')).run },
};
