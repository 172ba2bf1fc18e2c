import { readdirSync, readFileSync } from 'node:fs';
import { inNumberOrder } from '../text/order.ts';

/** Names in a folder, sorted with their numbers; empty where it can't be read. */
export function entries(folder: string): string[] {
  try {
    return readdirSync(folder).sort(inNumberOrder);
  } catch {
    return [];
  }
}

/** Content of a file; null where it can't be read. */
export function text(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return null;
  }
}
