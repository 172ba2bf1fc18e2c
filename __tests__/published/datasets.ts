import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';

export type Row = Readonly<Record<string, string>>;

/**
 * Folder with the published data sets, which may not be copied into this repository: the one that JOULEDIFF_DATASETS names, or shared/data
 * beside the checkout. Null: neither is there. Throws where JOULEDIFF_DATASETS names a folder without them.
 */
export function datasetsFolder(): string | null {
  const named = process.env.JOULEDIFF_DATASETS;
  if (named) {
    if (!existsSync(join(named, SANTOS))) throw new Error(`JOULEDIFF_DATASETS=${named} has no ${SANTOS}`);
    return named;
  }
  const beside = new URL('../../../shared/data', import.meta.url).pathname;
  return existsSync(join(beside, SANTOS)) ? beside : null;
}

/** github.com/eddieantonio/collect-data at a36d2494 and github.com/enriquebarba97/energy-hotspots at 4fc27cc, as CSV. */
const SANTOS = 'santos-docker-energy-2016/energy.csv';
const ROQUE = 'energydebug-redis-alpine-ubuntu-2024/runs.csv';

export const santosRows = (folder: string): Row[] => rowsOf(readFileSync(join(folder, SANTOS), 'utf8'));
export const roqueRows = (folder: string): Row[] => rowsOf(readFileSync(join(folder, ROQUE), 'utf8'));

export function rowsOf(csv: string): Row[] {
  return parse(csv, { columns: true });
}
