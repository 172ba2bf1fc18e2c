import swcVisitor from '@swc/core/Visitor.js';

// It does not know `using`, whose variables are like any others.
const { prototype } = swcVisitor.Visitor;
const { visitStatement } = prototype;
prototype.visitStatement = function visitWithUsing(statement) {
  if (statement.type !== 'UsingDeclaration') return visitStatement.call(this, statement);
  return { ...statement, decls: this.visitVariableDeclarators(statement.decls) };
};

// The floors of src, top to bottom: an import, types included, goes down, rooms on one floor don't know each other, and no files import each other
// in a circle. docs/architecture.md says why. `npm run floors` proves it.
const floors = [
  ['main.ts', 'post.ts', 'cli.ts'],
  // The optional parts, which the core doesn't know and which don't know each other.
  ['parts/all.ts', 'parts/page.ts'],
  ['parts/fleet', 'parts/bench', 'parts/explain'],
  ['parts/part.ts'],
  ['action'],
  ['terminal'],
  ['forge'],
  ['run'],
  ['report'],
  ['measure'],
  ['analysis'],
  ['store'],
  ['experiment'],
  // Kinds of place, under what goes over all of them.
  ['executors/leftovers'],
  ['executors/registry.ts'],
  ['executors/compose', 'executors/vm'],
  ['executors/native'],
  ['executors/engine'],
  ['executors/container'],
  ['executors/remote'],
  ['executors/services'],
  ['executors/[^/]+[.]ts'],
  ['executors/phases'],
  ['hosts', 'meters', 'schedule', 'tuning', 'harnesses'],
  ['processes'],
  ['contracts'],
  ['sampling', 'machine'],
  ['stats'],
  ['findings'],
  ['system', 'input'],
  ['text'],
  ['errors.ts'],
  ['version.ts'],
];

const pattern = (name) => (name.includes('[') ? name : name.replace('.', '[.]'));
const pathOf = (names) => `^src/(?:${names.map(pattern).join('|')})(?:/|$)`;
/** A pattern of files takes in no file that has a floor of its own. */
const roomOf = (name) => ({
  path: pathOf([name]),
  ...(name.includes('[') && { pathNot: '^src/executors/registry[.]ts$' }),
});

export default {
  forbidden: [
    ...floors.flatMap((floor, at) =>
      floor.map((room) => ({
        name: 'up-or-sideways',
        comment: `Nothing in ${room} may import from a floor above it, or from another room on its own`,
        severity: 'error',
        from: roomOf(room),
        to: { path: pathOf([...floors.slice(0, at).flat(), ...floor.filter((other) => other !== room)]) },
      })),
    ),
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
