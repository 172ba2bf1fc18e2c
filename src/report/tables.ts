import type { RunResult } from '../analysis/results.ts';
import type { Check } from '../findings/checks.ts';
import type { Comparison } from '../findings/comparison.ts';
import type { Findings } from '../findings/findings.ts';
import type { Summary } from '../findings/numbers.ts';
import type { Passport } from '../findings/passport.ts';
import type { VariantFindings } from '../findings/variant.ts';
import { bytes, duration, fixed, MISSING, quantity, short, significant } from '../text/numbers.ts';
import { plural } from '../text/plain.ts';
import { meanEnergies, primaryChannel } from './verdict.ts';
import { changeText, channelText, effectText, verdictWord, whyText } from './words.ts';

/** Plain text from us, or a name from outside that each document escapes and sets in its way. */
export type Cell = string | { readonly name: string };

/** A table before it is Markdown, HTML or text. Columns whose head is our own text that begins with `>` hold numbers: to the right. */
export interface Table {
  readonly head: readonly Cell[];
  readonly rows: readonly (readonly Cell[])[];
}

export function name(text: string): Cell {
  return { name: text };
}

/** A row a comparison: the table that the verdict rests on. */
export function comparisonTable(
  findings: Findings,
  comparisons: readonly Comparison[],
  sign: (verdict: Comparison['verdict']) => string,
): Table {
  // Not of the primary channel alone: that one everything is about.
  const channels = comparisons.some((c) => c.channel !== primaryChannel(findings));
  const rows = comparisons.map((c): Cell[] => [
    name(c.variant),
    quantity(meanEnergies(findings, c).variant, 'J'),
    name(c.baseline),
    quantity(meanEnergies(findings, c).baseline, 'J'),
    changeText(c),
    effectText(c) ?? MISSING,
    `${sign(c.verdict)} ${verdictWord(c.verdict)}`,
  ]);
  const head = ['Variant', '>Mean energy', 'Baseline', '>Mean energy', '>Δ (95 % CI)', 'Effect size', 'Verdict'];
  if (!channels) return { head, rows };
  return {
    head: ['Channel', ...head],
    rows: rows.map((row, i) => [name(channelText(findings, comparisons[i]!.channel)), ...row]),
  };
}

/** How far the joules can be trusted: the meter's class and the noise together. Ratios are better: there the meter's gain cancels. */
function trust({ energy_uncertainty_j: u, energy_j: energy }: VariantFindings): string {
  if (!u || u.of_mean === null || energy === null) return 'unknown';
  return `± ${significant(u.of_mean, 2)} J (${significant((100 * u.of_mean) / energy.mean, 2)} %)`;
}

/** Runs of the command in a window are told only where there are several. */
function runsText({ runs, excluded, flagged, executions_per_run: executions }: VariantFindings): string {
  return [
    String(runs),
    executions && executions > 1 ? `of ${executions} executions each` : '',
    excluded.length > 0 ? `(${excluded.length} excluded)` : '',
    flagged.length > 0 ? `(${flagged.length} flagged)` : '',
  ]
    .filter(Boolean)
    .join(' ');
}

/** Every variant with its spread. */
export function variantTable(findings: Findings): Table {
  const spread = (s: Summary | null, unit: string): string =>
    s === null ? MISSING : `${meanText(s)}${s.sd === null ? '' : ` ± ${deviation(s.sd, s.mean)}`} ${unit}`;
  const middle = (s: Summary | null): string =>
    s === null ? MISSING : `${significant(s.median)} (${significant(s.q1)} to ${significant(s.q3)}) J`;
  return {
    head: [
      'Variant',
      '>Runs',
      '>Energy, mean ± sd',
      '>Uncertainty of the mean (k = 2)',
      '>Median (quartiles)',
      '>Above idle, mean ± sd',
      '>Duration, mean ± sd',
      '>Power, mean ± sd',
      '>Shapiro–Wilk p',
      '>r(energy, time)',
    ],
    rows: findings.variants.map((v) => [
      name(v.name),
      runsText(v),
      spread(v.energy_j, 'J'),
      trust(v),
      middle(v.energy_j),
      spread(v.net_energy_j, 'J'),
      spread(v.duration_s, 's'),
      spread(v.mean_power_w, 'W'),
      v.shapiro_wilk === null ? MISSING : significant(v.shapiro_wilk.p, 2),
      v.energy_time_pearson === null ? MISSING : significant(v.energy_time_pearson.r, 2),
    ]),
  };
}

