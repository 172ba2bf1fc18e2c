import type { Part } from '../part.ts';

/** What goes with a difference: extra runs that are observed, what they tell, and the pictures of it. */
export const explain: Part = {
  name: 'explain',
  terminal: async () => (await import('./terminal.ts')).terminal,
  action: { run: async () => (await import('./run.ts')).run },
};
