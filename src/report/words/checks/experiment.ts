import type { Noise } from '../../../findings/checks.ts';
import { ENOUGH_READINGS, MIN_READINGS } from '../../../schedule/batch.ts';
import { durationText, fixed, short, significant } from '../../../text/numbers.ts';
import { plural } from '../../../text/plain.ts';
import { code, joined, listed, listedUpTo, name, sentences, type Text, text } from '../../document/text.ts';
import { completionAdvice } from '../provenance.ts';
import { runReasonText } from '../run-reason.ts';
import { type CheckTable, firstOf, MAX_LISTED, size } from './table.ts';

interface StartUp {
  readonly executions: number;
  readonly start_s: number;
  readonly window_s: number;
}

/** Checks of the experiment's execution: its plan, runs, windows and order. */
export const experimentChecks = {
  plan({ reason, facts: { blocks, ended, signal, message } }) {
    if (reason === 'complete') return { found: ['Every planned run has a valid execution.'] };
    if (reason === 'ended-early') {
      const found = `The experiment ended early, as planned, at its interim analysis after ${blocks} blocks; the remaining runs were not needed.`;
      return { found: [found] };
    }
    const why = {
      died: 'the process died',
      stopped: signal === null ? 'stopped' : `stopped by ${signal}`,
      failed: (message ?? 'failed').replace(/\.$/, '').replace(/^The /, 'the '),
      complete: 'complete',
    }[ended ?? 'died'];
    return {
      found: [`The experiment is incomplete (${why}); the numbers cover what was measured until then.`],
      advice: completionAdvice(),
    };
  },
  runs({ reason, facts: { excluded, elsewhere, warmups, listed: some } }) {
    const warmed: Text = warmups ? [`${plural(warmups, 'warm-up run')} not compared.`] : [];
    if (reason === 'none-excluded') return { found: sentences([['No run failed or was invalid.'], warmed]) };
    if (some !== null) {
      const each = some.map(({ run, variant, channel, status, reason: why }) => {
        const on = channel === null ? [] : text` [${name(channel)}]`;
        return text`run ${String(run)} of ${name(variant)}${on}: ${name(why === null ? status : runReasonText(why))}`;
      });
      const more = excluded > each.length ? ` and ${excluded - each.length} more` : '';
      return {
        found: sentences([text`${plural(excluded, 'run')} excluded (${joined(each, ', ')}${more}).`, warmed]),
        advice: text`No number includes them; ${code('--json')} lists all of them.`,
      };
    }
    const others = elsewhere.map(
      ({ channel, runs }) => text`On ${name(channel)} alone ${excludedWords(runs)} not compared there.`,
    );
    const first: Text = excluded === 0 ? [] : [`${excludedWords(excluded)} not compared.`];
    return { found: sentences([first, ...others]), advice: ['runs.csv gives the reason for each.'] };
  },
  'run length'({ reason, facts }) {
    const title = facts.channel === null ? ['run length'] : text`run length for ${name(facts.channel)}`;
    const { shortest_s: shortest, enough_s: enough, readings } = facts;
    if (reason === 'no-energy' || shortest === null || enough === null)
      return { title, found: ['No run has an energy value.'] };
    const length = `The shortest window is ${fixed(shortest, shortest < 10 ? 2 : 1)} s long`;
    const found = readings === null ? `${length}.` : `${length}: ${plural(readings, 'reading')} of the meter.`;
    if (reason === 'long-enough') return { title, found: [found] };
    if (reason === 'few-readings') {
      const need: Text = [`${MIN_READINGS} readings are the minimum; ${ENOUGH_READINGS} are good.`];
      const brief = `its shortest window holds only ${plural(readings ?? 0, 'reading')} of the meter`;
      return { title, found: [found], advice: sentences([longer(enough, facts), need]), brief: [brief] };
    }
    const behind = `The counter is up to ${(facts.edge_s ?? 0) * 1000} ms late, which leaves ${significant(facts.uncertain_percent ?? 0, 2)} % of such a run uncertain.`;
    return { title, found: [`${found} ${behind}`], advice: longer(enough, facts) };
  },
  'start-up'({ reason, facts: { asked, seen, batch } }) {
    const most = seen.toSorted((a, b) => b.percent - a.percent)[0];
    if (most === undefined) return { found: ['Nothing had to be started.'] };
    if (reason === 'small') {
      return { found: [`Starting its container takes ${size(most.percent)} of a window, at most.`] };
    }
    const each = seen.map(({ variant, executions, starts, start_s: startS, window_s: windowS, percent }) => {
      const many = executions === 1 ? '' : `, ${executions} executions in one start`;
      const holds = starts > 1 ? `, ${starts} starts` : many;
      return text`Starting the container of ${name(variant)} takes ${significant(startS, 2)} s: ${size(percent)} of a window (${significant(windowS, 3)} s${holds}).`;
    });
    const found = firstOf(each);
    if (asked) return { found: sentences([found, ['The experiment file asks for that.']]) };
    const more = seen
      .filter(({ starts, executions }) => starts === 1 && (executions > 1 || batch === 'auto'))
      .map(executionsEnough);
    const cure = (): Text => {
      if (seen.some(({ starts }) => starts > 1)) {
        return text`A shell (${code('sh')}) in the image lets one start hold all executions of a window.`;
      }
      // Don't advise what the experiment file can't ask for.
      if (batch === 'refused') return ['A longer workload makes it a smaller share.'];
      return more.length > 0
        ? text`${code(`batch: ${Math.max(...more)}`)} would spread it over enough executions.`
        : text`${code('batch: auto')} executes a short command several times within one start.`;
    };
    return {
      found,
      advice: sentences([
        [
          'What it costs to start a container is part of these numbers, and of the difference where not every variant starts one.',
        ],
        cure(),
        ...(batch === 'refused'
          ? []
          : [text`If that cost is the question, ${code('batch: { starts: true }')} says so.`]),
      ]),
    };
  },
  'left by prepare'({ reason, facts: { seen } }) {
    const each = seen.map(({ variant, processes, runs_on: runsOn }) => {
      const they = processes.length === 1 ? 'it' : 'they';
      const left = text`${code('prepare')} of ${name(variant)} left ${listed(processes.slice(0, MAX_LISTED))} running`;
      return runsOn
        ? text`${left}; ${they} kept running during the command.`
        : text`${left}; ${they} ended with ${code('prepare')}.`;
    });
    const found = firstOf(each);
    switch (reason) {
      case 'runs-on':
        return { found };
      case 'uneven':
        return {
          found,
          advice: ['The other variants had no such process. What it uses in a window counts for its own variant only.'],
        };
      case 'ended':
        return {
          found,
          advice: text`In a container, ${code('prepare')} and ${code('run')} are two container starts, and only files survive the first. Put a server that the command needs under ${code('services')}, which start it in every variant alike.`,
        };
    }
  },
  conditions({ reason }) {
    if (reason === 'same') return { found: ['The machine was the same each time measuring started.'] };
    return {
      found: ['The machine had changed when the experiment was resumed (kernel, governor, Docker, …).'],
      advice: ['If the change matters, measure again without interruption; the database describes both states.'],
    };
  },
  quiet({ reason, facts: { blocks, waited, waited_s, longest_s, noisy, found } }) {
    if (reason === 'quiet') return { found: [`The machine was quiet before each of ${plural(blocks, 'block')}.`] };
    const each = found.map(({ noise, blocks: of }) => `${NOISES[noise]} (${of})`).join(', ');
    const wait: Text =
      waited === 0
        ? []
        : [
            `${plural(waited, 'block')} waited for a quiet machine, ${durationText(waited_s)} in all, ${durationText(longest_s)} at most.`,
          ];
    const seen: Text = each === '' ? [] : [`What was found, and before how many blocks: ${each}.`];
    if (reason === 'waited') return { found: sentences([wait, seen]) };
    const loud = `The machine was not quiet before ${noisy} of ${plural(blocks, 'block')}.`;
    return {
      found: sentences([[loud], wait, seen]),
      advice:
        waited > 0
          ? text`${code('joulediff doctor')} shows what disturbs it.`
          : text`${code('joulediff doctor')} shows what disturbs it; with ${code('on-noise: wait')} blocks wait until it is quiet.`,
    };
  },
  limits({ facts: { runs } }) {
    return {
      found: text`Whether ${plural(runs.length, 'run')} hit a limit on memory or processes is not known: ${whichRuns(runs)}. Their containers' accounts were gone when they ended, and this user may not read the kernel's log.`,
      advice: text`Keep the machine less busy, or let this user read the log (${code('sysctl kernel.dmesg_restrict=0')}); then measure again.`,
    };
  },
  throttling({ reason, facts: { runs } }) {
    if (reason === 'none') return { found: ['No processor was throttled in a compared run.'] };
    return {
      found: text`Processors were throttled in ${plural(runs.length, 'run')}: ${whichRuns(runs)}. They then compute more slowly, at a different power.`,
      advice: ['Improve the cooling, rest longer, or limit the frequency; a throttled run measures the heat, too.'],
    };
  },
  'kernel messages'({ reason, facts: { runs, messages } }) {
    if (reason === 'none') return { found: ['The kernel logged no warning in a compared run.'] };
    return {
      found: text`The kernel logged warnings in ${plural(runs.length, 'run')}: ${whichRuns(runs)}. The first: ${joined(messages.map(code), ', ')}.`,
      advice: text`${code('dmesg')} shows them all. Warnings about hardware, memory or disks may explain an outlier.`,
    };
  },
  files({ reason, facts: { commit, changes, named } }) {
    if (reason === 'same') return { found: ["The workload's files were the same each time measuring started."] };
    const what: Text[] = [
      ...named.slice(0, MAX_LISTED).map((path) => [code(path)]),
      ...(named.length > MAX_LISTED ? [[`${named.length - MAX_LISTED} more files`]] : []),
      ...(commit ? [['the commit that was checked out']] : []),
      ...(changes ? [['files that differ from the commit']] : []),
    ];
    return {
      found: text`The workload had changed when the experiment was resumed: ${joined(what, ', ')}.`,
      advice: [
        'If the change matters, measure again without interruption: its blocks are not all of the same workload.',
      ],
    };
  },
  blocks({ reason, facts: { incomplete, of, scattered } }) {
    if (scattered !== null) {
      const { block, first_run: first, last_run: last } = scattered.example;
      const few = scattered.blocks <= of / 4;
      return {
        found: [
          `The blocks were not used: in ${scattered.blocks} of ${of}, other runs lie between its own (block ${block}: runs ${first} and ${last}). All runs of each variant were compared instead.`,
        ],
        advice: [
          few
            ? 'A block is one round of neighboring runs. If single runs were repeated later, give them the status invalid, so that the other blocks can be used.'
            : 'A block is one round of neighboring runs: every variant once, one directly after the other. Only then does comparing within blocks remove drift of the machine.',
        ],
      };
    }
    if (reason === 'whole') return { found: ['Every block contains every variant.'] };
    const which = listedUpTo(incomplete.map(String), MAX_LISTED);
    return {
      found: text`${String(incomplete.length)} of ${plural(of, 'block')} ${incomplete.length === 1 ? 'lacks' : 'lack'} a valid run of some variant (block ${which}).`,
      advice: [
        'The headline compares runs within a block; a run without its counterpart only counts under Variants and in the tests that ignore blocks.',
      ],
    };
  },
  emulation({ facts: { variants } }) {
    return {
      found: text`QEMU emulated the processors of ${listed(variants)} (TCG): these numbers show what the emulation costs, and say nothing about a virtual machine with KVM.`,
      advice: text`Leave ${code('accel')} out, and measure on a machine with KVM.`,
      brief: ['processors were emulated, and their numbers say nothing about virtual machines'],
    };
  },
  revisions({ reason, facts: { variants } }) {
    if (reason === 'seen') return { found: ['Every variant with a revision uses files of that revision.'] };
    return {
      found: text`${listed(variants)}: the image is not built from the revision and none of its folders is mounted, so the revision has no effect there.`,
      advice: text`Use ${code('build')} instead of ${code('image')}, or add a volume such as ${code('".:/work"')}.`,
    };
  },
} satisfies Partial<CheckTable>;