/** What arithmetic leaves of equal values is no spread. */
/** Four digits, but none behind the second of the deviation where the mean is close to zero: `0.008 ± 0.092`. */
function meanText({ mean, sd }: Summary): string {
  if (sd === null || Math.abs(mean) >= sd || sd < 1e-9) return significant(mean);
  return fixed(mean, decimalsOf(significant(sd, 2)));
}

const decimalsOf = (text: string): number => /\.(\d+)$/.exec(text)?.[1]?.length ?? 0;

function deviation(sd: number, mean: number): string {
  return sd < 1e-12 * Math.abs(mean) ? '0' : significant(sd, 2);
}

/** Time or power, a row a comparison. */
export function whyTable(comparisons: readonly Comparison[]): Table {
  return {
    head: ['Variant', 'Baseline', 'Why'],
    rows: comparisons.flatMap((c) => {
      const why = whyText(c);
      return why === null ? [] : [[name(c.variant), name(c.baseline), why]];
    }),
  };
}

/** What `meter check` found out about the meter on its plug, in a line. */
function passportText(passport: Passport | null): string | null {
  if (passport === null) return null;
  const { latency, step } = passport;
  return [
    `checked ${passport.when.slice(0, 10)}${passport.sane ? '' : ', and not found sane'}`,
    `a reading every ${significant(passport.period_s, 4)} s ± ${significant(passport.jitter_s * 1000, 2)} ms, ${plural(passport.gaps, 'gap')}`,
    passport.resolution_w && `steps of ${short(passport.resolution_w)} W`,
    latency &&
      `${significant(latency.mean_s, 2)} s late${latency.sd_s === null ? '' : ` ± ${significant(latency.sd_s, 1)} s`}`,
    step && `this machine’s load seen in ${step.seen} of ${step.judged} steps, ${significant(step.step_w, 3)} W`,
  ]
    .filter(Boolean)
    .join('; ');
}

/** `after 30 (p ≤ 0.0031), 45 (p ≤ 0.018) … blocks; 1 taken`. */
function looksText({ planned, nominal_p: levels, used }: NonNullable<Findings['experiment']['looks']>): string {
  const list = planned.map((blocks, i) => `${blocks} (p ≤ ${significant(levels[i] ?? 0, 2)})`);
  return `after ${list.join(', ')} blocks; ${used} taken`;
}

