import * as z from 'zod';
import { label, map } from '../input/leaves.ts';
import { type VariantFile, variantKeys, variantSchema } from './variant-schema.ts';

const NAMED =
  'a map of levels and what a variant has at each, such as { native: {}, container: { image: debian } }; a list holds values of a key of variants, such as image: [debian, alpine]';
const MATRIX = 'a map of factors and their levels, such as { image: [debian, alpine], network: [bridge, host] }';
const EXCLUDED = 'a list of cells that are left out, such as [{ image: alpine, network: host }]';
const LEVEL = 'a level of the factor';

/** Defined once in the JSON Schema; every key of a variant refers to it. */
const named = z.record(label, variantSchema, { error: NAMED }).meta({ id: 'levels' });

/** Schema of one factor: values of one key of a variant, or a map from level names to variants. */
function levelsOf(key: string, value: z.core.SomeType) {
  const must = `a list of values for ${key}, or ${NAMED}`;
  return z.union([z.array(value, { error: must }), named], { error: must }).optional();
}

const exclude = z
  .array(
    z.record(label, z.union([z.string(), z.number(), z.boolean()], { error: LEVEL }), {
      error: 'a map of factors and one level of each, such as { image: alpine, network: host }',
    }),
    { error: EXCLUDED },
  )
  .optional()
  .meta({ description: 'Cells that are left out; a factor that is not named stands for each of its levels.' });

/** The number of factors is checked later, where the message can name them. */
export const matrix = map(
  {
    exclude,
    ...Object.fromEntries(Object.entries(variantKeys).map(([key, value]) => [key, levelsOf(key, value)])),
  },
  MATRIX,
)
  .catchall(named)
  .meta({
    description:
      'Makes a variant of every combination of the levels of its factors, named "level/level". A factor is a list of values for a key of variants, or a map from each level to the keys that a variant gets at it; a factor with a single level applies to all variants.',
  });

/** The matrix after validation; the inferred type of a map with fixed and free keys would be too loose. */
export interface MatrixFile {
  readonly exclude?: readonly Readonly<Record<string, string | number | boolean>>[] | undefined;
  readonly [factor: string]: readonly unknown[] | Readonly<Record<string, VariantFile | null>> | undefined;
}

/** Name of a cell, which is easy to read and type: `--set baseline=head/container` needs no quotes in YAML or a shell. */
export const cellName = (...levels: readonly string[]): string => levels.join('/');
