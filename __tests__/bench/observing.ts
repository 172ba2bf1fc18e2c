// How much longer a run takes while it is looked into: a million system calls, a loop bound by memory, and one bound by the processor.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Figure, ms } from './figure.ts';
import { measureRuns } from './joulediff.ts';

const LOADS: Readonly<Record<string, string>> = {
  '10⁶ system calls': 'dd if=/dev/zero of=/dev/null bs=1 count=500000 status=none',
  'copies of 16 MB (memory-bound)': 'dd if=/dev/zero of=/dev/null bs=16M count=300 status=none',
  'arithmetic of a shell (compute-bound)': 'i=0; while [ $i -lt 1000000 ]; do i=$((i+1)); done',
};

interface Explained {
  readonly rungs: readonly { readonly name: string; readonly state: string }[];
  readonly stretch: readonly { readonly of: string; readonly phase: string | null; readonly factor: number }[];
}

export async function* figures(folder: string): AsyncGenerator<Figure> {
  const names = Object.keys(LOADS);
  const parts = Object.values(LOADS).map((run, i) => `echo load-${i}; ${run}`);
  const { runs } = await measureRuns(folder, {
    name: 'observing',
    workload: { run: `${parts.join('; ')}; echo end` },
    phases: Object.fromEntries(names.map((_, i) => [`load-${i}`, `^load-${i}`])),
    variants: { one: {}, two: {} },
    repetitions: 5,
    warmup: { runs: 1 },
    rest: '1s',
    guard: '1s',
    seed: 1,
    meter: 'estimate',
    explain: 'always',
  });
  const { rungs, stretch } = JSON.parse(readFileSync(join(folder, 'out', 'explain.json'), 'utf8')) as Explained;
  const used = rungs.flatMap(({ name, state }) => (state === 'used' ? [name] : []));
  const good = runs.filter(({ status }) => status === 'ok');
  const wholeS = good.reduce((sum, { durationS }) => sum + durationS, 0) / good.length;
  for (const [i, what] of names.entries()) {
    const factors = stretch.flatMap(({ phase, factor }) => (phase === `load-${i}` ? [factor] : []));
    const mean = factors.reduce((sum, factor) => sum + factor, 0) / factors.length;
    yield {
      what: `${what}, looked into by ${used.join(', ')}`,
      joulediff: `${mean.toFixed(2)} times as long`,
      beside: `not looked into: 1; the whole run ${ms(wholeS)}`,
      goal: '',
    };
  }
}
