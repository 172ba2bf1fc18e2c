/** Sentences are leaving the analysis; until the last has, they find their numbers here. */
export * from '../text/numbers.ts';
export { plural } from '../text/plain.ts';
