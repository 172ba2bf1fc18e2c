import type { Part } from '../part.ts';

/** Prepares a machine and its meters for measuring: the doctor, the meter tools, and the first experiment file. */
export const bench: Part = {
  name: 'bench',
  terminal: async () => (await import('./terminal.ts')).terminal,
};
