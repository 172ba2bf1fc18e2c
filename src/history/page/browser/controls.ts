import { element } from '../../../report/page/element.ts';
import { fixed } from '../../../text/numbers.ts';
import { plain } from '../../../text/plain.ts';
import type { TrendSeries } from '../../trend.ts';
import type { Unit } from '../view.ts';

export interface Wanted {
  /** Null: all. */
  readonly experiment: string | null;
  /** Variants that are not drawn. */
  readonly hidden: ReadonlySet<string>;
  /** Null: all experiments. */
  readonly latest: number | null;
  /** Null: what suits each place. */
  readonly unit: Unit | null;
}

const LATEST = [30, 100, 300, 1000, 3000];

/** What the reader may choose; only choices that make a difference. */
export function historyControls(
  parent: HTMLElement,
  allSeries: readonly TrendSeries[],
  onChange: (wanted: Wanted) => void,
): void {
  let wanted: Wanted = { experiment: null, hidden: new Set(), latest: null, unit: null };
  const change = (part: Partial<Wanted>): void => {
    wanted = { ...wanted, ...part };
    onChange(wanted);
  };
  const experiments = [...new Set(allSeries.map(({ experiment }) => experiment))];
  if (experiments.length > 1) {
    const options: [string, string][] = [
      ['', 'all'],
      ...experiments.map((name, i): [string, string] => [String(i), plain(name, 60)]),
    ];
    parent.append(
      choice(
        'Experiment',
        options,
        (value) => change({ experiment: value === '' ? null : (experiments[Number(value)] ?? null) }),
        '',
      ),
    );
  }
  const most = Math.max(0, ...allSeries.map(({ startedAt }) => startedAt.length));
  const sizes = LATEST.filter((size) => size < most);
  if (sizes.length > 0) {
    const options: [string, string][] = [
      ['', `all (${fixed(most, 0)})`],
      ...sizes.map((size): [string, string] => [String(size), `latest ${fixed(size, 0)}`]),
    ];
    parent.append(choice('Show', options, (value) => change({ latest: value === '' ? null : Number(value) }), ''));
  }
  if (allSeries.length > 0) {
    const options: [string, string][] = [
      ['', 'automatic'],
      ['joules', 'joules'],
      ['percent', '% of the first level'],
    ];
    parent.append(choice('Energy in', options, (value) => change({ unit: value === '' ? null : (value as Unit) }), ''));
  }
  const variants = [...new Set(allSeries.flatMap(({ lines }) => lines.map(({ variant }) => variant)))];
  if (variants.length > 1) {
    parent.append(boxes('Variants', variants, (hidden) => change({ hidden })));
  }
}

function choice(
  label: string,
  options: readonly [string, string][],
  onChange: (value: string) => void,
  chosen: string,
): HTMLElement {
  const select = element('select', {}, ...options.map(([value, text]) => element('option', { value }, text)));
  select.value = chosen;
  select.addEventListener('change', () => onChange(select.value));
  return element('label', {}, label, select);
}

function boxes(legend: string, names: readonly string[], onChange: (off: Set<string>) => void): HTMLElement {
  const off = new Set<string>();
  const labels = names.map((name) => {
    const box = element('input', { type: 'checkbox' });
    box.checked = true;
    box.addEventListener('change', () => {
      if (box.checked) off.delete(name);
      else off.add(name);
      onChange(new Set(off));
    });
    return element('label', {}, box, element('bdi', {}, plain(name, 60)));
  });
  return element('fieldset', {}, element('legend', {}, legend), ...labels);
}
