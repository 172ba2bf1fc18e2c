import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { analyzeStore } from '../../../analysis/analyze.ts';
import { InputError, MeasureError, messageOf, systemMessage } from '../../../errors.ts';
import type { Findings } from '../../../findings/findings.ts';
import { nearest } from '../../../input/words.ts';
import { openStore, withStore } from '../../../store/reader.ts';
import { ResultFolder } from '../../../system/result-folder.ts';
import { command } from '../../../terminal/command.ts';
import { readResult } from '../../../terminal/read-result.ts';
import { databaseIn, isDatabase } from '../../../terminal/result-file.ts';
import { printAnswer, type Terminal } from '../../../terminal/terminal.ts';
import { plural, screenJson } from '../../../text/plain.ts';
import { firefoxProfile } from '../report/export/firefox-profile.ts';
import { TABLE_FORMATS, type TableFormat } from '../report/export/formats.ts';
import { openMetrics } from '../report/export/openmetrics.ts';
import { otlpMetrics } from '../report/export/otlp.ts';
import { perfettoTrace } from '../report/export/perfetto.ts';
import {
  EXPORT_TABLES,
  type Exported,
  type ExportTable,
  type Rows,
  RUNS,
  SAMPLES,
  SMALL_TABLES,
  type TableShape,
} from '../report/export/tables.ts';

/** Power over the whole experiment for viewers of profiles, by the name of the format and of its file. Each yields pieces of text. */
const PROFILE_FORMATS = { 'firefox-profile': firefoxProfile, perfetto: perfettoTrace } as const;

type ProfileFormat = keyof typeof PROFILE_FORMATS;

const FORMATS = [...Object.keys(TABLE_FORMATS), 'openmetrics', 'otlp', ...Object.keys(PROFILE_FORMATS)];

const POST_SECONDS = 30;

export function exportCommand(terminal: Terminal) {
  const { stdout, stderr } = terminal;
  const answer = (format: string, files: readonly string[], text: string | null = null): void =>
    printAnswer(terminal, 'export', { format, files, text });
  return command(
    'export',
    'write results for other tools: tables of all results, numbers for a monitoring system, or power tracks for a profiler',
  )
    .argument('<FILE...>', 'results: folders, experiment.db or findings.json')
    .option('--format <NAME>', FORMATS.join(', '), 'parquet')
    .option('--out <DIR>', 'a folder for tables or a profile', 'joulediff-export')
    .option('--overwrite', 'replace an earlier export in DIR')
    .option('--to <URL>', 'for otlp: URL to post to, for example http://localhost:4318/v1/metrics')
    .action(async (files, { format, out, overwrite = false, to, json = false }) => {
      if (to !== undefined && format !== 'otlp') {
        throw new InputError('--to was given without --format otlp, so nothing would be posted.', {
          advice: 'Add --format otlp, or leave out --to.',
        });
      }
      let older = 0;
      const onOlder = () => older++;
      if (format === 'openmetrics') {
        const text = openMetrics(results(files), onOlder);
        if (json) answer(format, [], text);
        else stdout.write(text);
      } else if (format === 'otlp') {
        const body = otlpMetrics(results(files), new Date(), onOlder);
        if (to !== undefined) await post(to, body);
        if (json) answer(format, [], to === undefined ? body : null);
        else if (to === undefined) stdout.write(`${screenJson(body)}\n`);
      } else if (Object.hasOwn(PROFILE_FORMATS, format)) {
        const written = await writeProfile(files, format as ProfileFormat, { folder: resolve(out), overwrite });
        if (json) answer(format, [written]);
        else stdout.write(`${relative('.', written) || written}\n`);
      } else {
        const tables = await writeTables(files, { format: tableFormat(format), folder: resolve(out), overwrite });
        const without = tables.withoutRuns;
        if (without > 0) {
          stderr.write(`${plural(without, 'result')} had no experiment.db: only its comparisons are there.\n`);
        }
        if (json) answer(format, tables.paths);
        else for (const path of tables.paths) stdout.write(`${relative('.', path) || path}\n`);
      }
      if (older > 0) {
        stderr.write(
          `${plural(older, 'older result')} left out: of one name, host and meter, only the newest is shown. If they are of different experiments, give each its own name (key name).\n`,
        );
      }
    });
}

function tableFormat(format: string): TableFormat {
  if (Object.hasOwn(TABLE_FORMATS, format)) return format as TableFormat;
  const meant = nearest(format, FORMATS);
  throw new InputError(`There is no format ${format}.${meant === null ? '' : ` Did you mean ${meant}?`}`, {
    advice: `Formats: ${FORMATS.join(', ')}.`,
  });
}

/** Loads results one at a time, since there may be thousands. */
function* results(files: readonly string[]): Generator<Findings> {
  for (const file of files) yield readResult(databaseIn(file));
}

/** Data kept of each result while others are loaded, since findings are large. */
interface Source {
  readonly path: string;
  readonly origin: Pick<Findings, 'experiment' | 'meter'>;
  readonly rows: ReadonlyMap<ExportTable, Rows>;
  readonly isMeasured: boolean;
}

