// Class: unit.
import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { openMetrics } from '../../src/parts/fleet/report/export/openmetrics.ts';
import { syntheticAnalysis } from '../report/synthetic/analysis.ts';

interface Dashboard {
  readonly panels: readonly { readonly title: string; readonly targets: readonly { readonly expr: string }[] }[];
}

it('examples/grafana asks for metrics and labels that the export has', () => {
  const { panels }: Dashboard = JSON.parse(readFileSync('examples/grafana/joulediff.json', 'utf8'));
  const reported = openMetrics([syntheticAnalysis().findings], () => {});
  const metrics = new Set([...reported.matchAll(/^(\w+)\{/gm)].map(([, name]) => name));
  const labels = new Set([...reported.matchAll(/[{,](\w+)="/g)].map(([, name]) => name));
  expect(panels).toHaveLength(5);
  for (const { expr } of panels.flatMap(({ targets }) => targets)) {
    const asked = [...expr.matchAll(/joulediff_\w+/g)].map(([name]) => name);
    expect(asked.length).toBeGreaterThan(0);
    for (const name of asked) expect(metrics).toContain(name);
    const used = [...expr.matchAll(/(\w+)=~?"/g), ...expr.matchAll(/(\w+)(?=[,)])/g)].map(([, name]) => name!);
    for (const name of used.filter((each) => !each.startsWith('joulediff_'))) expect(labels).toContain(name);
    // Numbers of a model are never beside measurements.
    expect(expr).toContain('source="$source"');
  }
});
