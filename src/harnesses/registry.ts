import { criterion } from './criterion/criterion.ts';
import { go } from './go/go.ts';
import { googleBenchmark } from './google-benchmark/google-benchmark.ts';
import type { Harness } from './harness.ts';
import { hyperfine } from './hyperfine/hyperfine.ts';
import { jmh } from './jmh/jmh.ts';
import { pytestBenchmark } from './pytest-benchmark/pytest-benchmark.ts';
import { vitest } from './vitest/vitest.ts';

/** All harnesses. To add one, make its folder and add it here. */
export const harnesses: readonly Harness[] = [pytestBenchmark, go, googleBenchmark, criterion, jmh, vitest, hyperfine];

export const harnessNames = harnesses.map(({ name }) => name);
