import { type CsvError, parse } from 'csv-parse/sync';
import { InputError } from '../../../../errors.ts';
import { plural } from '../../../../text/plain.ts';

/** Maximum number of lines: some statistics need time proportional to its square. */
const MAX_LINES = 20_000;
const MAX_RECORD_BYTES = 65_536;

export interface CsvRecord {
  /** Line on which it begins, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** Error in a line of a file. */
export function lineError(file: string, line: number, problem: string, advice?: string): InputError {
  return new InputError(`${file}, line ${line}: ${problem}.`, { advice });
}

/** Separator of cells: a semicolon if the first line has no comma, as spreadsheets write when the decimal sign is a comma. */
export type Separator = ',' | ';';

export function detectSeparator(text: string): Separator {
  const [header = ''] = text.trimStart().split(/\r|\n/, 1);
  return header.includes(';') && !header.includes(',') ? ';' : ',';
}

/**
 * Records of a CSV text (RFC 4180, or with semicolons; any line end, a byte order mark allowed, empty lines skipped), the header first, each
 * with as many cells as the header. Throws InputError with the line for anything else, for no record, and beyond 20,000 records.
 */
export function csvRecords(text: string, file: string): CsvRecord[] {
  const separator = detectSeparator(text);
  const records = parsed(text, file, separator).map(({ record, info }) => {
    const breaks = record.join('').match(/\r\n|\r|\n/g)?.length ?? 0;
    return { line: info.lines - breaks, cells: record };
  });
  const header = records[0];
  if (header === undefined) throw new InputError(`${file} is empty.`);
  if (records.length > MAX_LINES + 1) {
    throw new InputError(`${file} has more than ${MAX_LINES.toLocaleString('en-US')} lines of data.`, {
      advice: 'One line is one run of a variant on a channel; leave out what is not compared.',
    });
  }
  for (const { line, cells } of records) {
    if (cells.length === header.cells.length) continue;
    const problem = `it has ${plural(cells.length, 'cell')}, and the header has ${header.cells.length}`;
    const advice =
      separator === ','
        ? 'A cell with a comma in it needs quotes: "a, b". Numbers have a decimal point.'
        : 'A cell with a semicolon in it needs quotes: "a; b".';
    throw lineError(file, line, problem, advice);
  }
  return records;
}

interface Parsed {
  readonly record: string[];
  readonly info: { readonly lines: number };
}

function parsed(text: string, file: string, delimiter: Separator): Parsed[] {
  try {
    return parse(text, {
      info: true,
      delimiter,
      bom: true,
      // Automatic detection uses the first line's line end, and would keep others inside cells.
      record_delimiter: ['\r\n', '\n', '\r'],
      skip_empty_lines: true,
      relax_column_count: true,
      max_record_size: MAX_RECORD_BYTES,
      to: MAX_LINES + 2,
    }) as unknown as Parsed[];
  } catch (cause) {
    const { code, lines } = cause as CsvError & { lines?: number };
    const problem = PROBLEMS[code] ?? (cause as Error).message;
    throw new InputError(`${file}, line ${lines ?? 1}: ${problem}.`, { cause });
  }
}

const PROBLEMS: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quote is opened here and never closed',
  INVALID_OPENING_QUOTE: 'a quote stands inside a cell that is not quoted (inside quotes it is written twice)',
  CSV_INVALID_CLOSING_QUOTE: 'there is text after the closing quote of a cell (a quote inside quotes is written twice)',
  CSV_MAX_RECORD_SIZE: `it is longer than ${MAX_RECORD_BYTES} bytes`,
};
