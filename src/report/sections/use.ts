import { OUTSIDE_PHASES } from '../../executors/phases/phase-lines.ts';
import type { Findings } from '../../findings/findings.ts';
import type { Summary } from '../../findings/numbers.ts';
import { type Resource, type ResourceComparison, ServiceCounter } from '../../findings/resources.ts';
import type { VariantFindings } from '../../findings/variant.ts';
import { bytes, fixed, percentWithInterval, pText, quantity, significant } from '../../text/numbers.ts';
import { listed as namesOf, plural } from '../../text/plain.ts';
import {
  type Block,
  blocksOf,
  details,
  firstItems,
  list,
  note,
  type Part,
  type Section,
  section,
  type Table,
  table,
} from '../document/blocks.ts';
import { code, joined, name, type Text, text } from '../document/text.ts';
import { unitOfWork } from '../per-execution.ts';
import { isChanged, primaryComparisons } from '../verdict.ts';
import { amountText, clearText, differenceOf, meansText, resourceName, UNCOUNTED } from '../words/resources.ts';
import { spread } from './variants.ts';

/** Where the energy went, and which other resources a run used. `null`: the findings have no such data. */

export function phases(findings: Findings): Section | null {
  const rough = findings.variants.some((variant) => (variant.phases ?? []).some(({ short }) => short));
  return makeSection('phases', 'Phases', [
    phasesTable(findings),
    foundNotes(findings),
    rough ? note('Rough: shorter than three readings, or than this meter may take to show a change.') : null,
    phaseComparisons(findings),
    notCompared(findings),
  ]);
}

/** Notes on automatically found phases; null: the file named them. */
function foundNotes({ experiment: { phase_lines: lines } }: Findings): Part {
  if (lines === undefined) return null;
  const { common, used, printed_at: at = 'start', merged = [], slices } = lines;
  if (used === 0) {
    const why =
      common === 0
        ? 'no line of the output is printed once by every run'
        : 'the lines that every run prints once are all at its end';
    const instead = slices === undefined ? '' : ` Instead, each run is cut into ${slices} equal slices of its time.`;
    return note(`No phases were found: ${why}.${instead}`);
  }
  const [verb, other] = at === 'end' ? ['ends', 'start'] : ['begins', 'end'];
  const which =
    used === common ? `each of them ${verb} one` : `each of the ${used} with the longest stretches ${verb} one`;
  const held = merged.map(({ line, into }) => text`${name(line)} in ${into === null ? OUTSIDE_PHASES : name(into)}`);
  return [
    note(
      ...text`Phases were found in the output: every run prints ${String(common)} ${common === 1 ? 'line' : 'lines'} once, and ${which}. If lines are printed at the ${other} of their phases: ${code(`phases: { auto: true, lines: ${other} }`)}.`,
    ),
    held.length === 0
      ? null
      : note('The stretches of these lines are too short for phases of their own, and count to another:'),
    held.length === 0 ? null : firstItems(held, MAX_NOT_COMPARED, (count) => `… and ${count} more`),
  ];
}

/** Section about resources. `isBrief`: only clear differences. */
export function resources(findings: Findings, isBrief = false): Section | null {
  const { variants, experiment, explanation } = findings;
  const rows = variants.flatMap((variant) => (variant.resources ? [{ variant, used: variant.resources }] : []));
  const amount = (s: Summary | null): string | null => s && bytes(s.median);
  const used = table('Resources', rows, [
    { head: 'Variant', cell: ({ variant }) => name(variant.name) },
    { head: 'Processor time, mean ± sd', numeric: true, cell: ({ used }) => spread(used.cpu_s, 's') },
    { head: 'Processors busy', numeric: true, spare: 3, cell: ({ variant }) => processorsBusy(variant) },
    { head: 'Peak memory (median)', numeric: true, cell: ({ used }) => amount(used.peak_memory_bytes) },
    { head: 'Read (median)', numeric: true, spare: 2, cell: ({ used }) => amount(used.read_bytes) },
    { head: 'Written (median)', numeric: true, spare: 1, cell: ({ used }) => amount(used.written_bytes) },
  ]);
  const isCounted = variants.some(({ counters = [] }) =>
    counters.some(({ counter }) => ServiceCounter.safeParse(counter).success),
  );
  const switches = variants.some(({ counters = [] }) =>
    counters.some(({ counter, value }) => counter === 'machine_context_switches' && value !== null),
  );
  // The command's own counters are unknown then.
  const isElsewhere = experiment.client_place === 'machine';
  const services = experiment.services ?? [];
  const servedHere = isCounted || services.some(({ place }) => place !== 'machine');
  const servedElsewhere = services.some(({ place }) => place === 'machine');
  return makeSection('resources', 'Resources', [
    rows.length === 0 || isElsewhere ? null : used,
    changedResources(findings, isBrief),
    isBrief ? null : [countersTable(findings), uncounted(findings)],
    isBrief || !switches ? null : note(explanation?.switches ? SWITCHES_BELOW : SWITCHES),
    isElsewhere ? note(OF_MACHINE) : rows.length === 0 || !servedHere ? null : note(OF_CLIENT),
    servedElsewhere && (rows.length > 0 || isElsewhere) ? note(OF_OTHERS) : null,
  ]);
}