function whichRuns(runs: readonly { readonly run: number; readonly variant: string }[]): Text {
  const each = runs.map(({ run, variant }) => text`${String(run)} of ${name(variant)}`);
  return text`run ${listedUpTo(each, MAX_LISTED)}`;
}

function excludedWords(count: number): string {
  return count === 1
    ? '1 run failed, was invalid or was excluded with its block, and is'
    : `${count} runs failed, were invalid or were excluded with their block, and are`;
}

/** Number of executions for which a start takes a tenth of the window, rounded up to two digits. */
function executionsEnough({ executions, start_s: startS, window_s: windowS }: StartUp): number {
  const many = (9 * startS * executions) / Math.max(windowS - startS, 0.01 * windowS);
  const step = 10 ** Math.max(0, Math.floor(Math.log10(many)) - 1);
  return Math.ceil(many / step) * step;
}

function longer(enoughS: number, { batch }: { readonly batch?: 'refused' | 'auto' | undefined }): Text {
  const length = enoughS < 2 ? Math.ceil(enoughS * 10) / 10 : Math.ceil(enoughS);
  if (batch === 'refused') return [`Make the workload run for at least ${length} s.`];
  if (batch === 'auto')
    return text`Ask for a window of at least ${String(length)} s: ${code(`batch: { window: ${length}s }`)}.`;
  return text`Make the workload run for at least ${String(length)} s, or execute it several times per window: ${code('batch: auto')} determines how often.`;
}

