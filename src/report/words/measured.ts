import type { Findings } from '../../findings/findings.ts';
import type { VariantFindings } from '../../findings/variant.ts';
import { plain, plural } from '../../text/plain.ts';
import { code, joined, listOf, name, type Text, text } from '../document/text.ts';

/** Maximum named variants; of more, only kinds of places are counted, and the conditions have the details. */
const MAX_VARIANTS = 4;
const LONGEST_COMMAND = 80;
const SHORT_COMMIT = 7;

const OWN = "its service's own";

/** A command as typed in a shell; list elements are joined by spaces. Null: unknown. */
export function commandText({ command }: VariantFindings): string | null {
  if (command === undefined) return null;
  if (command.length === 0) return OWN;
  return typeof command === 'string' ? command : command.join(' ');
}

/** The measured commands: `./bench.sh: native on the host, container in debian-sort`. Empty if no command is known. */
export function measuredText({ variants, suite }: Findings): Text {
  if (suite !== undefined) {
    const run = suite.benchmarks.filter(({ state }) => state !== 'new' && state !== 'gone');
    return text`${plural(run.length, 'benchmark')} with ${listOf(suite.variants)}`;
  }
  const commands = variants.map(commandText);
  const [first = null] = commands;
  const many = variants.length > MAX_VARIANTS;
  if (first === null || (many && commands.includes(null))) return [];
  if (commands.every((command) => command === first)) {
    const groups = [...Map.groupBy(variants, (variant) => JSON.stringify(placeText(variant))).values()];
    const places = groups.map((alike) => {
      const [one] = alike as [VariantFindings];
      if (!many && alike.length === 1 && hasNameOfImage(one)) return placeText(one);
      const who = many ? [plural(alike.length, 'variant')] : listOf(alike.map((variant) => variant.name));
      return text`${who} ${placeText(one)}`;
    });
    const all = groups.length > MAX_VARIANTS ? [`${variants.length} variants`] : joined(places, ', ');
    return text`${shortCommand(variants[0] as VariantFindings)}: ${all}`;
  }
  if (many) return [`${new Set(commands).size} commands in ${variants.length} variants`];
  const named = variants.map((variant, i) => {
    // A variant's name is often its command.
    const by = commands[i] === variant.name || hasNameOfImage(variant) ? [] : text`${name(variant.name)}: `;
    return text`${by}${shortCommand(variant)} ${placeText(variant)}`;
  });
  return joined(named, ', ');
}

const CHANGED = ', with changes that are not committed';

/** `commit 4f2a9c1, with changes that are not committed`; empty where it isn't known. */
export function commitText({ experiment: { commit } }: Findings): Text {
  if (commit === undefined) return [];
  return text`commit ${code(commit.sha.slice(0, SHORT_COMMIT))}${commit.dirty ? CHANGED : ''}`;
}

/** Text with the whole hash, for a table; null: unknown. */
export function wholeCommit({ experiment: { commit } }: Findings): string | null {
  return commit === undefined ? null : `${commit.sha}${commit.dirty ? CHANGED : ''}`;
}

const hasNameOfImage = ({ name: own, facts }: VariantFindings): boolean => own === facts.image;

function shortCommand(variant: VariantFindings): Text {
  const isOwn = variant.command?.length === 0;
  return isOwn ? ["the service's own command"] : [code(plain(commandText(variant) ?? '', LONGEST_COMMAND))];
}

/** Words for places without an image, by kind. */
const PLACES: Readonly<Record<string, string>> = { native: 'on the host', compose: 'in Compose' };

function placeText({ kind, facts, revision }: VariantFindings): Text {
  const { image, host } = facts;
  const onOther = typeof host === 'string' ? text`on ${name(host)}` : null;
  const inImage = typeof image === 'string' ? text`in ${name(image)}` : null;
  const where =
    inImage !== null && onOther !== null
      ? text`${inImage} ${onOther}`
      : (inImage ?? onOther ?? [PLACES[kind] ?? `in a ${kind}`]);
  if (revision === undefined || revision === null) return where;
  const commit = revision.commit.slice(0, SHORT_COMMIT);
  return text`${where} at ${name(/[0-9a-f]{40}/.test(revision.name) ? commit : `${revision.name} (${commit})`)}`;
}
