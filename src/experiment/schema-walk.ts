import * as z from 'zod';
import type { Path } from '../input/words.ts';
import { experimentSchema } from './schema.ts';

/** What the schema allows at a path: the keys of a map, and the kinds of value. */
export interface Allowed {
  /** Known keys at this path; null: none, or any. */
  readonly keys: readonly string[] | null;
  /** Whether any key is allowed, such as names of variants or environment variables. */
  readonly open: boolean;
  readonly takesText: boolean;
  readonly takesNumber: boolean;
  readonly takesTruth: boolean;
  readonly takesNothing: boolean;
}

/** What is allowed at a path; null: the path does not exist. */
export function allowedAt(path: Path): Allowed | null {
  let here = alternatives(experimentSchema);
  for (const key of path) here = here.flatMap((schema) => below(schema, key));
  if (here.length === 0) return null;
  const map = here.find((schema) => schema instanceof z.ZodObject);
  // User-defined names may be allowed beside fixed keys, as in a suite.
  const takesNames = here.some((schema) => schema instanceof z.ZodRecord);
  return {
    keys: map === undefined || takesAnyKey(map) || takesNames ? null : Object.keys(map.shape),
    open: here.some((schema) => schema instanceof z.ZodRecord || takesAnyKey(schema)),
    takesText: here.some((schema) => schema instanceof z.ZodString || schema instanceof z.ZodEnum),
    takesNumber: here.some((schema) => schema instanceof z.ZodNumber),
    takesTruth: here.some((schema) => schema instanceof z.ZodBoolean),
    takesNothing: here.some((schema) => schema instanceof z.ZodNull),
  };
}

/** Whether the schema is a map with fixed keys and user-defined ones. */
function takesAnyKey(schema: unknown): boolean {
  return (
    schema instanceof z.ZodObject && schema.def.catchall !== undefined && !(schema.def.catchall instanceof z.ZodNever)
  );
}

function below(schema: unknown, key: string | number): unknown[] {
  if (schema instanceof z.ZodObject) {
    if (Object.hasOwn(schema.shape, key)) return alternatives(schema.shape[key]);
    return takesAnyKey(schema) ? alternatives(schema.def.catchall) : [];
  }
  if (schema instanceof z.ZodRecord) return alternatives(schema.valueType);
  if (schema instanceof z.ZodArray) return typeof key === 'number' ? alternatives(schema.element) : [];
  if (schema instanceof z.ZodTuple) {
    return typeof key === 'number' ? alternatives(schema.def.items[key] ?? schema.def.rest) : [];
  }
  return [];
}

/** The schema without its wrappers; several for a union. */
function alternatives(schema: unknown): unknown[] {
  if (schema instanceof z.ZodUnion) return schema.options.flatMap(alternatives);
  if (schema instanceof z.ZodNullable) return [z.null(), ...alternatives(schema.unwrap())];
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodPrefault) return alternatives(schema.unwrap());
  if (schema instanceof z.ZodPipe) return alternatives(schema.def.in);
  return [schema];
}
