import type { Effect, Effects } from '../../findings/effects.ts';
import type { Findings } from '../../findings/findings.ts';
import { percentWithInterval, pText } from '../../text/numbers.ts';
import { plural } from '../../text/plain.ts';
import { details, note, type Part, paragraph, type Table, table } from '../document/blocks.ts';
import { name, text } from '../document/text.ts';
import { failedChecks } from '../verdict.ts';
import { effectName, effectsText } from '../words/effects.ts';
import { beforeClaims } from '../words/headline.ts';

/** Maximum levels and combinations in a table. */
const MAX_LEVELS = 60;
const MAX_ACROSS = 8;

/** Effects of a matrix; null: no matrix, or a 2 × 2 design, which has its own section. */
export function effects(findings: Findings, show: 'as tables' | 'in words'): Part {
  const { effects: found } = findings;
  if (!found) return null;
  const reported = found.tested.some(({ levels }) => levels.length > 0);
  return [
    paragraph({ strong: ['Factors.'] }, ' ', ...beforeClaims(findings), ...effectsText(found)),
    ...(show === 'as tables' && reported ? tables(found, failedChecks(findings).length > 0) : []),
    note(basis(found)),
  ];
}

function tables(found: Effects, untrusted: boolean): Part[] {
  const interactions = found.tested.filter(({ factors, verdict }) => factors.length === 2 && verdict === 'shown');
  return [
    effectTable(found, untrusted),
    levelTable(found),
    ...interactions.flatMap((effect) => {
      const own = departures(effect, found);
      return own === null ? [] : [details(text`Interaction of ${effectName(effect)}`, own)];
    }),
  ];
}

function effectTable({ tested }: Effects, untrusted: boolean): Table {
  return table('Effects', tested, [
    { head: 'Effect', cell: ({ factors }) => name(factors.join(' × ')) },
    { head: 'Differences', numeric: true, spare: 2, cell: ({ df }) => String(df) },
    { head: 'p', numeric: true, spare: 1, cell: ({ p }) => (p === null ? null : pText(p)) },
    { head: 'Holm', numeric: true, cell: ({ p_holm: p }) => (p === null ? null : pText(p)) },
    { head: 'Verdict', cell: (effect) => (untrusted ? { verdict: 'untrusted' } : verdictWord(effect)) },
  ]);
}

function verdictWord({ verdict, reason }: Effect): string {
  if (verdict === 'shown') return 'has an effect';
  return reason === 'not-estimable' ? 'not estimable' : 'inconclusive';
}

/** Table of each further level of a factor against its first. */
function levelTable({ tested, factors }: Effects): Table | null {
  const rows = tested
    .filter((effect) => effect.factors.length === 1)
    .flatMap(({ factors: [own = ''], levels, averaged }) => {
      const first = factors.find((factor) => factor.name === own)?.levels[0] ?? '';
      return levels.map((level) => ({ own, first, averaged: averaged.length, ...level, level: level.levels[0] ?? '' }));
    });
  if (rows.length === 0 || rows.length > MAX_LEVELS) return null;
  return table('Levels', rows, [
    { head: 'Factor', cell: ({ own }) => name(own) },
    { head: 'Levels', cell: ({ level, first }) => name(`${level} against ${first}`) },
    { head: 'Δ (95 % CI)', numeric: true, cell: ({ percent, ci95 }) => percentWithInterval(percent, ci95) },
    { head: 'Averaged over', numeric: true, spare: 1, cell: ({ averaged }) => plural(averaged, 'combination') },
  ]);
}

/** Table of an interaction, the first factor's levels as rows, the second's as columns; null: too many. */
function departures({ levels, factors: [down = '', across = ''] }: Effect, { factors }: Effects): Table | null {
  const levelsOf = (factor: string) => factors.find((one) => one.name === factor)?.levels ?? [];
  const columns = levelsOf(across);
  const rows = levelsOf(down);
  if (columns.length > MAX_ACROSS || rows.length * columns.length > MAX_LEVELS) return null;
  const at = (row: string, column: string) => {
    const found = levels.find((one) => one.levels[0] === row && one.levels[1] === column);
    return found === undefined ? null : percentWithInterval(found.percent, found.ci95);
  };
  return table('Departures', rows, [
    { head: down, cell: (row) => name(row) },
    ...columns.map((column) => ({ head: column, numeric: true, cell: (row: string) => at(row, column) })),
  ]);
}

/** Data that the effects are based on, and their purpose. */
function basis({ blocks, cells, factors }: Effects): string {
  const all = factors.reduce((product, { levels }) => product * levels.length, 1);
  const left =
    all > cells.length
      ? `; ${all - cells.length} of ${all} combinations ${all - cells.length === 1 ? 'is' : 'are'} excluded`
      : '';
  return `Secondary: the verdict rests on the comparisons. ${plural(blocks, 'block')} of all ${cells.length} variants of the matrix${left}. A main effect is averaged over the combinations of the other factors in which all of its levels are there; an interaction is how far combinations are from what the main effects predict.${factors.length > 2 ? ' Interactions of three or more factors are not computed.' : ''}`;
}
