import { z } from 'zod';
import { Findings } from './findings.ts';

/** The published JSON Schema of findings.json, which `npm run schemas` writes. Unlike the reader it takes what later versions add. */
export function findingsJsonSchema(): object {
  const { $schema, ...schema } = z.toJSONSchema(Findings, {
    reused: 'ref',
    override: ({ jsonSchema }) => {
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      // Its pattern says more, and validators needn't know the format.
      delete jsonSchema.format;
    },
  });
  return { $schema, $id: 'urn:joulediff:findings:1', title: 'joulediff findings', ...schema };
}
