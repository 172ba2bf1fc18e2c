import type { Part } from '../part.ts';

/** What fits a machine and its meters for measuring: the doctor, the meters' own tools, and the first experiment file. */
export const bench: Part = {
  name: 'bench',
  terminal: async () => (await import('./terminal.ts')).terminal,
};
