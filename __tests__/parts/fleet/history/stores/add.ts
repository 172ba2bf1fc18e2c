// A process of its own that keeps records: node add.ts sqlite FILE FIRST COUNT | branch REMOTE BRANCH FIRST COUNT
import { branchStore } from '../../../../../src/parts/fleet/history/stores/branch.ts';
import { sqliteStore } from '../../../../../src/parts/fleet/history/stores/sqlite.ts';
import { record, uuid } from '../records.ts';

const [kind, ...words] = process.argv.slice(2) as [string, ...string[]];
const [first, count] = words.slice(-2).map(Number) as [number, number];
const store =
  kind === 'sqlite'
    ? sqliteStore(words[0]!)
    : branchStore({ url: words[0]!, token: '', branch: words[1]!, tracked: 'main' });
for (let i = 0; i < count; i++) {
  const added = await store.add(record({ id: uuid(first + i) }));
  process.stdout.write(`${added}\n`);
}
