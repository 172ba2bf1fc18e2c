import swcVisitor from '@swc/core/Visitor.js';

// It does not know `using`, whose variables are like any others.
const { prototype } = swcVisitor.Visitor;
const { visitStatement } = prototype;
prototype.visitStatement = function visitWithUsing(statement) {
  if (statement.type !== 'UsingDeclaration') return visitStatement.call(this, statement);
  return { ...statement, decls: this.visitVariableDeclarators(statement.decls) };
};

// The floors of src, top to bottom: an import, types included, goes down or stays on its floor, and no files import each other in a circle.
// docs/architecture.md says why. `npm run floors` proves it.
const floors = [
  ['main.ts', 'post.ts', 'cli.ts'],
  ['action', 'terminal'],
  ['forge', 'history'],
  ['run', 'doctor'],
  ['report'],
  ['measure'],
  ['analysis'],
  ['store'],
  ['experiment'],
  ['executors', 'hosts', 'meters', 'observers', 'schedule'],
  ['sampling', 'machine'],
  ['findings', 'stats', 'system', 'input', 'text', 'errors.ts', 'version.ts'],
];

const pathOf = (names) => `^src/(?:${names.map((name) => name.replace('.', '[.]')).join('|')})(?:/|$)`;

export default {
  forbidden: [
    ...floors.slice(1).map((floor, above) => ({
      name: 'up-a-floor',
      comment: `Nothing in ${floor.join(', ')} may import from a floor above it`,
      severity: 'error',
      from: { path: pathOf(floor) },
      to: { path: pathOf(floors.slice(0, above + 1).flat()) },
    })),
    { name: 'circle', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-floor',
      comment: 'A new room is put on a floor in this file, and on the picture in docs/architecture.md',
      severity: 'error',
      from: { path: '^src/', pathNot: pathOf(floors.flat()) },
      to: {},
    },
    { name: 'tests', comment: 'The product needs no test', severity: 'error', from: {}, to: { path: '^__tests__/' } },
  ],
  // Only this parser sees imports of types without TypeScript's own JavaScript interface, which TypeScript 7 does not have.
  options: { parser: 'swc', doNotFollow: { path: 'node_modules' } },
};
