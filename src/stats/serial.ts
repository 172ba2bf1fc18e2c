import type { SerialStatistics } from '../findings/numbers.ts';
import { spearman } from './correlation.ts';
import { lag1, mannKendall, theilSen } from './trend.ts';

/** Maximum number of values for the median slope, which takes every pair; above it the slope is null. */
const MAX_FOR_SLOPE = 2000;

/** Statistics of values in time order: how they depend on time. Each part is null where it is undefined. */
export function serialStatistics(values: readonly number[]): SerialStatistics {
  const order = values.map((_, i) => i);
  const trend = values.length < 3 ? null : mannKendall(values);
  return {
    n: values.length,
    mann_kendall: trend && { s: trend.s, z: trend.z, p: trend.p },
    spearman: spearman(order, values),
    lag1: lag1(values),
    theil_sen: values.length > MAX_FOR_SLOPE ? null : theilSen(order, values),
  };
}
