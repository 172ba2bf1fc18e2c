import { plural } from '../../text/plain.ts';
import { phasesCsv, runsCsv } from '../csv.ts';
import type { PageAnalysis } from '../data/page-data.ts';
import { findingsJson } from '../findings-json.ts';
import { element } from './element.ts';

interface File {
  readonly name: string;
  readonly type: string;
  readonly words: string;
  readonly content: () => string;
}

/** Buttons that save the page's data as files. */
export function saveButtons(place: HTMLElement, analysis: PageAnalysis): void {
  const list = element('ul', { class: 'files' });
  for (const file of filesOf(analysis)) {
    const button = element('button', { type: 'button', 'data-file': file.name }, `Save ${file.name}`);
    button.addEventListener('click', () => save(file));
    list.append(element('li', {}, button, ' ', element('span', {}, file.words)));
  }
  place.append(list);
}

function filesOf(analysis: PageAnalysis): File[] {
  const { findings, runs, traces, kept } = analysis;
  const digits = kept.digits === null ? '' : `; numbers are rounded to ${kept.digits} digits, for the size of the page`;
  const { all, kept: here } = kept.readings;
  const thinned =
    kept.every === 1
      ? `All ${plural(all, 'reading')} of the compared runs`
      : `${here} of ${plural(all, 'reading')} of the compared runs: one in ${kept.every}, and the least and the greatest of each ${kept.every}`;
  return [
    {
      name: 'findings.json',
      type: 'application/json',
      words: 'Every number of this page, as the file beside it.',
      content: () => findingsJson(findings),
    },
    kept.hasRuns && {
      name: 'runs.csv',
      type: 'text/csv',
      words: `${plural(runs.length, 'line')}: every run on every channel${digits}.`,
      content: () => runsCsv(runs, findings),
    },
    runs.some((run) => (run.phases ?? []).length > 0) && {
      name: 'phases.csv',
      type: 'text/csv',
      words: `Every time that a run was in a phase${digits}.`,
      content: () => phasesCsv(runs, findings) ?? '',
    },
    traces.length > 0 && {
      name: 'readings.csv',
      type: 'text/csv',
      words: `${thinned}; rounded to ${kept.stepW} W. samples.csv beside this page has every sample.`,
      content: () => readingsCsv(analysis),
    },
  ].filter((file) => file !== false);
}

/** Times are seconds after the start of the run's window; thinned readings include the minimum and maximum of their stretch. */
function readingsCsv({ traces, kept }: PageAnalysis): string {
  const wide = kept.every > 1;
  const lines = traces.flatMap(({ run, tS, powerW, lowW, highW }) =>
    Array.from(tS, (t, i) => `${run},${t},${powerW[i]}${wide ? `,${lowW?.[i]},${highW?.[i]}` : ''}`),
  );
  return `${[`run,t_s,power_w${wide ? ',least_w,greatest_w' : ''}`, ...lines].join('\n')}\n`;
}

function save({ name, type, content }: File): void {
  const url = URL.createObjectURL(new Blob([content()], { type: `${type};charset=utf-8` }));
  element('a', { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
