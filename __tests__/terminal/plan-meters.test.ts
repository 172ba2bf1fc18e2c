// Class: unit.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ASSUMED_MACHINE } from '../../src/analysis/smallest-visible.ts';
import type { Experiment } from '../../src/experiment/experiment.ts';
import { findingsJson } from '../../src/report/findings-json.ts';
import { earlierRun, plannedMeters } from '../../src/terminal/plan-meters.ts';
import { parse } from '../experiment/support.ts';
import { syntheticAnalysis } from '../report/synthetic/analysis.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'joulediff-plan-meters-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

describe('the earlier result in the folder', () => {
  const earlier = (source: 'measured' | 'modelled') => {
    const { findings } = syntheticAnalysis({ source });
    writeFileSync(join(folder, 'findings.json'), findingsJson(findings));
    const { name, baseline } = findings.experiment;
    return { found: earlierRun({ name, baseline } as Experiment, folder), variant: findings.variants[0]! };
  };

  it('tells the length of a run, and its power where a meter measured it', () => {
    const { found, variant } = earlier('measured');
    expect(found).toMatchObject({ isMeasured: true, lengthS: variant.duration_s!.median });
    expect(found!.powerW).toBe(variant.mean_power_w!.median);
  });

  it('tells no power that a model made up', () => {
    const { found, variant } = earlier('modelled');
    const { powerW, idleW } = ASSUMED_MACHINE;
    expect(found).toMatchObject({ isMeasured: false, lengthS: variant.duration_s!.median, powerW, idleW });
  });
});

describe('the smallest change that a meter could show', () => {
  it('is of the shown comparisons, however often the baseline runs', () => {
    const three = 'workload: { run: x }\nvariants: { a: {}, b: { env: { X: y } }, c: { env: { X: z } } }\n';
    const planned = (more: string) => plannedMeters(parse(three + more), folder, { infos: [], all: true });
    expect(planned('noise: inline')).toBe(planned(''));
    // More comparisons do raise it.
    expect(planned('comparisons: all')).not.toBe(planned(''));
  });
});
