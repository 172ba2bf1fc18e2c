import type { RunResult } from '../../analysis/results.ts';
import { MISSING, quantity } from '../../text/numbers.ts';
import { plain, plural } from '../../text/plain.ts';
import { seriesStyle } from '../charts/canvas/theme.ts';
import { axisStartNote } from '../charts/parts/axis.ts';
import { USE_SOURCE } from '../charts/power/use-panel.ts';
import { resolveBand } from '../data/bands.ts';
import type { PageAnalysis } from '../data/page-data.ts';
import { blockText, blockWords } from '../words/run-reason.ts';
import { element, keepFocus } from './element.ts';
import { liveFigure } from './figure.ts';
import { runChart } from './run-chart.ts';
import { runsByNumber } from './tips.ts';

export interface RunViewer {
  /** Shows a run and scrolls to it. */
  show(run: number): void;
}

/** A viewer of one run, selected by variant and number. `null`: the page has no readings. */
export function runViewer(section: HTMLElement, analysis: PageAnalysis): RunViewer | null {
  const { traces, findings, kept } = analysis;
  if (traces.length === 0) return null;
  const runs = runsByNumber(analysis);
  const variants = findings.variants.map((v) => v.name).filter((name) => traces.some((t) => t.variant === name));
  let current = traces[0]!;

  const variantChoice = element(
    'select',
    { id: 'run-variant' },
    ...variants.map((name, i) => option(i, plain(name, 80))),
  );
  const runChoice = element('select', { id: 'run-number' });
  const facts = element('dl', { class: 'facts' });
  const place = element('div', { class: 'drawing' });
  const caption = element('figcaption');
  const step = (text: string, by: number): HTMLButtonElement => {
    const button = element('button', { type: 'button' }, text);
    button.addEventListener('click', () => {
      const all = traces.filter((t) => t.variant === current.variant);
      const next = all[all.indexOf(current) + by];
      if (next !== undefined) choose(next.run);
    });
    return button;
  };
  const [previous, following] = [step('‹ Previous', -1), step('Next ›', 1)];
  section.querySelector('.static')?.remove();
  section.append(
    element(
      'p',
      { class: 'note screen' },
      'Pick a run here, or click a point in a chart of runs (arrow keys and Enter work too).',
    ),
    element(
      'div',
      { class: 'controls' },
      element('label', { for: 'run-variant' }, 'Variant'),
      variantChoice,
      element('label', { for: 'run-number' }, 'Run'),
      runChoice,
      previous,
      following,
    ),
    facts,
    element('figure', {}, place, caption),
  );
  const figure = liveFigure(
    place,
    (theme) => {
      const style = seriesStyle(findings.variants.findIndex((v) => v.name === current.variant));
      const band = resolveBand(analysis, current.variant);
      const spec = runChart({ trace: current, run: runs.get(current.run) ?? null, band, style }, theme);
      const use = current.use === undefined ? '' : `Below: ${USE_SOURCE}.`;
      caption.textContent =
        `${captionOf(current.tS.length, kept.every)} ${use} ${axisStartNote(spec, 'power axis')}`.trim();
      return spec;
    },
    { runs, onRun: () => {} },
  );

  const choose = (number: number): void => {
    const trace = traces.find((t) => t.run === number);
    if (trace === undefined) return;
    const all = traces.filter((t) => t.variant === trace.variant);
    if (trace.variant !== current.variant || runChoice.options.length === 0) {
      runChoice.replaceChildren(...all.map((t) => option(t.run, runText(runs.get(t.run), t.run))));
    }
    current = trace;
    variantChoice.value = String(variants.indexOf(trace.variant));
    runChoice.value = String(number);
    previous.disabled = all[0] === trace;
    following.disabled = all.at(-1) === trace;
    keepFocus(previous, following.disabled ? runChoice : following);
    keepFocus(following, previous.disabled ? runChoice : previous);
    facts.replaceChildren(...renderFacts(runs.get(number)));
    figure.redraw();
  };
  variantChoice.addEventListener('change', () => {
    const name = variants[Number(variantChoice.value)];
    choose(traces.find((t) => t.variant === name)!.run);
  });
  runChoice.addEventListener('change', () => choose(Number(runChoice.value)));
  choose(current.run);
  return {
    show: (run) => {
      choose(run);
      section.scrollIntoView({ block: 'start' });
      runChoice.focus({ preventScroll: true });
    },
  };
}

function option(value: number, text: string): HTMLOptionElement {
  return element('option', { value }, text);
}

function runText(run: RunResult | undefined, number: number): string {
  return run === undefined ? `${number}` : `${number}${blockWords(run)}: ${quantity(run.energyJ, 'J')}`;
}

function captionOf(readings: number, every: number): string {
  const drawn =
    every === 1
      ? `${plural(readings, 'reading')}, all of this run.`
      : `One in ${every} readings of this run (${readings}) as a line; shaded in its color: from the least to the greatest of each ${every}.`;
  return `${drawn} Dashed: the ends of the run’s window. Gray: the variant’s median and its band from 10 % to 90 % of the runs. Readings at the edges include idle time and may be off the plot.`;
}

/** Facts about the whole run. */
function renderFacts(run: RunResult | undefined): HTMLElement[] {
  if (run === undefined) return [];
  const { executions = 1 } = run;
  const facts: [string, string][] = [
    ['Run', `${run.run} of ${plain(run.variant, 60)}`],
    ['Block', blockText(run) ?? MISSING],
    ...(executions > 1 ? [['Executions', String(executions)] satisfies [string, string]] : []),
    ['Energy', quantity(run.energyJ, 'J')],
    ['Above idle', quantity(run.netEnergyJ, 'J')],
    ['Duration', quantity(run.durationS, 's')],
    ['Mean power', quantity(run.meanPowerW, 'W')],
    ['Idle power', quantity(run.idlePowerW, 'W')],
  ];
  return facts.map(([label, value]) => element('div', {}, element('dt', {}, label), element('dd', {}, value)));
}
