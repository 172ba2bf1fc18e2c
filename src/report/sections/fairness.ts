import type { Findings } from '../../findings/findings.ts';
import type { Fairness, PlaceDifference } from '../../findings/surroundings.ts';
import { plural } from '../../text/plain.ts';
import {
  type Block,
  blocksOf,
  details,
  list,
  note,
  type Part,
  type Section,
  section,
  table,
} from '../document/blocks.ts';
import { capitalized, listedUpTo, listOf, name, type Text, text } from '../document/text.ts';
import { isChanged, primaryComparisons } from '../verdict.ts';
import { aspectText, differenceText, UNSEEN, valueText, WEIGHTS } from '../words/fairness.ts';

/** Unintended differences between the variants' places, as tables and in words. */

const ORDER: readonly PlaceDifference['weight'][] = ['may-matter', 'asked', 'usual'];
/** Maximum differences named in a single line. */
const MAX_NAMED = 4;
/** Maximum unimportant variables that are named; a shell has many. */
const MAX_VARIABLES = 12;

type Pair = Fairness['pairs'][number];

/** Unintended differences that may explain a change, in a line; null: nothing changed, or no such difference is known. */
export function otherReasons(findings: Findings): Block | null {
  const changed = primaryComparisons(findings).filter(isChanged);
  const pairs = (findings.fairness?.pairs ?? []).filter((pair) =>
    changed.some((of) => of.baseline === pair.baseline && of.variant === pair.variant),
  );
  const all = pairs.flatMap(({ differences }) => differences.filter(({ weight }) => weight === 'may-matter'));
  const reported = [...new Map(all.map((of) => [JSON.stringify([of.service, of.aspect, of.of]), of])).values()];
  if (reported.length === 0) return null;
  // With several pairs, values may differ, so they are left out.
  const words = reported.slice(0, MAX_NAMED).map((of) => (pairs.length === 1 ? differenceText(of) : aspectText(of)));
  const left = reported.length - words.length;
  const rest: Text[] = left > 0 ? [[`${left} more`]] : [];
  return note(
    ...text`The variants also differ in ${listOf([...words, ...rest])}. This may explain part of the difference.`,
  );
}

/** All differences between the places; null: they were not examined. */
export function fairness({ fairness: found }: Findings): Section | null {
  if (found === undefined) return null;
  const { pairs, unseen, versions } = found;
  const blind = unseen.map(unseenText);
  const reported = versions.map(({ variant, output, exitCode }) => {
    const how = exitCode === 0 ? [] : [exitCode === null ? ' (it did not end by itself)' : ` (exit code ${exitCode})`];
    return text`${name(variant)}: ${name(firstLine(output))}${how}`;
  });
  return section(
    'fairness',
    ['Differences between the places'],
    ...pairs.map((pair) => pairPart(pair, pairs.length > 1, unseen)),
    blind.length === 0 ? null : list(blind),
    reported.length === 0 ? null : [note('What the version command printed:'), list(reported)],
  );
}

const unseenText = ({ variant, service, reason }: Fairness['unseen'][number]): Text =>
  text`What ${service === undefined ? name(variant) : text`the service ${name(service)} of ${name(variant)}`} has inside couldn’t be compared: ${UNSEEN[reason]}.`;

const firstLine = (output: string): string => output.split('\n')[0] ?? '';

function pairPart({ baseline, variant, differences }: Pair, isNamed: boolean, unseen: Fairness['unseen']): Part {
  const pair = text`${name(variant)} against ${name(baseline)}`;
  const heading: Part = isNamed ? { kind: 'heading', level: 3, text: pair } : null;
  const isSeen = !unseen.some((of) => of.service === undefined && (of.variant === baseline || of.variant === variant));
  if (differences.length === 0) {
    return isSeen ? [heading, note('As far as could be seen from inside, nothing else differs.')] : null;
  }
  const minor = differences.filter((of) => isMinorVariable(of));
  const packages = differences.filter(({ aspect }) => aspect === 'package');
  const rows = ORDER.flatMap((weight) =>
    differences.filter((of) => of.weight === weight && !isMinorVariable(of) && of.aspect !== 'package'),
  );
  const shown = table(
    'Differences between the places',
    rows,
    [
      { head: 'What', cell: (of) => capitalized(aspectText(of)) },
      { head: 'Baseline', cell: (of) => name(firstLine(valueText(of, of.baseline))) },
      { head: 'Variant', cell: (of) => name(firstLine(valueText(of, of.variant))) },
      { head: 'Weight', spare: 1, cell: ({ weight }) => WEIGHTS[weight] },
    ],
    ({ weight }) => weight === 'may-matter',
  );
  return [heading, rows.length === 0 ? null : { ...shown, long: true }, variablesNote(minor), packagesPart(packages)];
}

const isMinorVariable = ({ aspect, weight }: PlaceDifference): boolean =>
  aspect === 'environment' && weight === 'usual';

/** Differing packages, folded: two systems differ in most of them. */
function packagesPart(packages: readonly PlaceDifference[]): Block | null {
  if (packages.length === 0) return null;
  const rows = table('Packages of other versions', packages, [
    {
      head: 'Package',
      cell: ({ of, service }) => (service === undefined ? name(of ?? '') : text`${name(of ?? '')} (${name(service)})`),
    },
    { head: 'Baseline', cell: ({ baseline }) => name(baseline ?? '') },
    { head: 'Variant', cell: ({ variant }) => name(variant ?? '') },
  ]);
  return details([`${plural(packages.length, 'package')} of other versions`], { ...rows, long: true });
}

/** Table of differences beside the explanation; null: the places were not examined, or there is no explanation. */
export function ingredients(findings: Findings): Part {
  const { fairness: found, explanation } = findings;
  if (found === undefined || explanation === undefined) return null;
  const pairs = found.pairs.flatMap((pair) => {
    const differences = pair.differences.filter(({ aspect }) => aspect !== 'package');
    const reported = blocksOf([pairPart({ ...pair, differences }, false, found.unseen)]);
    const head = note(...text`What else differs between ${name(pair.variant)} and ${name(pair.baseline)}:`);
    return reported.length === 0 ? [] : [head, ...reported];
  });
  return [...pairs, ...found.unseen.map((of) => note(...unseenText(of)))];
}

/** A single line for variables that rarely matter. */
function variablesNote(minor: readonly PlaceDifference[]): Block | null {
  if (minor.length === 0) return null;
  const all = [...new Set(minor.map(({ of }) => of ?? ''))];
  const names = listedUpTo(all.map(name), MAX_VARIABLES);
  return note(...text`Other variables that are not the same in both: ${names}. Their values are not kept.`);
}