/** Maximum clear differences in one line. */
const MAX_CLEAR = 3;
/** Resources for the line: not those of the whole machine, which depend on the window and other programs, nor sums like the total time. */
const isOfLine = (resource: Resource): boolean =>
  !/^(?:machine_|engine_|frequency_after|temperature_after)|^cpu_s$|_full_stall_s$/.test(resource);

/** Other clear differences between runs of the only comparison, in a line next to the verdict; null: none, or no change. */
export function clearResources(findings: Findings): Block | null {
  const comparisons = primaryComparisons(findings);
  const [comparison] = comparisons;
  if (comparison === undefined || comparisons.length > 1 || !isChanged(comparison)) return null;
  const clear = (comparison.resources ?? []).filter((of) => of.clear && isOfLine(of.resource));
  const share = ({ difference, baseline_mean: a, variant_mean: b }: ResourceComparison): number =>
    Math.abs(difference) / Math.max(Math.abs(a), Math.abs(b));
  const named = clear.toSorted((a, b) => share(b) - share(a)).slice(0, MAX_CLEAR);
  if (named.length === 0) return null;
  const what = named.some(({ ci95 }) => ci95 !== null) ? ' (95 % CI of the difference)' : '';
  return note(...text`Also different in ${name(comparison.variant)}${what}: ${namesOf(named.map(clearText))}.`);
}

/** Minimum blocks for a clear difference: the smallest p is 2/2ⁿ, and q is p times the number of resources. */
function nothingClear(resources: readonly ResourceComparison[]): string {
  const most = Math.max(...resources.map(({ blocks }) => blocks));
  const needed = Math.ceil(1 + Math.log2(resources.length / 0.05));
  return most >= needed
    ? 'Nothing else differs clearly between the runs.'
    : `Too few blocks to tell what else differs: ${plural(most, 'block')}, and one clear difference among ${resources.length} resources takes at least ${needed}.`;
}

/** Clear differences are highlighted; the others are included for completeness. */
function changedResources(findings: Findings, isBrief: boolean): Part {
  const rows = primaryComparisons(findings).flatMap((comparison) =>
    (comparison.resources ?? []).map((of) => ({ comparison, of })),
  );
  if (rows.length === 0) return null;
  const tableOf = (label: string, some: typeof rows): Table =>
    table(label, some, [
      { head: 'Resource', cell: ({ of }) => resourceName(of.resource) },
      { head: 'Variant', cell: ({ comparison }) => name(comparison.variant) },
      { head: 'Baseline', spare: 4, cell: ({ comparison }) => name(comparison.baseline) },
      {
        head: 'Means',
        numeric: true,
        spare: 2,
        cell: ({ of }) => meansText(of),
      },
      { head: 'In a block', numeric: true, cell: ({ of }) => differenceOf(of).change },
      {
        head: '95 % CI',
        numeric: true,
        spare: 1,
        cell: ({ of }) => differenceOf(of).interval,
      },
      { head: 'q', numeric: true, spare: 3, cell: ({ of }) => pText(of.q).replace(/^p (?:= )?/, '') },
    ]);
  const clear = rows.filter(({ of }) => of.clear);
  const others = rows.filter(({ of }) => !of.clear);
  return [
    clear.length === 0
      ? note(nothingClear(rows.map(({ of }) => of)))
      : [note(clearWords(findings)), tableOf('Resources that differ clearly', clear)],
    others.length === 0 || isBrief
      ? null
      : details(['Resources without a clear difference'], tableOf('Other resources', others)),
  ];
}

