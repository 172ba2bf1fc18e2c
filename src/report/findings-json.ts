import type { Findings } from '../findings/findings.ts';
import { screenJson } from '../text/plain.ts';

/**
 * findings.json: indented by two spaces, keys in the order of the type. Throws an Error with the path of a missing value, or of a
 * number that JSON can't represent (it would become null, which means "undefined by design").
 */
export function findingsJson(findings: Findings): string {
  refuse(findings, 'findings');
  return `${screenJson(JSON.stringify(findings, null, 2))}\n`;
}

function refuse(value: unknown, path: string): void {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new Error(`${path} is ${value}, which is not JSON`);
  if (value === undefined || typeof value === 'bigint')
    throw new Error(`${path} is ${typeof value}, which is not JSON`);
  if (Array.isArray(value)) {
    for (const [i, item] of value.entries()) refuse(item, `${path}[${i}]`);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) refuse(item, `${path}.${key}`);
  }
}
