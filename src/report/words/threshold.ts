import type { Findings } from '../../findings/findings.ts';
import type { ThresholdResult } from '../../findings/goals.ts';
import { decimalsFor, fixed, pText, signed, significant } from '../../text/numbers.ts';
import { plain } from '../../text/plain.ts';
import { name, sentences, type Text, text } from '../document/text.ts';

/** A threshold in words: `The limit of +5 % is crossed. container against native: …` */
export function thresholdText(findings: Pick<Findings, 'meter'>, result: ThresholdResult): Text {
  return sentences([text`The limit of ${limitText(result)} is ${result.state}.`, outcomeText(findings, result)]);
}

/** Outcome of a threshold, without its limit and state. */
export function outcomeText({ meter }: Pick<Findings, 'meter'>, result: ThresholdResult): Text {
  const { channel, state, fails } = result;
  const on = channel === meter.channels[0] ? [] : text` on the channel ${channelWords(meter, channel)}`;
  if (result.of === 'energy') return budgetWords(result);
  const whose = result.of === 'mean' ? text`The geometric mean of ${variantName(result)}` : [variantName(result)];
  const change = text`${whose} against ${name(result.baseline)}${on}: ${changeText(result)}`;
  if (state === 'crossed') return text`${change}, all of it beyond the limit.`;
  if (state === 'kept') return text`${change}.`;
  const asked: Text = fails && result.obstacle !== 'failed' ? ['It fails anyway, as configured for open results.'] : [];
  return sentences([openWords(result, change), asked]);
}

/** Outcome of a limit on an energy itself. */
function budgetWords(result: ThresholdResult): Text {
  const { estimate, ci95, state, obstacle } = result;
  if (obstacle === 'no-comparison') return ['No measured variant or benchmark has this name.'];
  if (obstacle === 'partial') return ['The experiment was cut short, and budgets are only judged for complete ones.'];
  if (obstacle !== null && obstacle !== 'no-interval' && obstacle !== 'across') return openWords(result, []);
  if (estimate === null || ci95 === null) return text`The uncertainty of ${variantName(result)} isn’t known.`;
  const decimals = decimalsFor(ci95);
  const energy = text`${variantName(result)} uses ${fixed(estimate, decimals)} J (${fixed(ci95[0], decimals)} to ${fixed(ci95[1], decimals)}, with the uncertainty of the meter)`;
  const where = { crossed: ', all of it beyond the budget', kept: '', open: ', which includes the budget' }[state];
  return text`${energy}${where}.`;
}

/** Name of a channel other than the verdict's, with its source if that differs. */
function channelWords({ channel_sources: sources }: Findings['meter'], channel: string): Text {
  const source = sources && Object.hasOwn(sources, channel) ? sources[channel] : undefined;
  return source === undefined ? [name(channel)] : text`${name(channel)} (${source})`;
}

function openWords(result: ThresholdResult, change: Text): Text {
  switch (result.obstacle) {
    case 'partial':
      return ['The experiment was cut short, and thresholds are only judged for complete ones.'];
    case 'no-comparison':
      return text`${result.variant === null ? 'No variant' : variantName(result)} was ${result.variant === null ? '' : 'not '}compared with ${name(result.baseline)} on the channel ${name(result.channel)}, so there is nothing to compare with the limit.`;
    case 'no-interval':
      return text`${change}; there is too little data for a 95 % interval.`;
    case 'failed':
      return text`${variantName(result)} was not judged, because its benchmark failed. That fails the job.`;
    case 'too-short':
    case 'invalid':
      return text`${variantName(result)} was not judged: it ${result.obstacle === 'invalid' ? 'could not be measured' : 'is too short to measure'}.`;
    case 'inconclusive':
      return text`${change}, but the verdict is inconclusive.`;
    case 'several':
      return text`${change}, beyond the limit, but one of several thresholds could too easily be due to chance (${pText(result.p_holm ?? 1)} by Holm’s method).`;
    default:
      return text`${change}, which includes the limit.`;
  }
}

/** Variant that the threshold is about. */
export function variantName({ variant }: Pick<ThresholdResult, 'variant'>): Text[number] {
  return variant === null ? 'any variant' : name(variant);
}

/** Limit of a change: `+5 %`, `−3 %`, `+20 J`. */
export function limitText({
  metric,
  limit,
  direction,
  of,
}: Pick<ThresholdResult, 'metric' | 'limit' | 'direction' | 'of'>): string {
  const sign = of === 'energy' ? '' : direction === 'above' ? '+' : '−';
  return `${sign}${Math.abs(limit)} ${unitOf(metric)}`;
}

/** Limit with its scope, unless that is a comparison on the primary channel. */
export function limitWithScope({ meter }: Pick<Findings, 'meter'>, result: ThresholdResult): string {
  const { of, channel } = result;
  const on = channel === meter.channels[0] ? '' : ` on the channel ${plain(channel, 40)}`;
  return `${limitText(result)}${of === 'mean' ? ' for the geometric mean' : ''}${on}`;
}

/** `+7.3 % (95 % CI +6.8 to +7.8)`. */
function changeText({ metric, estimate, ci95 }: ThresholdResult): string {
  if (estimate === null) return 'no change is known';
  if (ci95 === null) return `${estimate > 0 ? '+' : ''}${significant(estimate, 3)} ${unitOf(metric)}`;
  const decimals = decimalsFor(ci95);
  const interval = ` (95 % CI ${signed(ci95[0], decimals)} to ${signed(ci95[1], decimals)})`;
  return `${signed(estimate, decimals)} ${unitOf(metric)}${interval}`;
}

function unitOf(metric: ThresholdResult['metric']): string {
  return metric === 'percent' ? '%' : 'J';
}
