import type { Comparison } from '../../findings/comparison.ts';
import { emulatedVariants } from '../../findings/emulated.ts';
import type { Findings } from '../../findings/findings.ts';
import type { MachinePart } from '../../findings/numbers.ts';
import { lowestInside } from '../../stats/log-ratio.ts';
import { bytes, duration, short, significant } from '../../text/numbers.ts';
import { listed, plain, plural } from '../../text/plain.ts';
import { REPOSITORY } from '../../version.ts';
import { details, list, paragraph, type Section, section } from '../document/blocks.ts';
import { listOf, name, plainText, quoted, sentences, type Text, text } from '../document/text.ts';
import { executionsPerRun } from '../per-execution.ts';
import { failedChecks, isOnlyNoise, primaryComparisons } from '../verdict.ts';
import { commitText, measuredText } from '../words/measured.ts';
import { isImported, STOPPED } from '../words/provenance.ts';
import { resultsLatex } from './paper-tables.ts';

const REFERENCES = {
  hodgesLehmann:
    'J. L. Hodges and E. L. Lehmann. Estimates of location based on rank tests. The Annals of Mathematical Statistics 34(2), 598–611, 1963.',
  wilcoxon: 'F. Wilcoxon. Individual comparisons by ranking methods. Biometrics Bulletin 1(6), 80–83, 1945.',
  mannWhitney:
    'H. B. Mann and D. R. Whitney. On a test of whether one of two random variables is stochastically larger than the other. The Annals of Mathematical Statistics 18(1), 50–60, 1947.',
  holm: 'S. Holm. A simple sequentially rejective multiple test procedure. Scandinavian Journal of Statistics 6(2), 65–70, 1979.',
  benjaminiHochberg:
    'Y. Benjamini and Y. Hochberg. Controlling the false discovery rate: a practical and powerful approach to multiple testing. Journal of the Royal Statistical Society B 57(1), 289–300, 1995.',
  benjaminiYekutieli:
    'Y. Benjamini and D. Yekutieli. False discovery rate–adjusted multiple confidence intervals for selected parameters. Journal of the American Statistical Association 100(469), 71–81, 2005.',
  schuirmann:
    'D. J. Schuirmann. A comparison of the two one-sided tests procedure and the power approach for assessing the equivalence of average bioavailability. Journal of Pharmacokinetics and Biopharmaceutics 15(6), 657–680, 1987.',
  lanDeMets:
    'K. K. G. Lan and D. L. DeMets. Discrete sequential boundaries for clinical trials. Biometrika 70(3), 659–663, 1983.',
  cliff:
    'N. Cliff. Answering ordinal questions with ordinal data using ordinal statistics. Multivariate Behavioral Research 31(3), 331–350, 1996.',
  joulediff: `joulediff, https://github.com/${REPOSITORY}.`,
} as const;

/** Cites a work by its number in the order of first use: ` [1]`. */
type Cite = (work: keyof typeof REFERENCES) => string;

/** How the experiment was measured and analyzed, as a paragraph for a paper, with references. Facts come from the findings. */
export function methodsText(findings: Findings): { readonly paragraph: Text; readonly references: readonly string[] } {
  const cited: string[] = [];
  const cite: Cite = (work) => {
    if (!cited.includes(REFERENCES[work])) cited.push(REFERENCES[work]);
    return ` [${cited.indexOf(REFERENCES[work]) + 1}]`;
  };
  const all = [
    compared(findings),
    [machine(findings)],
    ...meter(findings),
    [design(findings, cite)],
    [rest(findings)],
    ...energy(findings),
    [excluded(findings)],
    ...statistics(findings, cite),
    [noiseFloor(findings)],
    ...doubts(findings),
    [
      `joulediff ${findings.experiment.joulediff_version}${cite('joulediff')} ${isImported(findings) ? 'analyzed the runs' : 'planned, measured and analyzed the experiment'}.`,
    ],
  ];
  const paragraph = sentences(all.filter((sentence) => plainText(sentence) !== '').map(withoutCode));
  return { paragraph, references: cited.map((work, i) => `[${i + 1}] ${work}`) };
}

/** The paragraph and its references as plain text, to paste. */
export function methodsPlain(findings: Findings): string {
  const { paragraph, references } = methodsText(findings);
  return `${plain(plainText(paragraph), Number.POSITIVE_INFINITY)}\n\n${references.join('\n')}\n`;
}