/** The machine and the meter, as far as they are known. Values may come from outside. */
export function conditionsTable(findings: Findings): Table {
  const { conditions: c, meter, experiment: e } = findings;
  const rows: [string, string | null][] = [
    ['Experiment', `${e.name}${e.started_at === null ? '' : `, started ${e.started_at}`}`],
    ['Order', `${e.order}${e.seed === null ? '' : `, seed ${e.seed}`}`],
    ['Looks', e.looks ? looksText(e.looks) : null],
    ['Rest, guard', e.rest_s === null || e.guard_s === null ? null : `${duration(e.rest_s)}, ${duration(e.guard_s)}`],
    ['Meter', `${meter.type}${meter.address === null ? '' : ` at ${meter.address}`} (${meter.source})`],
    [
      'Meter says',
      Object.entries(meter.identity)
        .map(([key, value]) => `${key}: ${value}`)
        .join(', ') || null,
    ],
    ['Accuracy', meter.accuracy && `±${short(meter.accuracy.gain_percent)} % ± ${short(meter.accuracy.offset_w)} W`],
    ['Passport', passportText(meter.passport)],
    ['Channels', meter.channels.map((channel) => channelText(findings, channel)).join(', ') || null],
    ...meter.remarks.map((remark): [string, string] => ['Remark', remark]),
  ];
  if (c !== null) {
    const turbo = c.turbo === null ? null : c.turbo ? 'turbo on' : 'turbo off';
    rows.push(
      ['Machine', [c.hostname, c.machine].filter(Boolean).join(', ')],
      [
        'Processor',
        [c.cpu, `${plural(c.cpu_count, 'CPU')}`, c.governor && `governor ${c.governor}`, turbo]
          .filter(Boolean)
          .join(', '),
      ],
      ['Memory', bytes(c.memory_bytes)],
      [
        'System',
        [c.os, `kernel ${c.kernel}`, c.virtualization && `virtualized (${c.virtualization})`]
          .filter(Boolean)
          .join(', '),
      ],
      [
        'Docker',
        c.docker &&
          [
            c.docker.version,
            c.docker.storage_driver,
            c.docker.network_driver,
            c.docker.cgroup && `cgroup ${c.docker.cgroup}`,
          ]
            .filter(Boolean)
            .join(', '),
      ],
      ['Node.js', c.node],
    );
  }
  for (const { name: variant, revision } of findings.variants) {
    if (revision) rows.push([`Revision of ${variant}`, `${revision.name}, commit ${revision.commit}`]);
  }
  for (const { name: variant, facts } of findings.variants) {
    for (const [subject, values] of bySubject(facts)) rows.push([`${subject} of ${variant}`, values.join(' ')]);
  }
  rows.push(['joulediff', e.joulediff_version]);
  return {
    head: ['Condition', 'Value'],
    rows: rows.flatMap(([key, value]) => (value === null ? [] : [[key, name(value)]])),
  };
}

/** Facts whose names begin with the same word stand together, in their order: `image`, `image_digest`, `image_id`. */
function bySubject(facts: VariantFindings['facts']): Map<string, string[]> {
  const subjects = new Map<string, string[]>();
  for (const [fact, value] of Object.entries(facts)) {
    if (value === null) continue;
    const word = fact.split('_')[0] ?? fact;
    const subject = word.charAt(0).toUpperCase() + word.slice(1);
    subjects.set(subject, [...(subjects.get(subject) ?? []), String(value)]);
  }
  return subjects;
}

const STATES: Readonly<Record<Check['state'], string>> = { ok: 'ok', warn: 'warning', fail: 'failed' };

/** Every check with what it found. Details may name variants. */
export function checksTable({ quality }: Findings): Table {
  return checkRows(quality.checks);
}

export function checkRows(checks: readonly Check[]): Table {
  return {
    head: ['Check', 'State', 'Found', 'Advice'],
    rows: checks.map((c) => [c.name, STATES[c.state], c.detail, c.advice ?? '']),
  };
}

/** Every execution on every channel. */
export function runTable(runs: readonly RunResult[]): Table {
  return {
    head: ['>Run', '>Block', 'Variant', 'Channel', 'Status', '>Duration', '>Energy', '>Above idle', '>Power', 'Reason'],
    rows: runs.map((r) => [
      String(r.run),
      r.block === null ? MISSING : String(r.block),
      name(r.variant),
      name(r.channel),
      r.status,
      quantity(r.durationS, 's'),
      quantity(r.energyJ, 'J'),
      quantity(r.netEnergyJ, 'J'),
      quantity(r.meanPowerW, 'W'),
      r.reason === null ? '' : r.reason,
    ]),
  };
}

export function isNumeric(head: Cell): boolean {
  return typeof head === 'string' && head.startsWith('>');
}

export function headText(head: Cell): Cell {
  return typeof head === 'string' ? head.replace(/^>/, '') : head;
}