/** Checks of measurements imported from a CSV file. */
export const csvChecks = {
  'run order'({ reason, facts: { order, runs, blocked } }) {
    switch (reason) {
      case 'mixed':
        return { found: ['The runs of the variants alternate.'] };
      case 'unknown':
        return blocked
          ? {
              found: [
                'The file does not say in which order the runs were made (it has neither a column run nor start_ns), nor whether the runs of a block were neighbors; the blocks were used as given.',
              ],
              advice: [
                'If other runs were made between those of a block, drift of the machine is part of the difference. Add a column run, so that this can be checked.',
              ],
            }
          : {
              found: [
                'The file does not say in which order the runs were made (it has neither a column run nor start_ns).',
              ],
              advice: ['If one variant was run after the other, drift of the machine is part of the difference.'],
            };
      case 'contradicted':
        return {
          found: [
            `Run ${runs?.[0]} started after run ${runs?.[1]}: the columns run and start_ns contradict each other.`,
          ],
          advice: [
            'Unless the machine was restarted between them, one of the columns is wrong, and so are the findings about order and drift.',
          ],
        };
      case 'overlapping':
        return {
          found: [`Run ${runs?.[1]} started before run ${runs?.[0]} had ended.`],
          advice: [
            'Energy of overlapping runs can’t be separated: make one run at a time, or correct start_ns and end_ns.',
          ],
        };
      case 'one-after-another':
        return {
          found: ['All runs of one variant were made before those of the next.'],
          advice: ['Drift of the machine is part of the difference: run the variants in random order, in blocks.'],
        };
      case 'fixed':
        return {
          found: blocked
            ? text`Every block has the same order: ${listed(order ?? [])}.`
            : text`The variants take turns in the same order all the time: ${listed(order ?? [])}.`,
          advice: [
            blocked
              ? 'Whatever a run does to the next one is part of the difference: randomize the order of each block.'
              : 'Effects of a run on the next one, and of a timer in step with the turns, are part of the difference: run the variants in random order, in blocks.',
          ],
        };
    }
  },
  notation({ facts: { energy, decimal_comma: decimalComma } }) {
    const unit: Text =
      energy === null
        ? []
        : text`Energies were read from ${code(energy.column)} and multiplied by ${short(energy.joules, 6)} to get joules.`;
    const comma: Text = decimalComma
      ? ['The decimal sign of the file is a comma: 1,5 was read as one and a half.']
      : [];
    return { found: sentences([unit, comma]) };
  },
  repetition({ reason, facts: { variants, baselines = [], runs, factor } }) {
    const advice =
      'No measurement gives such numbers: check how they were made, copied or filled in. They show nothing.';
    switch (reason) {
      case 'no-scatter':
        return {
          found: text`All runs of ${listed(variants)} have the same energy to a millionth: their scatter is below what the meter resolves, or nothing was measured.`,
          advice: ['Measure longer runs, or with a meter that resolves more; or look how these numbers were made.'],
        };
      case 'one-factor':
        return {
          found: text`In each pair, ${listed(variants)} is ${baselines.length === 0 ? 'the baseline' : listed(baselines)} times ${significant(factor ?? 1, 6)}, to the last digit.`,
          advice: [advice],
        };
      default:
        return {
          found: text`${String(runs)} runs of ${listed(variants)}, one after the other, repeat earlier ones digit for digit.`,
          advice: [advice],
        };
    }
  },
  scale({ reason, facts: { seen } }) {
    const each = seen.map(({ baseline, variant, low_j: low, high_j: high }) =>
      reason === 'within'
        ? text`The runs of ${name(variant)} go from ${significant(low, 4)} J to ${significant(high, 4)} J.`
        : text`The median of ${name(variant)} and that of ${baseline === undefined ? 'the baseline' : name(baseline)} are ${significant(low, 4)} J and ${significant(high, 4)} J.`,
    );
    return {
      found: firstOf(each),
      advice: [
        'A thousandfold difference is mostly a unit or a thousands separator that was misread: check how these numbers are written.',
      ],
    };
  },
  columns({ facts: { names } }) {
    return {
      found: text`Ignored columns: ${listedUpTo(names.map(name), MAX_LISTED)}.`,
      advice: text`If one groups runs, such as those of a job or a day, it has to be called ${code('block')}. Energy per unit of work needs ${code('metrics')} in an experiment file.`,
    };
  },
  'second arm'({ facts: { baseline, again } }) {
    return {
      found: text`${name(again)} is used as the second arm of ${name(baseline)}, for the noise floor, and is not compared.`,
      advice: ['If it is a separate variant, rename it in the file.'],
    };
  },
} satisfies Partial<CheckTable>;

const NOISES: Readonly<Record<Noise, string>> = {
  load: 'load of others',
  containers: 'containers that were started meanwhile',
  temperature: 'a warmer processor than before the first block',
  frequency: 'a lower limit on the clock frequency',
  throttling: 'throttling',
};