const clearWords = (findings: Findings): string =>
  `Listed: q ≤ 0.05 (a false-discovery rate of 5 %), and a change of at least 5 % of the larger mean, and of 0.03 s, 1 MiB, 1,000 faults or switches, 10 major faults, 10 MHz or 1 °C${unitOfWork(findings) === 'run' ? '' : ' in a whole run'}.`;

/** All counters, of the run, its services and the machine. */
function countersTable({ variants }: Findings): Part {
  const rows = variants.flatMap((variant) =>
    (variant.counters ?? []).flatMap(({ counter, runs, value }) =>
      value === null ? [] : [{ variant, counter, runs, value }],
    ),
  );
  if (rows.length === 0) return null;
  const counted = table('What was counted', rows, [
    { head: 'Resource', cell: ({ counter }) => resourceName(counter) },
    { head: 'Variant', cell: ({ variant }) => name(variant.name) },
    { head: 'Mean', numeric: true, cell: ({ counter, value }) => amountText(counter, value.mean) },
    {
      head: 'Standard deviation',
      numeric: true,
      spare: 2,
      cell: ({ counter, value: { sd } }) => (sd === null ? null : amountText(counter, sd)),
    },
    { head: 'Median', numeric: true, spare: 1, cell: ({ counter, value }) => amountText(counter, value.median) },
    { head: 'Runs', numeric: true, spare: 3, cell: ({ runs }) => String(runs) },
  ]);
  return details(['Everything that was counted'], counted);
}

/** Counters without a value in any run, grouped by reason. */
function uncounted({ variants }: Findings): Part {
  const all = variants.flatMap((variant) =>
    (variant.counters ?? []).flatMap(({ counter, value, missing }) =>
      value === null && missing !== null ? [{ variant: variant.name, counter, missing }] : [],
    ),
  );
  const groups = [...Map.groupBy(all, ({ variant, missing }) => JSON.stringify([variant, missing])).values()];
  const items = groups.flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const names = namesOf(group.map(({ counter }) => resourceName(counter)));
    return [text`Not known of ${name(first.variant)}, since ${UNCOUNTED[first.missing]}: ${names}.`];
  });
  return items.length === 0 ? null : details(['What is not known'], list(items));
}

const ABOVE_IDLE =
  'Context switches above idle are those of the whole machine in the window, less the number in an equal time of the pauses on both sides: those of the workload, its services and the engine. A processor that goes idle and comes back counts twice.';
const SWITCHES = `${ABOVE_IDLE} The workload’s alone are counted by \`joulediff explain\`, in extra runs.`;
const SWITCHES_BELOW = `${ABOVE_IDLE} The workload’s alone, from extra runs, are under What goes with it.`;

const OF_CLIENT = 'This is what the command itself used. The use of its services is listed apart.';

const OF_OTHERS = 'What services on other machines used is in none of these numbers.';

const OF_MACHINE =
  'The command ran on another machine than the one that is measured: of what it used there, only the processor time of the client is included here.';

/** Contribution of each channel to a difference on the primary one. */
export function channels(findings: Findings): Section | null {
  const rows = primaryComparisons(findings).flatMap((comparison) =>
    (comparison.contributions ?? []).map((part) => ({ comparison, part })),
  );
  const carried = table('Channels', rows, [
    { head: 'Variant', cell: ({ comparison }) => name(comparison.variant) },
    { head: 'Baseline', cell: ({ comparison }) => name(comparison.baseline) },
    { head: 'Channel', cell: ({ part }) => name(part.channel) },
    { head: 'Difference', numeric: true, cell: ({ part }) => signedJoules(part.difference_j) },
    {
      head: '95 % CI',
      numeric: true,
      cell: ({ part: { ci95 } }) => ci95 && `${significant(ci95[0])} to ${significant(ci95[1])} J`,
    },
    { head: 'Share of the difference', numeric: true, cell: ({ part }) => shareText(part.share) },
  ]);
  return makeSection('channels', 'Channels', [rows.length === 0 ? null : carried]);
}

function makeSection(id: string, title: string, parts: readonly Part[]): Section | null {
  return blocksOf(parts).length === 0 ? null : section(id, [title], ...parts);
}