/** For report.html: paragraph, references, and the tables as LaTeX, to copy. */
export function methods(findings: Findings): Section {
  const { paragraph: described, references } = methodsText(findings);
  return section(
    'methods',
    ['How to describe this measurement in a paper'],
    paragraph(...described),
    list(references.map((reference) => [reference])),
    details(['Results as LaTeX tables'], {
      kind: 'code',
      language: 'text',
      lines: resultsLatex(findings).trimEnd().split('\n'),
    }),
  );
}

/** The sentence without code formatting, as for a paper; commands of several words are in quotes. */
const withoutCode = (sentence: Text): Text =>
  sentence.map((span) => {
    if (typeof span === 'string' || !('code' in span || 'name' in span)) return span;
    return name(quoted('code' in span ? span.code : span.name));
  });

/** Maximum named variants; more are counted. */
const MAX_NAMED = 4;

function compared(findings: Findings): Text {
  const { variants, experiment, suite } = findings;
  const measured = measuredText(findings);
  const commit = commitText(findings);
  const what = measured.length === 0 ? [] : text` (${measured}${commit.length === 0 ? [] : text`; ${commit}`})`;
  if (isOnlyNoise(findings)) {
    return text`We measured the energy of ${name(experiment.baseline)} against itself, to know what this machine shows where nothing differs${what}.`;
  }
  if (suite !== undefined) {
    const [baseline = '', ...compared] = suite.variants;
    const at = commit.length === 0 ? [] : text` (${commit})`;
    return text`We compared the energy of ${listOf(compared)} with that of ${name(baseline)} in ${plural(suite.benchmarks.filter(({ state }) => state === 'compared').length, 'benchmark')}${at}.`;
  }
  if (new Set(findings.comparisons.map(({ baseline }) => baseline)).size > 1) {
    const names = variants.map((variant) => variant.name);
    const among: Text = names.length > MAX_NAMED ? [`${names.length} variants`] : listOf(names);
    return text`We compared the energy of ${among}${what}.`;
  }
  const others = variants.filter((variant) => variant.name !== experiment.baseline).map((variant) => variant.name);
  if (others.length === 0) return text`We measured the energy of ${name(experiment.baseline)}${what}.`;
  const who: Text = others.length > MAX_NAMED ? [`${others.length} variants`] : listOf(others);
  return text`We compared the energy of ${who} with that of ${name(experiment.baseline)}${what}.`;
}

function machine({ conditions: c }: Findings): string {
  if (c === null) return '';
  const processors = `${c.cpu === null ? '' : `${plain(c.cpu, 100)}, `}${plural(c.cpu_count, 'logical processor')}`;
  const parts = [
    `${bytes(c.memory_bytes)} of memory`,
    [c.os && plain(c.os, 100), `kernel ${plain(c.kernel, 100)}`].filter(Boolean).join(' with '),
    c.governor && `governor ${plain(c.governor, 40)}`,
    c.turbo === null ? null : `turbo ${c.turbo ? 'on' : 'off'}`,
    c.docker?.version && `Docker ${plain(c.docker.version, 40)}`,
    c.virtualization && `virtualized (${plain(c.virtualization, 40)})`,
  ].filter(Boolean);
  return `The machine${c.machine === null ? '' : `, ${plain(c.machine, 100)},`} had ${processors}, ${parts.join(', ')}.`;
}

export const PARTS: Readonly<Record<MachinePart, string>> = {
  machine: 'the whole machine',
  'package-and-dram': 'the processor packages and the memory',
  package: 'the processor packages',
  dram: 'the memory',
  core: 'one core of the processor',
};

/** Meters that forward another program's numbers, whose way of measuring is unknown. */
const REPORTERS: ReadonlySet<string> = new Set(['command', 'http-json']);

