/** Sorts by numbers in base units; rows without a number come last in both directions, sorted by text. */
export function inOrder<Row>(rows: readonly Row[], textOf: (row: Row) => string, falls: boolean): Row[] {
  const numbered = rows.filter((row) => NUMBER.test(textOf(row)));
  const others = rows.filter((row) => !NUMBER.test(textOf(row)));
  const sorted = numbered.toSorted((a, b) => numberOf(textOf(a)) - numberOf(textOf(b)));
  const words = others.toSorted((a, b) => byWords(textOf(a), textOf(b)));
  if (falls) (numbered.length > 0 ? sorted : words).reverse();
  return [...sorted, ...words];
}

const { compare: byWords } = new Intl.Collator(undefined, { numeric: true });

const SCALE = new Map([
  ['n', 1e-9],
  ['µ', 1e-6],
  ['m', 1e-3],
  ['k', 1e3],
  ['M', 1e6],
]);

/** A number with its unit at the start of a text, or behind the name of an effect size. An interval or a second number may follow. Other names don't match. */
const NUMBER =
  /^\s*(?:Cliff’s δ |Hedges’ g )?(?<number>[+−-]?\d[\d,]*(?:\.\d+)?)(?:\s*(?<prefix>[nµmkM])?(?:J|Wh?|s)\b|\s*%|\s*[(→]|\s*$)/u;

/** The number in the unit without prefix, so that 1.2 J is more than 53 mJ. */
function numberOf(text: string): number {
  const { number = '', prefix = '' } = NUMBER.exec(text)?.groups ?? {};
  return Number(number.replace('−', '-').replaceAll(',', '')) * (SCALE.get(prefix) ?? 1);
}
