import { beforeAll, it } from '@jest/globals';

const AT_ONCE = 5;

/**
 * Tests that wait for seconds of real time, several at a time. Unlike with `it.concurrent`, each of them runs inside of a hook to its end:
 * between two tests jest lets no module be imported.
 */
export function sideBySide(cases: Readonly<Record<string, () => Promise<void>>>, timeoutMs = 60_000): void {
  const outcomes = new Map<string, { error: unknown } | null>();
  beforeAll(async () => {
    const waiting = Object.entries(cases);
    const work = async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const [name, test] = next;
        outcomes.set(
          name,
          await test().then(
            () => null,
            (error: unknown) => ({ error }),
          ),
        );
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  }, timeoutMs);
  it.each(Object.keys(cases))('%s', (name) => {
    const outcome = outcomes.get(name);
    if (outcome === undefined) throw new Error('it did not come to its end');
    if (outcome) throw outcome.error;
  });
}
