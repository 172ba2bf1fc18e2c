import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import published from '../../../docs/findings.schema.json' with { type: 'json' };

let compiled: ValidateFunction | null = null;

/** What of a JSON value doesn't fit the published schema, as a clause; null: it fits, and has nothing that this version doesn't know. */
export function misfit(value: unknown): string | null {
  compiled ??= new Ajv2020({ allowUnionTypes: true }).compile(closed(published) as object);
  if (compiled(value)) return null;
  const [error] = compiled.errors ?? [];
  const path = `findings${(error?.instancePath ?? '').replace(/\/(\d+)(?=\/|$)/g, '[$1]').replaceAll('/', '.')}`;
  const unknown: unknown = error?.params.additionalProperty;
  if (typeof unknown === 'string') return `${path} has "${unknown}", which this version of joulediff does not know`;
  return `${path} ${error?.message ?? 'is not what it must be'}`;
}

/** The schema lets later versions add properties. Here nothing may come in that was not looked at. */
function closed(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(closed);
  if (typeof node !== 'object' || node === null) return node;
  const copy = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, closed(value)]));
  return 'required' in copy && 'properties' in copy ? { additionalProperties: false, ...copy } : copy;
}
