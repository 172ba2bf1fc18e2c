// Class: unit.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ASSUMED_MACHINE } from '../../src/analysis/smallest-visible.ts';
import type { Experiment } from '../../src/experiment/experiment.ts';
import { findingsJson } from '../../src/report/findings-json.ts';
import { earlierRun } from '../../src/terminal/plan-meters.ts';
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
