// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { outputsOf } from '../../src/action/outputs.ts';
import type { Check } from '../../src/findings/checks.ts';
import { extractRecord, NOWHERE } from '../../src/parts/fleet/history/extract.ts';
import { gatheredComment } from '../../src/parts/fleet/report/gathered/gathered.ts';
import { badgeFacts, formatBadge } from '../../src/report/badge.ts';
import { commentMarkdown } from '../../src/report/comment.ts';
import { reportHtml } from '../../src/report/html.ts';
import { summaryMarkdown } from '../../src/report/summary.ts';
import { terminalReport } from '../../src/report/terminal.ts';
import { syntheticAnalysis, twoVariants } from './synthetic/analysis.ts';

const shortWindows: Check = {
  name: 'run length',
  state: 'fail',
  reason: 'few-readings',
  facts: { channel: null, shortest_s: 1.2, enough_s: 30, readings: 1, edge_s: null, uncertain_percent: null },
};
const WORDS = "esult of sort can't be trusted: its shortest window holds only 1 reading of the meter";

const analysis = syntheticAnalysis({ checks: [shortWindows] });
const { findings } = analysis;

/** What stands in the open, without the tables' bodies of what is folded. */
function documents(of = analysis): Record<string, string> {
  const page = reportHtml(of).replace(/<script[\s\S]*?<\/script>/g, '');
  return {
    comment: commentMarkdown(of.findings),
    summary: summaryMarkdown(of.findings, of.runs),
    terminal: terminalReport({ findings: of.findings }, { color: false, width: 200 }),
    page: page.slice(page.indexOf('<header>'), page.indexOf('</header>')),
    gathered: gatheredComment([
      { name: 'a', findings: of.findings },
      { name: 'b', findings: of.findings },
    ]),
  };
}

describe('a check that failed', () => {
  it.each(Object.entries(documents()))('tempers the %s: no sign of a change, and no bold percent', (where, text) => {
    const said = text.replaceAll('&#39;', "'").replaceAll('\\', '');
    const words = where === 'page' ? WORDS.replace(' of sort', '') : WORDS;
    if (where !== 'gathered') expect(said.replace(/<[^>]*>|`/g, '')).toContain(words);
    expect(said).toContain("can't be trusted");
    expect(said).not.toMatch(/🔺|🔽|▲|▼/u);
    expect(said).not.toMatch(/\*\*[^*]*%|<(b|strong|h1)>[^<]*%/);
    expect(said).not.toMatch(/^#+ .*%/m);
  });

  it('says in the open what to do, and the change at face value', () => {
    for (const text of Object.values(documents()).slice(0, 4)) {
      const said = text
        .replaceAll('&#39;', "'")
        .replace(/<[^>]*>|[`*]/g, '')
        .replace(/\s+/g, ' ');
      expect(said).toContain('Make the workload run for at least 30 s');
      expect(said).toMatch(/At face value, container used 3\.2 % more energy than native/);
    }
  });

  it('is in the badge, the outputs and the history', () => {
    expect(formatBadge(badgeFacts(findings))).toMatchObject({ message: "can't be trusted", color: '#5c5c5c' });
    const nowhere = { reportPath: null, databasePath: null, commentUrl: null, artifactUrl: null, reportUrl: null };
    expect(outputsOf(findings, nowhere)['failed-checks']).toBe('run length');
    expect(outputsOf(syntheticAnalysis().findings, nowhere)['failed-checks']).toBe('');
    expect(extractRecord(findings, NOWHERE).failed_checks).toEqual(['run length']);
  });

  it('is told of several comparisons, and of an A/A experiment', () => {
    const third = { name: 'alpine', meanJ: 271, durationS: 12 };
    const several = syntheticAnalysis({ checks: [shortWindows], variants: [...twoVariants, third] });
    for (const text of Object.values(documents(several))) {
      expect(text).not.toMatch(/🔺|🔽|▲|▼/u);
      expect(text.replaceAll('&#39;', "'")).toContain("can't be trusted");
    }
    const noiseFloor = { percent: 0.9, ci95: [-0.3, 0.9], blocks: 30, source: 'inline', measured_at: null } as const;
    const noise = syntheticAnalysis({ checks: [shortWindows], variants: twoVariants.slice(0, 1), noiseFloor });
    expect(terminalReport(noise, { color: false, width: 500 })).toMatch(
      /can't be trusted: .* At face value, the noise floor is ±0\.9/s,
    );
  });

  it('on another channel leaves the verdict alone', () => {
    const other: Check = {
      name: 'sample clock',
      state: 'fail',
      reason: 'wrong-rate',
      facts: {
        channel: 'outlet 2',
        session: 1,
        clock: 'meter',
        period_s: 1.1,
        nominal_period_s: 1,
        jitter_s: 0.01,
        longest_s: 1.2,
      },
    };
    expect(commentMarkdown(syntheticAnalysis({ checks: [other] }).findings)).toMatch(/^### 🔺 /);
    const own: Check = { ...other, facts: { ...other.facts, channel: findings.meter.channels[0]! } };
    expect(commentMarkdown(syntheticAnalysis({ checks: [own] }).findings)).toContain(
      "can't be trusted: a reading came every 1.100\u00a0s instead of every 1\u00a0s",
    );
  });
});
