import { parse } from 'yaml';
import { InputError } from '../errors.ts';
import { quote } from '../input/words.ts';
import type { Threshold } from './experiment.ts';
import { threshold } from './fail-on-schema.ts';
import { resolveThreshold } from './goals.ts';

/**
 * A threshold by itself, as a flag gives it: `5%`, `20 J`, or a map such as `{ above: 5%, variant: container }`. Throws InputError.
 */
export function thresholdOf(text: string, flag: string): Threshold {
  const found = threshold.safeParse(yamlValue(text.trim()));
  const limits = found.success && !('text' in found.data) ? [found.data.above, found.data.below] : [true];
  if (found.success && limits.filter(Boolean).length === 1) return resolveThreshold(found.data);
  throw new InputError(
    `${flag} ${quote(text)} is no threshold; it must be a limit with its unit, such as 5% or "20 J", or { above: 5%, variant: container }.`,
  );
}

function yamlValue(text: string): unknown {
  if (!text.startsWith('{')) return text;
  try {
    return parse(text, { maxAliasCount: 0 });
  } catch {
    return undefined;
  }
}
