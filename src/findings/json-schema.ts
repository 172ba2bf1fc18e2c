import * as z from 'zod';
import { Explanation } from './explain.ts';
import { Findings } from './findings.ts';
import { Answers } from './terminal.ts';

/** The published JSON Schema of findings.json, which `npm run schemas` writes. */
export const findingsJsonSchema = (): object =>
  published(Findings, { $id: 'urn:joulediff:findings:1', title: 'joulediff findings' });

/** The published JSON Schema of explain.json. */
export const explainJsonSchema = (): object =>
  published(Explanation, { $id: 'urn:joulediff:explain:1', title: 'joulediff explain' });

/** The published JSON Schema of what the commands print with --json. */
export const terminalJsonSchema = (): object =>
  published(Answers, { $id: 'urn:joulediff:terminal:1', title: 'joulediff COMMAND --json' });

/** Makes a schema ready for publication. Unlike the reader, it allows additional properties, which later versions may add. */
export function published(of: z.ZodType, head: { readonly $id: string; readonly title: string }): object {
  const { $schema, ...schema } = z.toJSONSchema(of, {
    reused: 'ref',
    override: ({ jsonSchema }) => {
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      // The pattern is more precise, and validators need not support the format.
      delete jsonSchema.format;
    },
  });
  return { $schema, ...head, ...schema };
}
