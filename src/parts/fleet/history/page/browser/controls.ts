import { element } from '../../../../../report/page/element.ts';
import { fixed } from '../../../../../text/numbers.ts';
import { plain } from '../../../../../text/plain.ts';
import type { Card, Order } from '../overview.ts';
import type { Unit } from '../view.ts';
import { ALL, type Wanted } from './address.ts';

const LATEST = [30, 100, 300, 1000, 3000];

export interface Controls {
  /** Shows what is wanted now. */
  show(wanted: Wanted): void;
}

type Choose = (part: Partial<Wanted>, how: 'chosen' | 'typed') => void;

/** Controls of the page; only those with several choices. */
export function historyControls(parent: HTMLElement, cards: readonly Card[], choose: Choose): Controls {
  const shown: ((wanted: Wanted) => void)[] = [];
  const select = (
    label: string,
    options: readonly (readonly [string, string])[],
    value: (wanted: Wanted) => string,
    take: (value: string) => Partial<Wanted>,
  ): void => {
    const made = element('select', {}, ...options.map(([key, text]) => element('option', { value: key }, text)));
    made.addEventListener('change', () => choose(take(made.value), 'chosen'));
    shown.push((wanted) => {
      made.value = value(wanted);
      // An address may ask for something that this page lacks.
      if (made.selectedIndex < 0) made.selectedIndex = 0;
    });
    parent.append(element('label', {}, label, made));
  };

  const variants = [...new Set(cards.flatMap((card) => card.variants))];
  if (cards.length > 1 || variants.length > MAX_OPEN) {
    const find = element('input', { type: 'search', size: 14 });
    find.addEventListener('input', () => choose({ find: find.value }, 'typed'));
    shown.push((wanted) => {
      if (find.value !== wanted.find) find.value = wanted.find;
    });
    parent.append(element('label', {}, 'Find', find));
  }
  for (const key of ['experiment', 'machine'] as const) {
    const names = [...new Set(cards.map((card) => card[key]))].sort();
    if (names.length < 2) continue;
    const options = names.map((name, i) => [String(i), plain(name, 60)] as const);
    const label = key === 'experiment' ? 'Experiment' : 'Machine';
    const value = (wanted: Wanted) => String(wanted[key] === null ? '' : names.indexOf(wanted[key]));
    select(label, [['', 'all'], ...options], value, (given) => ({
      [key]: given === '' ? null : (names[Number(given)] ?? null),
    }));
  }
  if (cards.length > 1) {
    const orders: readonly (readonly [Order, string])[] = [
      ['worst', 'worst first'],
      ['difference', 'largest difference'],
      ['name', 'name'],
    ];
    select(
      'Order',
      orders,
      ({ order }) => order,
      (order) => ({ order: order as Order }),
    );
  }
  const most = Math.max(0, ...cards.map(({ experiments }) => experiments));
  const sizes = LATEST.filter((size) => size < most);
  if (sizes.length > 0) {
    const options = sizes.map((size) => [String(size), `latest ${fixed(size, 0)}`] as const);
    select(
      'Show',
      [['', `all (${fixed(most, 0)})`], ...options],
      ({ latest }) => String(latest ?? ''),
      (value) => ({ latest: value === '' ? null : Number(value) }),
    );
  }
  if (cards.length > 0) {
    select(
      'Energy in',
      [
        ['', 'automatic'],
        ['joules', 'joules'],
        ['percent', '% of the first level'],
      ],
      ({ unit }) => unit ?? '',
      (value) => ({ unit: value === '' ? null : (value as Unit) }),
    );
  }
  if (variants.length > 1) parent.append(boxes(variants, choose, shown));
  const back = element('button', { type: 'button' }, 'Show everything');
  back.addEventListener('click', () => choose(ALL, 'chosen'));
  shown.push((wanted) => {
    const { place: _, ...filters } = wanted;
    back.hidden = Object.entries(filters).every(([key, value]) =>
      value instanceof Set ? value.size === 0 : value === ALL[key as keyof Wanted],
    );
  });
  parent.append(back);
  return {
    show(wanted) {
      for (const show of shown) show(wanted);
    },
  };
}

/** Maximum variants with a visible checkbox. */
const MAX_OPEN = 24;

/** Variants that are drawn. Of many, a reader begins with none to choose a few. */
function boxes(names: readonly string[], choose: Choose, shown: ((wanted: Wanted) => void)[]): HTMLElement {
  const all = names.map((name) => {
    const box = element('input', { type: 'checkbox' });
    box.addEventListener('change', () => {
      const off = all.filter((each) => !each.box.checked).map((each) => each.name);
      choose({ hidden: new Set(off) }, 'chosen');
    });
    shown.push(({ hidden }) => {
      box.checked = !hidden.has(name);
    });
    return { name, box, label: element('label', {}, box, element('bdi', {}, plain(name, 60))) };
  });
  const whole = element('fieldset', {}, element('legend', {}, 'Variants'), ...all.map(({ label }) => label));
  if (names.length <= MAX_OPEN) return whole;
  const none = element('button', { type: 'button' }, 'None');
  none.addEventListener('click', () => choose({ hidden: new Set(names) }, 'chosen'));
  whole.querySelector('legend')?.after(none);
  return element('details', {}, element('summary', {}, `Choose among ${names.length} variants`), whole);
}
