// Class: system.
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { annotate, MAX_ERRORS, MAX_WARNINGS } from '../../src/action/annotations.ts';
import type { Findings } from '../../src/findings/findings.ts';
import { checkNaming, everyAnalysis, limits } from '../report/fixtures.ts';
import { nastyNames } from '../report/nasty-names.ts';
import { syntheticAnalysis } from '../report/synthetic/analysis.ts';

const all = everyAnalysis();
let log: string;

beforeEach(() => {
  log = '';
  jest.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    log += String(chunk);
    return true;
  });
});
afterEach(() => {
  jest.restoreAllMocks();
});

function annotations(findings: Findings): string[] {
  annotate(findings);
  return log.split('\n').filter((line) => line !== '');
}

describe('annotate', () => {
  it('makes an error of a threshold that is crossed, and nothing of one that is kept', () => {
    expect(annotations(all.crossed!.findings)).toEqual([
      '::error title=Energy limit crossed%3A container%2C +2 %25::The limit of +2 %25 is crossed. container against native: +3.2 %25 (95 %25 CI +2.7 to +3.7), all of it beyond the limit.',
    ]);
  });

  it('says of estimated and emulated numbers that they are', () => {
    expect(annotations(all.modelledCosts!.findings)[0]).toContain('+2 %25 (estimated%2C not measured)::');
    log = '';
    expect(annotations(syntheticAnalysis({ source: 'emulated', goals: { failOn: limits } }).findings)[0]).toContain(
      '(emulated meter)::',
    );
  });

  it('makes an error of a failed check and a warning of a doubtful one, with their advice', () => {
    const checks = [checkNaming('a', 'ok'), checkNaming('b', 'warn'), checkNaming('c', 'fail')];
    expect(annotations(syntheticAnalysis({ checks }).findings)).toEqual([
      '::error title=Check failed%3A second arm::c is used as the second arm of c, for the noise floor, and is not compared. If it is a separate variant, rename it in the file.',
      '::warning title=Check%3A second arm::b is used as the second arm of b, for the noise floor, and is not compared. If it is a separate variant, rename it in the file.',
    ]);
  });

  it('stays within what the platform shows, and says how many are missing', () => {
    const checks = Array.from({ length: 50 }, (_, i) => checkNaming(`check ${i}`, i % 2 ? 'warn' : 'fail'));
    const lines = annotations(syntheticAnalysis({ checks }).findings);
    const errors = lines.filter((line) => line.startsWith('::error'));
    const warnings = lines.filter((line) => line.startsWith('::warning'));
    expect([errors.length, warnings.length]).toEqual([MAX_ERRORS, MAX_WARNINGS]);
    expect(errors.at(-1)).toContain('17 more are in the job summary.');
    expect(MAX_ERRORS).toBeLessThan(10);
    expect(MAX_WARNINGS).toBeLessThan(10);
  });

  it('lets no name start a command, end a line or grow', () => {
    const names = nastyNames(12, 77, 3000);
    const commands = names.map((name, i) => `::set-output name=x::${i}\n##[error]\r\n::stop-commands::t\n${name}`);
    const checks = commands.map((text) => checkNaming(text, 'fail'));
    const lines = annotations(syntheticAnalysis({ checks }).findings);
    expect(lines).toHaveLength(MAX_ERRORS);
    for (const line of lines) {
      expect(line).toMatch(/^::error title=[^:,\n]*::/);
      expect(line).not.toContain('##[');
      expect(line.replace(/^::error title=.*?::/, '').length).toBeLessThan(4096);
    }
  });
});
