import type { Findings } from '../../findings/findings.ts';
import { isUndecided, type Passport, type PassportCheck } from '../../findings/passport.ts';
import type { VariantFindings } from '../../findings/variant.ts';
import { bytes, duration, quantity, short, significant } from '../../text/numbers.ts';
import { joinKnown, plural } from '../../text/plain.ts';
import { note, type Part, type Section, section, type Table, table } from '../document/blocks.ts';
import { name } from '../document/text.ts';
import { calibrationText } from '../words/calibration.ts';
import { commandText, wholeCommit } from '../words/measured.ts';
import { passportCheckWords } from '../words/passport-checks.ts';
import { channelText } from '../words/provenance.ts';
import { checkTable } from './checks.ts';

/** Summary of the `meter check` of this meter, in one line. */
function passportText(passport: Passport | null): string | null {
  if (passport === null) return null;
  const { latency, step } = passport;
  const parts = [
    `checked ${passport.when.slice(0, 10)}${passport.passed ? '' : isUndecided(passport) ? ', but disturbed by other programs' : ', and failed the check'}`,
    `a reading every ${significant(passport.period_s, 4)} s ± ${significant(passport.jitter_s * 1000, 2)} ms, ${plural(passport.gaps, 'gap')}`,
    passport.resolution_w && `steps of ${short(passport.resolution_w)} W`,
    latency &&
      `${significant(latency.mean_s, 2)} s late${latency.sd_s === null ? '' : ` ± ${significant(latency.sd_s, 1)} s`}`,
    step && `this machine’s load seen in ${step.seen} of ${step.judged} steps, ${significant(step.step_w, 3)} W`,
  ];
  return joinKnown(parts, '; ');
}

/** `after 30 (p ≤ 0.0031), 45 (p ≤ 0.018) … blocks; 1 done`. */
function interimsText({ planned, nominal_p: levels, used }: NonNullable<Findings['experiment']['looks']>): string {
  const list = planned.map((blocks, i) => `${blocks} (p ≤ ${significant(levels[i] ?? 0, 2)})`);
  return `after ${list.join(', ')} blocks; ${used} done`;
}

/** `20 s`, or a summary of rests that ended by themselves. */
function restText({ rests }: Findings['experiment'], restS: number): string {
  if (rests === undefined) return duration(restS);
  const { least_s: least, median_s: middle, most_s: most, longest, runs } = rests;
  const range = `${duration(middle)} (median; ${duration(least)} to ${duration(most)}), until the machine had settled`;
  return longest === 0 ? range : `${range}, except before ${longest} of ${runs} runs`;
}

/** Conditions of the machine and the meter, as far as they are known. */
export function conditions(findings: Findings): Section {
  return section('conditions', ['Machine, meter and conditions'], conditionsTable(findings));
}

/** A condition with its value, which may come from outside. */
type Condition = readonly [condition: string, value: string | null];

function known(label: string, what: string, rows: readonly Condition[]): Table {
  const given = rows.flatMap(([condition, value]) => (value === null ? [] : [{ condition, value }]));
  const made = table(label, given, [
    { head: what, cell: ({ condition }) => condition },
    { head: 'Value', cell: ({ value }) => name(value) },
  ]);
  return { ...made, long: true };
}

function conditionsTable(findings: Findings): Table {
  const { conditions: c, meter, experiment: e } = findings;
  const rows: Condition[] = [
    ['Experiment', `${e.name}${e.started_at === null ? '' : `, started ${e.started_at}`}`],
    ['Commit', wholeCommit(findings)],
    ['Order', `${e.order}${e.seed === null ? '' : `, seed ${e.seed}`}`],
    ['Interim analyses', e.looks && e.looks.planned.length > 1 ? interimsText(e.looks) : null],
    [
      'Rest (settle time), guard',
      e.rest_s === null || e.guard_s === null ? null : `${restText(e, e.rest_s)}, ${duration(e.guard_s)}`,
    ],
    ['Meter', `${meter.type}${meter.address === null ? '' : ` at ${meter.address}`} (${meter.source})`],
    [
      'Meter says',
      Object.entries(meter.identity)
        .map(([key, value]) => `${key}: ${value}`)
        .join(', ') || null,
    ],
    [
      meter.passport?.calibration ? 'Accuracy before calibration' : 'Accuracy',
      meter.accuracy && `±${short(meter.accuracy.gain_percent)} % ± ${short(meter.accuracy.offset_w)} W`,
    ],
    ['Calibration', meter.passport?.calibration ? calibrationText(meter.passport.calibration) : null],
    ['Passport', passportText(meter.passport)],
    ['Channels', meter.channels.map((channel) => channelText(findings, channel)).join(', ') || null],
    ...meter.remarks.map((remark): Condition => ['Remark', remark]),
  ];
  if (c !== null) {
    const turbo = c.turbo === null ? null : c.turbo ? 'turbo on' : 'turbo off';
    rows.push(
      ['Machine', joinKnown([c.hostname, c.machine])],
      ['Measured from', c.measured_from === undefined ? null : `${c.measured_from}, over ssh`],
      ['Processor', joinKnown([c.cpu, plural(c.cpu_count, 'CPU'), c.governor && `governor ${c.governor}`, turbo])],
      [
        'Set for the experiment',
        c.set?.map(({ setting, value, before }) => `${setting} ${value} (was ${before})`).join(', ') ?? null,
      ],
      ['Memory', bytes(c.memory_bytes)],
      ['System', joinKnown([c.os, `kernel ${c.kernel}`, c.virtualization && `virtualized (${c.virtualization})`])],
      [
        'Docker',
        c.docker &&
          joinKnown([
            c.docker.version,
            c.docker.storage_driver,
            c.docker.network_driver,
            c.docker.cgroup && `cgroup ${c.docker.cgroup}`,
          ]),
      ],
      ['Node.js', c.node],
    );
  }
  for (const variant of findings.variants) rows.push([`Command of ${variant.name}`, commandText(variant)]);
  for (const { name: variant, revision } of findings.variants) {
    if (revision) rows.push([`Revision of ${variant}`, `${revision.name}, commit ${revision.commit}`]);
  }
  for (const { name: variant, facts } of findings.variants) {
    for (const [subject, values] of bySubject(facts)) rows.push([`${subject} of ${variant}`, values]);
  }
  rows.push(['joulediff', e.joulediff_version]);
  return known('Machine, meter and conditions', 'Condition', rows);
}

