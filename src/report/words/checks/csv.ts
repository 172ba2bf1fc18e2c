import { listed, name, text } from '../compose.ts';
import { type CheckTable, MOST_LISTED } from './table.ts';

/** Checks of measurements that were read from a CSV file. */
export const csvChecks = {
  'run order'({ reason, facts: { order } }) {
    switch (reason) {
      case 'mixed':
        return { found: ['The variants are mixed in the order of the runs.'] };
      case 'unknown':
        return {
          found: ['The file does not tell in which order the runs were made (it has no column run).'],
          advice: ['If one variant was run after the other, the machine’s drift is part of the difference.'],
        };
      case 'one-after-another':
        return {
          found: ['All runs of one variant were made before those of the next.'],
          advice: ['The machine’s drift is part of the difference: run the variants in random order, in blocks.'],
        };
      case 'fixed':
        return {
          found: text`Every block has the same order: ${listed(order ?? [])}.`,
          advice: [
            'Whatever the run before does to the next one is part of the difference: draw the order of each block.',
          ],
        };
    }
  },
  columns({ facts: { names } }) {
    const more = names.length > MOST_LISTED ? ` and ${names.length - MOST_LISTED} more` : '';
    return { found: text`Not read: ${listed(names.slice(0, MOST_LISTED))}${more}.` };
  },
  'second arm'({ facts: { baseline, again } }) {
    return {
      found: text`${name(again)} is taken for the second arm of ${name(baseline)}, which shows the noise floor, and not compared.`,
      advice: ['If it is a variant of its own, give it another name in the file.'],
    };
  },
} satisfies Partial<CheckTable>;
