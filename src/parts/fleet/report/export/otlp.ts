import type { Findings } from '../../../../findings/findings.ts';
import { VERSION } from '../../../../version.ts';
import { listFamilies, type OnOlder } from './openmetrics.ts';

/** What one POST to `/v1/metrics` of an OpenTelemetry collector takes (https://opentelemetry.io/docs/specs/otlp/#otlphttp), as JSON text. */
export function otlpMetrics(results: Iterable<Findings>, now: Date, onOlder: OnOlder): string {
  const timeUnixNano = `${now.getTime()}000000`;
  const attributes = (labels: object): object[] =>
    Object.entries(labels).flatMap(([key, value]) =>
      value === null || value === undefined ? [] : [{ key, value: { stringValue: String(value) } }],
    );
  const metrics = listFamilies(results, onOlder)
    .filter(({ samples }) => samples.length > 0)
    .map(({ name, help, unit, samples }) => ({
      name,
      description: help,
      unit: UCUM[unit] ?? '1',
      gauge: {
        dataPoints: samples.map(({ labels, value }) => ({
          attributes: attributes(labels),
          timeUnixNano,
          asDouble: value,
        })),
      },
    }));
  const resource = { attributes: attributes({ 'service.name': 'joulediff', 'service.version': VERSION }) };
  return JSON.stringify({ resourceMetrics: [{ resource, scopeMetrics: [{ scope: { name: 'joulediff' }, metrics }] }] });
}

/** Units as OpenTelemetry writes them. */
const UCUM: Readonly<Record<string, string>> = { joules: 'J', seconds: 's' };
