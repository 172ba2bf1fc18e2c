import { map, text } from '../input/leaves.ts';

const BRANCH = 'the name of a branch, such as joulediff-history';
/** Names that git takes (git-check-ref-format) and that need no quotes anywhere. */
const branch = text(BRANCH, /^(?!.*(?:\.\.|\/\/|\.lock(?:\/|$)|\/\.|\.\/|\.$|\/$))[A-Za-z0-9_][\w./+-]*$/, 200);

/** Where the findings of every experiment are kept for the trend page: one of the two places. */
export const history = map(
  {
    file: text(
      'the path of a file outside the checkout, starting with "/" or "~/", such as ~/.local/state/joulediff/history.db',
      /^(?:\/|~\/)[^\p{C}\p{Zl}\p{Zp}]*[^/\p{C}\p{Zl}\p{Zp}]$/u,
      4096,
    )
      .optional()
      .meta({ description: 'A SQLite file on this runner.' }),
    branch: branch
      .optional()
      .meta({ description: 'A branch of the repository that holds nothing else; made where it is missing.' }),
    track: branch
      .optional()
      .meta({ description: 'Branch whose commits are kept; default: the default branch of the repository.' }),
  },
  'a map such as { branch: joulediff-history }, or { file: ~/.local/state/joulediff/history.db }',
).meta({ description: 'Keeps the findings of every experiment and draws them over the commits: file or branch.' });
