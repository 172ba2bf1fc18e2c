import { ORDERS, type Order } from '../overview.ts';
import type { Unit } from '../view.ts';

/** Display settings in the address, so that a view can be shared and revisited. */
export interface Wanted {
  /** Parts of the names of an experiment, machine, meter or variant; empty: all. */
  readonly find: string;
  /** Null: all. */
  readonly experiment: string | null;
  readonly machine: string | null;
  readonly order: Order;
  /** Variants that are not drawn. */
  readonly hidden: ReadonlySet<string>;
  /** Null: all experiments. */
  readonly latest: number | null;
  /** Null: what suits each place. */
  readonly unit: Unit | null;
  /** Id of the section that is looked at. */
  readonly place: string | null;
}

export const ALL: Wanted = {
  find: '',
  experiment: null,
  machine: null,
  order: 'worst',
  hidden: new Set(),
  latest: null,
  unit: null,
  place: null,
};

/** Variants of a place that the words of a search name. Words that name the place itself are met by every variant. */
export function foundVariants(find: string, place: readonly string[], variants: readonly string[]): string[] {
  const text = place.join(' ').toLowerCase();
  const words = find
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => !text.includes(word));
  return variants.filter((variant) => words.every((word) => variant.toLowerCase().includes(word)));
}

/** Address of settings that differ from the defaults. `#place-…` alone is the link of a card without the script. */
export function addressOf(wanted: Wanted): string {
  const words = new URLSearchParams();
  const set = (name: string, value: string | number | null): void => {
    if (value !== null && value !== '') words.append(name, String(value));
  };
  set('find', wanted.find);
  set('experiment', wanted.experiment);
  set('machine', wanted.machine);
  set('order', wanted.order === ALL.order ? null : wanted.order);
  for (const name of wanted.hidden) set('without', name);
  set('latest', wanted.latest);
  set('unit', wanted.unit);
  if (words.size === 0) return wanted.place === null ? '' : `#${wanted.place}`;
  set('place', wanted.place);
  return `#${words}`;
}

/** Settings in an address; meaningless parts are ignored. */
export function wantedOf(address: string): Wanted {
  const text = address.replace(/^#/, '');
  if (/^place-[0-9a-f]+$/.test(text)) return { ...ALL, place: text };
  const words = new URLSearchParams(text);
  const [order, latest, unit, place] = ['order', 'latest', 'unit', 'place'].map((name) => words.get(name) ?? '');
  return {
    find: words.get('find') ?? '',
    experiment: words.get('experiment'),
    machine: words.get('machine'),
    order: Object.hasOwn(ORDERS, order!) ? (order as Order) : ALL.order,
    hidden: new Set(words.getAll('without')),
    latest: /^[1-9]\d{0,6}$/.test(latest!) ? Number(latest) : null,
    unit: unit === 'joules' || unit === 'percent' ? unit : null,
    place: /^place-[0-9a-f]+$/.test(place!) ? place! : null,
  };
}