/** Groups facts whose names begin with the same word, in order: `image`, `image_digest`, `image_id`. */
function bySubject(facts: VariantFindings['facts']): Map<string, string> {
  const subjects = new Map<string, string>();
  for (const [fact, value] of Object.entries(facts)) {
    const [word = fact] = fact.split('_');
    // A limit that does not exist is mentioned; other unknown values are left out.
    if (value === null && word !== 'limit') continue;
    const subject = word === 'cpus' ? 'CPUs' : word.charAt(0).toUpperCase() + word.slice(1);
    const isCounted = value === null || typeof value === 'number';
    const text =
      fact === 'limit_watched'
        ? `(${value} watched once a second, not held by the kernel)`
        : isCounted
          ? numberText(value, fact.slice(word.length + 1))
          : String(value);
    const before = subjects.get(subject);
    subjects.set(subject, before === undefined ? text : before + (isCounted ? ', ' : ' ') + text);
  }
  return subjects;
}

/** A number with its unit from the rest of its name, `processes` or `memory_bytes`; null: there is no limit. */
function numberText(value: number | null, rest: string): string {
  const counted = rest.replace(/_bytes$/, '');
  if (value === null) return `none on ${counted}`;
  if (counted !== rest) return `${bytes(value)} of ${counted}`;
  return `${value.toLocaleString('en-US')} ${rest}`.trim();
}

/** Results of the meter's check; null: it was never checked on this machine. */
export function passport({ meter: { passport: found } }: Findings): Part {
  if (found === null) return null;
  return [
    { kind: 'heading', level: 3, text: ['The meter’s passport'] },
    note('What joulediff meter check found about the meter on this machine before the experiment.'),
    passportTable(found),
    found.checks.length === 0 ? null : checkTable('Checks of the meter', found.checks.map(passportRow)),
  ];
}

/** A row in the words of `meter check`. */
function passportRow(check: PassportCheck) {
  const { found, advice } = passportCheckWords(check);
  return { title: [check.name], state: check.state, found: [found], advice: advice === null ? null : [advice] };
}

/** Results of `meter check`, a row per finding. */
function passportTable(p: Passport): Table {
  const { latency, step } = p;
  const rows: Condition[] = [
    ['Checked', `${p.when}, on ${p.host}`],
    ['Meter', joinKnown([p.type, p.address && `at ${p.address}`, `channel ${p.channel}`])],
    ['Result', p.passed ? 'passed' : isUndecided(p) ? 'not decided: other programs disturbed every step' : 'failed'],
    ['Watched', `${duration(p.duration_s)}: ${plural(p.readings, 'reading')}, ${plural(p.gaps, 'gap')}`],
    ['A reading every', `${significant(p.period_s)} s (its maker says ${significant(p.nominal_period_s)} s)`],
    [
      'Jitter',
      `${significant(p.jitter_s * 1000, 2)} ms; the longest interval took ${significant(p.longest_interval_s)} s`,
    ],
    ['Resolution', p.resolution_w === null ? null : quantity(p.resolution_w, 'W', 2)],
    [
      'Latency of a step',
      latency &&
        `${significant(latency.mean_s, 2)} s${latency.sd_s === null ? '' : ` ± ${significant(latency.sd_s, 1)} s`}, at most ${significant(latency.max_s, 2)} s, from ${plural(latency.edges, 'edge')}`,
    ],
    ['Guard needed', p.guard_needed_s === null ? null : `${significant(p.guard_needed_s, 2)} s`],
    [
      'Load test',
      step &&
        `${quantity(step.idle_w, 'W', 3)} idle, ${quantity(step.busy_w, 'W', 3)} busy; the step was seen in ${step.seen} of ${step.judged}`,
    ],
  ];
  return known('The meter’s passport', 'Passport', rows);
}
