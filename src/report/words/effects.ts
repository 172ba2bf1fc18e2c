import type { Effect, Effects } from '../../findings/effects.ts';
import { MIN_BLOCKS } from '../../stats/signed-rank.ts';
import { decimalsFor, pText, signed } from '../../text/numbers.ts';
import { plural } from '../../text/plain.ts';
import { joined, name, sentences, type Text, text } from '../document/text.ts';

/** `image`, or `image × network`. */
export function effectName({ factors }: Pick<Effect, 'factors'>): Text {
  return joined(factors.map(name), ' × ');
}

/** Factors that the energy was shown to depend on, and open effects, which are never called absent. */
export function effectsText(effects: Effects): Text {
  const { tested } = effects;
  const why = tested.find(({ reason }) => reason !== null && isOfAll(reason))?.reason ?? null;
  if (why !== null) return obstacleText(why, effects);
  const shown = tested.filter(({ verdict }) => verdict === 'shown');
  const open = tested.filter(({ reason }) => reason === 'open' || reason === 'several');
  const unreported = tested.filter(({ reason }) => reason === 'not-estimable');
  const named = (some: readonly Effect[], say: (effect: Effect) => string): Text =>
    joined(
      some.map((effect) => [...effectName(effect), say(effect)]),
      ', ',
    );
  const judged = plural(tested.filter(({ p }) => p !== null).length, 'effect');
  return sentences([
    shown.length === 0
      ? [`The energy was not shown to depend on any factor (${judged}, Holm).`]
      : text`The energy depends on ${named(shown, ({ p_holm: p }) => ` (${p === null ? '' : pText(p)})`)}; each p allows for ${judged} (Holm).`,
    open.length === 0 ? [] : text`Not shown, which is not the same as none: ${named(open, () => '')}.`,
    unreported.length === 0
      ? []
      : text`The cells that are there can't show whether the energy depends on ${named(unreported, () => '')}: too many are excluded.`,
    ...shown.map(departureText),
  ]);
}

/** Where an interaction is largest; the table has the levels of main effects. */
function departureText({ factors, levels }: Effect): Text {
  if (factors.length < 2) return [];
  const size = ({ percent }: Effect['levels'][number]): number => Math.abs(percent ?? 0);
  const most = levels.toSorted((a, b) => size(b) - size(a))[0];
  if (most === undefined || most.percent === null) return [];
  const [first = '', second = ''] = most.levels;
  const how = most.percent > 0 ? 'more' : 'less';
  const amount = signed(Math.abs(most.percent), decimalsFor(most.ci95)).replace(/^\+/, '');
  return text`The interaction is largest for ${name(first)} with ${name(second)}: ${amount} % ${how} than their main effects predict.`;
}

function isOfAll(reason: NonNullable<Effect['reason']>): boolean {
  return !['open', 'several', 'not-estimable', 'no-variation'].includes(reason);
}

function obstacleText(reason: NonNullable<Effect['reason']>, { blocks }: Effects): Text {
  switch (reason) {
    case 'no-runs':
      return ['Nothing can be said of the factors: a variant of the matrix has no valid run.'];
    case 'no-block':
      return ['Nothing can be said of the factors: no block has one valid run of each variant of the matrix.'];
    case 'not-positive':
      return ['Nothing can be said of the factors: a run gave an energy of zero or less, so that no ratio is defined.'];
    case 'failed':
      return ['Nothing is said of the factors: the experiment could not be measured to its end.'];
    default:
      return [
        `Nothing can be said of the factors: there are ${plural(blocks, 'block')}, and the test needs at least ${MIN_BLOCKS}.`,
      ];
  }
}
