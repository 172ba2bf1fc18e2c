import { type JoulediffError, messageOf } from '../errors.ts';

/** A sentence without its full stop, to be quoted inside another. */
export const withoutStop = (text: string): string => text.replace(/[.\s]+$/, '');

/** What a thrown value says, with its advice. */
export function sentenceOf(thrown: unknown): string {
  const advice = (thrown as Partial<JoulediffError>).advice;
  return advice ? `${messageOf(thrown)} ${advice}` : messageOf(thrown);
}