/** One result: what is kept of it, and its runs, which are written at once. */
function read(given: string): { readonly source: Source; readonly runs: Rows } {
  const path = databaseIn(given);
  const exported: Exported = isDatabase(path)
    ? withStore(path, analyzeStore)
    : { findings: readResult(path), runs: null };
  const { experiment, meter } = exported.findings;
  const rows = new Map(SMALL_TABLES.map((table) => [table, table.rows(exported)]));
  const source = { path, origin: { experiment, meter }, rows, isMeasured: exported.runs !== null };
  return { source, runs: RUNS.rows(exported) };
}

async function writeTables(
  files: readonly string[],
  { format, folder: path, overwrite }: { format: TableFormat; folder: string; overwrite: boolean },
): Promise<{ paths: string[]; withoutRuns: number }> {
  const names = EXPORT_TABLES.map(({ name }) => `${name}.${format}`);
  refuseToReplace(path, names, overwrite);
  const sources: Source[] = [];
  function* runs(): Generator<Rows> {
    for (const file of files) {
      const { source, runs: rows } = read(file);
      refuseTwice(source, sources);
      sources.push(source);
      yield rows;
    }
  }
  using folder = ResultFolder.open(path);
  const write = (table: TableShape, rows: Iterable<Rows>): Promise<void> =>
    folder.replace(`${table.name}.${format}`, TABLE_FORMATS[format](table, rows));
  await write(RUNS, runs());
  for (const table of SMALL_TABLES) {
    await write(
      table,
      sources.map((source) => source.rows.get(table) ?? []),
    );
  }
  await write(SAMPLES, samplesOf(sources));
  return {
    paths: names.map((name) => join(path, name)),
    withoutRuns: sources.filter(({ isMeasured }) => !isMeasured).length,
  };
}

/** Throws InputError if an earlier export exists and must not be replaced. */
function refuseToReplace(folder: string, names: readonly string[], overwrite: boolean): void {
  const there = names.find((name) => existsSync(join(folder, name)));
  if (there === undefined || overwrite) return;
  throw new InputError(`${join(folder, there)} is there already.`, {
    advice: 'Choose another folder with --out, or replace it with --overwrite.',
  });
}

/** Writes the power tracks of one experiment. Gives the path. Throws InputError. */
async function writeProfile(
  [given = '', ...others]: readonly string[],
  format: ProfileFormat,
  { folder: path, overwrite }: { folder: string; overwrite: boolean },
): Promise<string> {
  const database = databaseIn(given);
  if (others.length > 0 || !isDatabase(database)) {
    throw new InputError(
      others.length > 0
        ? `--format ${format} shows one experiment, and ${others.length + 1} were given.`
        : `${given} has no readings.`,
      { advice: 'Give one experiment.db, or the folder with it.' },
    );
  }
  const name = `${format}.json`;
  refuseToReplace(path, [name], overwrite);
  using reader = openStore(database);
  using folder = ResultFolder.open(path);
  await folder.replace(name, PROFILE_FORMATS[format](reader, analyzeStore(reader)));
  return join(path, name);
}

/** Throws InputError if a result is given twice, since its runs would count twice. */
function refuseTwice({ path, origin }: Source, before: readonly Source[]): void {
  const { id } = origin.experiment;
  const same = before.find((one) => id !== null && one.origin.experiment.id === id);
  if (same !== undefined) throw new InputError(`${same.path} and ${path} are the same experiment, which counts once.`);
}

function* samplesOf(sources: readonly Source[]): Generator<Rows> {
  for (const { path, origin, isMeasured } of sources) {
    if (!isMeasured) continue;
    const reader = openStore(path);
    try {
      yield* SAMPLES.rows(reader, origin);
    } finally {
      reader.close();
    }
  }
}

/** Throws InputError for an invalid address; MeasureError if it does not accept the data. */
async function post(to: string, body: string): Promise<void> {
  const url = URL.parse(to);
  if (url !== null && (url.username !== '' || url.password !== '')) {
    throw new InputError('--to has a password in its address, which would stand in logs.', {
      advice: 'Let a collector on this machine know it, and post to that.',
    });
  }
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new InputError(`--to ${to} is not a web address.`, {
      advice: 'For example http://localhost:4318/v1/metrics.',
    });
  }
  let status: number;
  try {
    const signal = AbortSignal.timeout(POST_SECONDS * 1000);
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(url, { method: 'POST', body, headers, signal, redirect: 'error' });
    status = answer.status;
    await answer.body?.cancel();
  } catch (cause) {
    throw new MeasureError(`${url.origin} took no metrics: ${reasonOf(cause)}.`, {
      advice: 'Is a collector listening there? The results are where they were.',
      cause,
    });
  }
  if (status >= 300) {
    throw new MeasureError(`${url.origin} refused the metrics with status ${status}.`, {
      advice: 'The path is usually /v1/metrics.',
    });
  }
}

/** The cause behind the message “fetch failed”. */
function reasonOf(thrown: unknown): string {
  if (thrown instanceof DOMException && thrown.name === 'TimeoutError') return `no answer within ${POST_SECONDS} s`;
  const cause = thrown instanceof Error ? thrown.cause : null;
  // One error for each address of the name.
  const first = cause instanceof AggregateError ? cause.errors[0] : cause;
  return first instanceof Error && first.message !== '' ? systemMessage(first) : messageOf(thrown);
}