/** Sentences on where the energies come from. The class of the meter (measured, reported, modelled, emulated) is in the first. */
function meter(findings: Findings): Text[] {
  const { type, source, part, sampling_period_s: period, accuracy, passport, channels } = findings.meter;
  const isKnown = !isImported(findings);
  const of = isKnown ? text` (${name(type)})` : [];
  const seen = part === null ? '' : ` of ${PARTS[part]}`;
  const channel = channels.length > 1 ? text` (channel ${name(channels[0] ?? '')})` : [];
  const rate = period === null ? '' : `, with a reading every ${duration(period)}`;
  const guests = emulatedVariants(findings);
  const how: Readonly<Record<typeof source, Text>> = {
    measured: REPORTERS.has(type)
      ? text`The energy${seen} was reported by a program${of}${channel}${rate}; how it measures is not known to joulediff.`
      : text`The energy${seen} was measured${isKnown ? text` with the meter ${name(type)}` : []}${channel}${rate}.`,
    modelled: text`The energy was not measured but estimated by a model${of}${channel}${rate}.`,
    emulated: text`The energy was not measured: an emulated meter${of} made up its readings${channel}${rate}, which say nothing about energy use.`,
    unknown: ['The energies were read from a file; how they were measured is not known to joulediff.'],
  };
  const limits = accuracy && `±${short(accuracy.gain_percent)} % ± ${short(accuracy.offset_w)} W`;
  return [
    how[source],
    guests.length === 0 ? [] : text`The processors of ${listOf(guests)} were emulated.`,
    source !== 'measured' || limits === null || passport?.calibration ? [] : [`Its stated accuracy is ${limits}.`],
    source === 'measured' && passport?.calibration ? ['Its readings were calibrated.'] : [],
  ];
}

function design({ experiment, variants, suite, quality }: Findings, cite: Cite): string {
  const { order, seed, repetitions_planned: planned, repetitions_completed: done, warmup_blocks: warmup } = experiment;
  const { looks, complete } = experiment;
  if (order !== 'randomized-blocks' || planned === null) {
    return `There were ${listed(variants.slice(0, MAX_NAMED).map(({ name: of, runs }) => `${plural(runs, 'run')} of ${plain(of, 60)}`))}${variants.length > MAX_NAMED ? ' and others' : ''}.`;
  }
  const first = warmup
    ? `, after ${plural(warmup, 'warm-up block')} that ${warmup === 1 ? 'is' : 'are'} not compared`
    : '';
  const again = quality.noise_floor?.source === 'inline' ? ' and the baseline once more' : '';
  const drawn = `in an order drawn at random for each block${seed === null ? '' : ` (seed ${seed})`}`;
  const blocks = `Each of ${plural(looks ? (done ?? planned) : planned, 'block')} ran every ${suite && looks ? 'benchmark that was not settled yet once with every variant' : 'variant once'}${again}, ${drawn}${first}.`;
  const early = looks?.planned.filter((at) => at < planned) ?? [];
  const stopped = complete ? '' : ' The experiment was stopped before its plan was completed.';
  if (looks && early.length > 0) {
    const spending = looks.spending === 'pocock' ? 'Pocock' : 'O’Brien–Fleming';
    const because = looks.stopped_because === null ? '' : `, because ${STOPPED[looks.stopped_because]}`;
    const width =
      looks.want_percent === undefined ? '' : ` once the interval was within ±${short(looks.want_percent)} %`;
    return `${blocks} Of at most ${plural(planned, 'block')}, ${early.length === 1 ? 'an interim analysis' : 'interim analyses'} after ${listed(early.map(String))} blocks could end the experiment${width}, with error spending of ${spending} type${cite('lanDeMets')}; it ended after ${done ?? 0}${because}.${stopped}`;
  }
  const only = done === null || done === planned ? '' : ` Only ${done} of them are complete.`;
  return `${blocks}${only}${stopped}`;
}

function rest({ experiment: { rest_s: restS, rests, guard_s: guardS } }: Findings): string {
  if (restS === null) return '';
  const guard = guardS === null ? '' : `, and ${duration(guardS)} on both sides of each run were kept idle`;
  if (rests === undefined) return `Before each run the machine rested for ${duration(restS)}${guard}.`;
  return `Before each run the machine rested until it had settled (median ${duration(rests.median_s)}, ${duration(rests.least_s)} to ${duration(rests.most_s)})${guard}.`;
}

function energy(findings: Findings): Text[] {
  const { window } = findings.experiment;
  const executions = executionsPerRun(findings);
  const so = findings.suite === undefined ? `${executions}` : `up to ${executions}`;
  const what = window === 'service' ? 'from the start of its services to their end' : 'while its command ran';
  return [
    isImported(findings) ? [] : [`The energy of a run is all that the meter saw ${what}, idle power included.`],
    executions === 1 ? [] : [`A run holds ${so} executions, and all amounts are per execution.`],
  ];
}

function excluded({ variants }: Findings): string {
  const left = variants.filter((variant) => variant.excluded.length > 0);
  if (left.length === 0) return 'No run was excluded.';
  const each = left.map((variant) => `${variant.excluded.length} of ${plain(variant.name, 60)}`);
  return `Failed and invalid runs were excluded (${listed(each)}), and none for its energy.`;
}

