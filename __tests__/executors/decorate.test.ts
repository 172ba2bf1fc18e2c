// Class: unit.
import { expect, it } from '@jest/globals';
import { decorate } from '../../src/executors/decorate.ts';
import type { Executor } from '../../src/executors/executor.ts';

/** Has all members, and knows itself. */
class Place implements Required<Executor> {
  readonly traces = 'host';
  readonly #name = 'place';
  readonly inspections = () => ({ client: null, services: [], facts: { name: this.#name } });
  services() {
    return [];
  }
  async setup() {
    return { name: this.#name };
  }
  async repeatProblem() {
    return this.#name;
  }
  async prepare(): Promise<never> {
    throw new Error(this.#name);
  }
  async makeService(): Promise<never> {
    throw new Error(this.#name);
  }
  hasGroups() {
    return this.#name === 'place';
  }
  async filesOf() {}
  async recover() {}
}

const { signal } = new AbortController();

it('does what the other one does, with all its members, but for what is changed', async () => {
  const place = new Place();
  const decorated = decorate(place, { hasGroups: () => false });
  expect(await decorated.setup(signal)).toEqual({ name: 'place' });
  expect(await decorated.repeatProblem?.(signal)).toBe('place');
  expect(decorated.inspections?.().facts).toEqual({ name: 'place' });
  expect([decorated.traces, decorated.hasGroups?.()]).toEqual(['host', false]);
  await expect(decorated.prepare({} as never)).rejects.toThrow('place');
  await expect(decorated.makeService({} as never, {} as never)).rejects.toThrow('place');
  const members = [
    'services',
    'setup',
    'inspections',
    'repeatProblem',
    'prepare',
    'makeService',
    'traces',
    'hasGroups',
  ];
  expect(Object.keys(decorated).sort()).toEqual([...members, 'filesOf', 'recover'].sort());
});

it('lacks what it is to go without, and what the other one lacks', () => {
  const place = new Place();
  const { services, ...most } = decorate(place, {}, ['services', 'traces']) as Executor;
  expect(services).toBeUndefined();
  expect('traces' in most).toBe(false);
  const plain: Executor = { setup: place.setup, prepare: place.prepare, makeService: place.makeService };
  expect(Object.keys(decorate(plain, {})).sort()).toEqual(['makeService', 'prepare', 'setup']);
});
