import * as z from 'zod';
import { experimentSchema } from './schema.ts';

/** The JSON Schema of experiment files, for editors (draft 7, which they all know): docs/joulediff.schema.json, made by `npm run schemas`. */
export function experimentJsonSchema(): Record<string, unknown> {
  const { $schema, ...rest } = z.toJSONSchema(experimentSchema, { io: 'input', target: 'draft-07' });
  const description = 'joulediff.yml: what is measured, and how.';
  const either = [{ required: ['variants'] }, { required: ['matrix'] }];
  return { $schema, title: 'joulediff experiment', description, ...rest, anyOf: either };
}