/** Sentences on the estimate with its interval, the verdict rule and the effect size; none where nothing was compared. */
function statistics(findings: Findings, cite: Cite): Text[] {
  const comparisons = primaryComparisons(findings);
  const [first] = comparisons;
  if (first === undefined) return [];
  const adjusted = comparisons.some(({ p_holm: p }) => p !== null) ? ', adjusted by Holm’s method' : '';
  const estimate =
    first.blocks === null
      ? `The change in energy is the Hodges–Lehmann estimate of the ratios between runs${cite('hodgesLehmann')}; its test is that of Mann and Whitney${cite('mannWhitney')}, whose p we give${adjusted}.`
      : `The change in energy is the Hodges–Lehmann estimate of the log ratios within the ${findings.experiment.repetitions_planned === null ? `${first.blocks} ` : ''}blocks${cite('hodgesLehmann')}, with the ${(first.look?.of ?? 1) > 1 ? 'repeated ' : ''}confidence interval of Wilcoxon’s signed-rank test${cite('wilcoxon')}, whose p we give${adjusted}${levels(comparisons)}.`;
  const holm =
    findings.suite !== undefined
      ? ` and its rate is below 0.05 by the method of Benjamini and Hochberg over ${first.family_size} comparisons${cite('benjaminiHochberg')}, which holds the false discovery rate${first.look ? '' : `; that interval is adjusted for the selection${cite('benjaminiYekutieli')}`}`
      : first.family_size > 1
        ? ` and p < 0.05 by Holm’s method over ${first.family_size} comparisons${cite('holm')}`
        : '';
  const { margin_percent: percent } = findings.experiment;
  // Ratios, so that it does not matter which variant is the baseline.
  const margin = `between −${significant(-lowestInside(percent), 3)} and +${short(percent)} %`;
  const rule = `We call a change an increase or a decrease where its 95 % confidence interval excludes zero${holm}, unless its 90 % interval lies ${margin}; two variants are equivalent where the 90 % interval lies there and no change is shown (two one-sided tests${cite('schuirmann')}).`;
  const delta = comparisons.some((c) => c.effect.cliffs_delta !== null);
  return [[estimate], [rule], delta ? [`Effect sizes are Cliff’s δ${cite('cliff')}.`] : []];
}

/** `; the interval’s confidence is 95.8 %`, or what an interim analysis asked of p if it asked the same of all. */
function levels(comparisons: readonly Comparison[]): string {
  if (comparisons.some(({ look }) => look && look.of > 1)) {
    const [p, ...others] = new Set(comparisons.map(({ look }) => look?.nominal_p));
    if (p === undefined || others.length > 0) return '';
    const raw = comparisons.every(({ p_holm: adjusted }) => adjusted === null) ? 'p' : 'an unadjusted p';
    return `; a change needed ${raw} ≤ ${significant(p, 2)} at that analysis`;
  }
  // With a plan of analyses, the confidence that was asked for is known, not the one that the blocks allow.
  const known = comparisons.flatMap(({ look, percent: { confidence } }) => (look ? [] : (confidence ?? [])));
  if (known.length === 0) return '';
  const ends = [Math.min(...known), Math.max(...known)].map((confidence) => significant(100 * confidence, 4));
  return `; the interval’s confidence is ${[...new Set(ends)].join(' to ')} %`;
}

function noiseFloor({ quality: { noise_floor: floor } }: Findings): string {
  return floor === null
    ? ''
    : `The difference between two identical variants on this machine had a 95 % confidence interval within ±${significant(floor.percent, 2)} % (${plural(floor.blocks, 'block')}).`;
}

/** Names the checks that failed or warned; empty where none did. A paper must not leave them out. */
function doubts(findings: Findings): Text[] {
  const failed = new Set(failedChecks(findings).map((check) => check.name));
  const warned = new Set(findings.quality.checks.flatMap(({ state, name }) => (state === 'warn' ? [name] : [])));
  const those = (names: ReadonlySet<string>) =>
    `${names.size === 1 ? 'check' : 'checks'} ${listed([...names].map((one) => `“${one}”`))}`;
  return [
    failed.size === 0 ? [] : [`The result can't be trusted: the ${those(failed)} failed.`],
    warned.size === 0 ? [] : [`The ${those(warned)} raised ${warned.size === 1 ? 'a warning' : 'warnings'}.`],
  ];
}
