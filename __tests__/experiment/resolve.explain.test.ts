// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { parse, refusal, TWO, withSet } from './support.ts';

describe('explain', () => {
  it.each([
    ['', undefined],
    ['explain: { when: always, trace: true }', true],
    ['explain: { trace: false }', false],
    ['explain: { trace: uftrace }', ['uftrace']],
    ['explain: { trace: [strace, uftrace] }', ['strace', 'uftrace']],
  ])('%j says what runs are traced by', (line, trace) => {
    expect(parse(`${TWO}${line}\n`).trace).toEqual(trace);
  });

  it('can name the tracer on the command line', () => {
    expect(withSet(TWO, 'explain.trace=uftrace').trace).toEqual(['uftrace']);
    expect(withSet(TWO, 'explain.trace=true').trace).toBe(true);
  });

  it('refuses another tracer with those that there are', () => {
    for (const trace of ['ltrace', '[]', '[uftrace, ltrace]']) {
      expect(refusal(() => parse(`${TWO}explain: { trace: ${trace} }\n`))).toContain(
        '"strace", "strace-services", "uftrace"',
      );
    }
  });
});
