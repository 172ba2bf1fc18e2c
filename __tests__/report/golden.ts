import { readFileSync, writeFileSync } from 'node:fs';

/**
 * The text of a golden file, which people read when it changes: `UPDATE_GOLDEN=1 npm run jest -- __tests__/report`
 * writes what is made now, to be looked at before it is committed.
 */
export function golden(name: string, made: string): string {
  const file = new URL(`golden/${name}`, import.meta.url);
  if (process.env.UPDATE_GOLDEN === '1') writeFileSync(file, made);
  return readFileSync(file, 'utf8');
}