function phasesTable({ variants }: Findings): Table | null {
  const rows = variants.flatMap((variant) => (variant.phases ?? []).map((phase) => ({ variant, phase })));
  if (rows.length === 0) return null;
  return table('Phases', rows, [
    { head: 'Variant', cell: ({ variant }) => name(variant.name) },
    { head: 'Phase', cell: ({ phase }) => name(phase.phase) },
    { head: 'Runs', numeric: true, spare: 5, cell: ({ phase }) => String(phase.runs) },
    {
      head: 'Energy, mean ± sd',
      numeric: true,
      cell: ({ phase }) => (phase.short ? `${spread(phase.energy_j, 'J')} (rough)` : spread(phase.energy_j, 'J')),
    },
    {
      head: 'Share of the run',
      numeric: true,
      spare: 1,
      cell: ({ variant, phase }) => partOfRun(phase.energy_j, variant),
    },
    { head: 'Duration, mean ± sd', numeric: true, spare: 2, cell: ({ phase }) => spread(phase.duration_s, 's') },
    { head: 'Mean power', numeric: true, spare: 4, cell: ({ phase }) => meanPower(phase) },
  ]);
}

function phaseComparisons(findings: Findings): Table | null {
  const rows = primaryComparisons(findings).flatMap((comparison) =>
    (comparison.phases ?? []).map((phase) => ({ comparison, phase })),
  );
  if (rows.length === 0) return null;
  return table('Changes of the phases', rows, [
    { head: 'Variant', cell: ({ comparison }) => name(comparison.variant) },
    { head: 'Baseline', spare: 5, cell: ({ comparison }) => name(comparison.baseline) },
    { head: 'Phase', cell: ({ phase: { phase, outside } }) => (outside ? phase : name(phase)) },
    { head: 'Mean energy', numeric: true, cell: ({ phase }) => quantity(phase.mean_energy_j.variant, 'J') },
    {
      head: 'Mean energy of the baseline',
      numeric: true,
      spare: 1,
      cell: ({ phase }) => quantity(phase.mean_energy_j.baseline, 'J'),
    },
    {
      head: 'Δ (95 % CI)',
      numeric: true,
      cell: ({ phase: { percent } }) =>
        percent.estimate === null ? null : percentWithInterval(percent.estimate, percent.ci95),
    },
    { head: 'Difference', numeric: true, spare: 3, cell: ({ phase }) => signedJoules(phase.difference_j) },
    { head: 'Share of the difference', numeric: true, spare: 2, cell: ({ phase }) => shareText(phase.share) },
    { head: 'Blocks', numeric: true, spare: 6, cell: ({ phase }) => String(phase.blocks) },
  ]);
}

/** Maximum listed phases without a comparison. */
const MAX_NOT_COMPARED = 12;

function notCompared(findings: Findings): Part {
  const items = primaryComparisons(findings).flatMap(({ phases_not_compared: left = [] }) =>
    left.map(({ phase, lacking }) => text`${name(phase)} is not compared: ${joined(lacking.map(lackingText), '; ')}`),
  );
  return items.length === 0 ? null : firstItems(items, MAX_NOT_COMPARED, (count) => `… and ${count} more`);
}

function lackingText({ variant, runs, of }: { variant: string; runs: number; of: number }): Text {
  return runs === 0
    ? text`no run of ${name(variant)} has it`
    : text`only ${String(runs)} of the ${String(of)} runs of ${name(variant)} ${runs === 1 ? 'has' : 'have'} it`;
}

function processorsBusy({ resources, duration_s: duration }: VariantFindings): string | null {
  const cpu = resources?.cpu_s ?? null;
  return cpu === null || duration === null || duration.mean <= 0 ? null : significant(cpu.mean / duration.mean, 3);
}

function partOfRun(energy: Summary, { energy_j: whole }: VariantFindings): string | null {
  return whole === null || whole.mean <= 0 ? null : `${fixed((100 * energy.mean) / whole.mean, 1)} %`;
}

function meanPower({ energy_j: energy, duration_s: duration, short }: NonNullable<VariantFindings['phases']>[number]) {
  return !short && duration.mean > 0 ? quantity(energy.mean / duration.mean, 'W') : null;
}

function shareText(share: number | null): string | null {
  return share === null ? null : `${fixed(100 * share, 0)} %`;
}

function signedJoules(joules: number): string {
  return `${joules > 0 ? '+' : ''}${quantity(joules, 'J')}`;
}
