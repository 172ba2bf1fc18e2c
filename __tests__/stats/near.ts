import { expect } from '@jest/globals';

type Values = null | number | boolean | string | readonly Values[] | { readonly [key: string]: Values };

/**
 * Equal in shape, and in every number to `relative` (p-values below 1e-12 to 1e-6); null only equals null. What rounding may leave of
 * an exact zero is given by `absolute`.
 */
export function expectNear(actual: unknown, expected: Values, relative = 1e-9, absolute = 0): void {
  const wrong = differences(actual, expected, relative, absolute, 'value');
  expect(wrong).toEqual([]);
}

function differences(actual: unknown, expected: Values, relative: number, absolute: number, path: string): string[] {
  if (typeof expected === 'number') {
    const allowed = path.endsWith('.p') && expected < 1e-12 ? 1e-6 : relative;
    const near =
      typeof actual === 'number' &&
      (actual === expected || Math.abs(actual - expected) <= Math.max(allowed * Math.abs(expected), absolute));
    return near ? [] : [`${path} is ${actual}, not ${expected}`];
  }
  if (expected === null || typeof expected !== 'object')
    return actual === expected ? [] : [`${path} is ${actual}, not ${expected}`];
  if (typeof actual !== 'object' || actual === null) return [`${path} is ${actual}`];
  if (Array.isArray(expected) && Array.isArray(actual) && actual.length !== expected.length) {
    return [`${path} has ${actual.length} values, not ${expected.length}`];
  }
  return Object.entries(expected).flatMap(([key, value]) =>
    differences((actual as Record<string, unknown>)[key], value, relative, absolute, `${path}.${key}`),
  );
}
