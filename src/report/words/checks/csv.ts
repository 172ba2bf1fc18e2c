import { listed, name, text } from '../compose.ts';
import { type CheckTable, MOST_LISTED } from './table.ts';

/** Checks of measurements that were read from a CSV file. */
export const csvChecks = {
  'run order'({ reason, facts: { order, blocked } }) {
    switch (reason) {
      case 'mixed':
        return { found: ['The runs of the variants alternate.'] };
      case 'unknown':
        return blocked
          ? {
              found: [
                'The file does not say in which order the runs were made (it has no column run), nor whether the runs of a block were neighbours; the blocks were used as given.',
              ],
              advice: [
                'If other runs were made between those of a block, drift of the machine is part of the difference. Add a column run, so that this can be checked.',
              ],
            }
          : {
              found: ['The file does not say in which order the runs were made (it has no column run).'],
              advice: ['If one variant was run after the other, drift of the machine is part of the difference.'],
            };
      case 'one-after-another':
        return {
          found: ['All runs of one variant were made before those of the next.'],
          advice: ['Drift of the machine is part of the difference: run the variants in random order, in blocks.'],
        };
      case 'fixed':
        return {
          found: text`Every block has the same order: ${listed(order ?? [])}.`,
          advice: ['Whatever a run does to the next one is part of the difference: randomize the order of each block.'],
        };
    }
  },
  columns({ facts: { names } }) {
    const more = names.length > MOST_LISTED ? ` and ${names.length - MOST_LISTED} more` : '';
    return { found: text`Ignored columns: ${listed(names.slice(0, MOST_LISTED))}${more}.` };
  },
  'second arm'({ facts: { baseline, again } }) {
    return {
      found: text`${name(again)} is used as the second arm of ${name(baseline)}, for the noise floor, and is not compared.`,
      advice: ['If it is a separate variant, rename it in the file.'],
    };
  },
} satisfies Partial<CheckTable>;
