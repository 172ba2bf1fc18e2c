import type { ThresholdResult } from '../findings/findings.ts';
import { decimalsFor, fixed, pText, significant } from './numbers.ts';

/** Why a threshold is open. */
export type Obstacle = 'partial' | 'no-comparison' | 'no-interval' | 'across' | 'inconclusive' | 'several';

type Told = Omit<ThresholdResult, 'sentence'>;

/** What a threshold came to, in plain words. Plain text: names are put in as they are. `where`: of another channel than the primary one. */
export function thresholdSentence(result: Told, obstacle: Obstacle | null, where: string | null = null): string {
  const { baseline, variant, state, fails } = result;
  const limit = limitText(result);
  const on = where === null ? '' : ` on the channel ${where}`;
  const change = `${variant} against ${baseline}${on}: ${changeText(result)}`;
  if (state === 'crossed') return `The limit of ${limit} is crossed. ${change}, all of it beyond the limit.`;
  if (state === 'kept') return `The limit of ${limit} is kept. ${change}.`;
  const asked = fails ? ' It fails all the same, as was asked for open results.' : '';
  return `The limit of ${limit} is open. ${openWords(result, obstacle ?? 'across', change)}${asked}`;
}

function openWords({ channel, baseline, variant, p_holm }: Told, obstacle: Obstacle, change: string): string {
  switch (obstacle) {
    case 'partial':
      return 'The experiment was cut short, and thresholds are judged of whole ones only.';
    case 'no-comparison':
      return `${variant} was not compared with ${baseline} on the channel ${channel}, so that there is nothing to hold against it.`;
    case 'no-interval':
      return `${change}; these are too few for a 95 % interval.`;
    case 'inconclusive':
      return `${change}, beyond the limit, but the verdict is inconclusive.`;
    case 'several':
      return `${change}, beyond the limit, but one of several thresholds comes out so by chance too easily (${pText(p_holm ?? 1)} by Holm’s method).`;
    default:
      return `${change}, which reaches across the limit.`;
  }
}

/** `+5 %`, `−3 %`, `+20 J`: the change from which on it is crossed. */
export function limitText({ metric, limit, direction }: Pick<Told, 'metric' | 'limit' | 'direction'>): string {
  const sign = direction === 'above' ? '+' : '−';
  return `${sign}${Math.abs(limit)} ${unitOf(metric)}`;
}

/** `+7.3 % (95 % CI +6.8 to +7.8)`. */
function changeText({ metric, estimate, ci95 }: Told): string {
  if (estimate === null) return 'no change is known';
  const show = (value: number): string =>
    signed(ci95 === null ? significant(value, 3) : fixed(value, decimalsFor(ci95)), value);
  const interval = ci95 === null ? '' : ` (95 % CI ${show(ci95[0])} to ${show(ci95[1])})`;
  return `${show(estimate)} ${unitOf(metric)}${interval}`;
}

function signed(text: string, value: number): string {
  return value > 0 && Number(text) !== 0 ? `+${text}` : text;
}

function unitOf(metric: Told['metric']): string {
  return metric === 'percent' ? '%' : 'J';
}
