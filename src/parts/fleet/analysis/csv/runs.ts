import { type RunResult, recordedReason } from '../../../../analysis/results.ts';
import { EMULATED } from '../../../../findings/emulated.ts';
import type { RunStatus } from '../../../../schedule/outcome.ts';
import { type Cells, cellsOf, detectDecimalSign, quoted, refuseThousands } from './cells.ts';
import { type Columns, readHeader } from './columns.ts';
import { csvRecords, detectSeparator, lineError } from './records.ts';

/** A CSV of runs, read. */
export interface RunTable extends Pick<Columns, 'own' | 'energy' | 'unread'> {
  /** In the order of the lines. */
  readonly runs: readonly RunResult[];
  /** Whether the file shows the chronological order of the runs. */
  readonly ordered: boolean;
  /** Where the energies of a channel come from, in a file with joulediff's own columns; a channel without one: unknown. */
  readonly sources: ReadonlyMap<string, Source>;
  /** Variants on emulated processors, in a file with joulediff's own columns. */
  readonly emulated: readonly string[];
  /** Whether the decimal sign is a comma. */
  readonly decimalComma: boolean;
}

const SOURCES = ['measured', 'modelled', 'emulated'] as const;
type Source = (typeof SOURCES)[number];

interface Line {
  readonly line: number;
  readonly run: RunResult;
}

interface ReadLine extends Line {
  /** Text of the column `source`. */
  readonly source: string | null;
  readonly isEmulated: boolean;
}

const STATUSES: readonly RunStatus[] = ['ok', 'warmup', 'failed', 'invalid'];
const MAX_VARIANTS = 50;
const MAX_CHANNELS = 20;
/** Channel name in a file without this column. */
const ONLY_CHANNEL = 'energy';

/**
 * Runs of a CSV text, as docs/methodology.md and runs.csv have them: `variant` and `energy_j` (joules), where they are there also
 * `duration_s`, `block`, `status`, `reason`, `channel`, `run` and the rest of runs.csv. Nothing is dropped: a line is a run, or the
 * file is refused. Throws InputError with the line; `file` is its name in messages.
 */
export function readRunTable(text: string, file: string): RunTable {
  const [header, ...records] = csvRecords(text, file);
  if (header === undefined) throw new Error('csvRecords gave no header');
  const columns = readHeader(header, file);
  if (records.length === 0) throw lineError(file, header.line, 'there is no line of data after the header');
  const semicolons = detectSeparator(text) === ';';
  const decimal = semicolons ? detectDecimalSign(records, columns, file) : '.';
  refuseThousands(records, columns, { file, decimal, semicolons });
  const lines = records.map((record, i) => {
    const cells = cellsOf(record, columns, { file, decimal });
    const isEmulated = cells.text(EMULATED)?.toLowerCase() === 'true';
    return { line: record.line, run: parseRun(cells, columns, i + 1), source: cells.text('source'), isEmulated };
  });
  refuseContradictions(lines, file);
  const runs = lines.map(({ run }) => run);
  const numbered = columns.places.has('run');
  const timed = !numbered && tellTheirTime(runs);
  return {
    ...columns,
    runs: timed ? numberedByTime(runs) : runs,
    ordered: numbered || timed,
    sources: sourcesOf(lines),
    emulated: [...new Set(lines.flatMap(({ run, isEmulated }) => (isEmulated ? [run.variant] : [])))],
    decimalComma: decimal === ',',
  };
}

function sourcesOf(lines: readonly ReadLine[]): Map<string, Source> {
  const byChannel = Map.groupBy(lines, ({ run }) => run.channel);
  const known = [...byChannel].flatMap(([channel, all]) => {
    const source = SOURCES.find((one) => all.every((line) => line.source === one));
    return source === undefined ? [] : [[channel, source] as const];
  });
  return new Map(known);
}

function tellTheirTime(runs: readonly RunResult[]): boolean {
  const good = runs.filter(isGood);
  const starts = new Set(good.map(({ startNs, channel }) => `${startNs} ${channel}`));
  return good.length > 0 && starts.size === good.length && good.every(({ startNs }) => startNs !== null);
}

/** Numbers the runs by start time, if no column has their order. An excluded run without a time follows the one before it. */
function numberedByTime(runs: readonly RunResult[]): RunResult[] {
  let last = 0n;
  const starts = runs.map(({ startNs }) => (last = startNs ?? last));
  const inTime = [...runs.keys()].sort((a, b) => Number((starts[a] as bigint) - (starts[b] as bigint)));
  const places = new Map(inTime.map((line, place) => [line, place + 1]));
  return runs.map((run, line) => ({ ...run, run: places.get(line) as number }));
}

function parseRun(cells: Cells, { places }: Columns, place: number): RunResult {
  const variant = cells.text('variant') ?? cells.refuse('variant is empty');
  const status = places.has('status') ? statusOf(cells) : 'ok';
  const energyJ = cells.number('energy_j');
  if (energyJ === null && (status === 'ok' || status === 'warmup')) {
    cells.refuse(
      `${cells.nameOf('energy_j')} is empty, and the status is ${status}`,
      'Give a run without an energy the status failed or invalid.',
    );
  }
  const durationS = cells.number('duration_s');
  if (durationS !== null && durationS < 0) cells.refuse(`duration_s is ${durationS}, which is below zero`);
  const run = places.has('run') ? (cells.whole('run') ?? cells.refuse('run is empty')) : place;
  const channel = places.has('channel') ? (cells.text('channel') ?? cells.refuse('channel is empty')) : ONLY_CHANNEL;
  return {
    run,
    block: cells.whole('block'),
    position: cells.whole('position'),
    variant,
    revision: cells.text('revision'),
    status,
    reason: recordedReason(cells.text('reason')),
    startNs: cells.time('start_ns'),
    endNs: cells.time('end_ns'),
    durationS,
    energyJ,
    netEnergyJ: cells.number('net_energy_j'),
    meanPowerW: cells.number('mean_power_w') ?? (energyJ !== null && durationS ? energyJ / durationS : null),
    idlePowerW: cells.number('idle_power_w'),
    uncertaintyJ: null,
    netUncertaintyJ: null,
    uncertainty: null,
    channel,
    samples: cells.whole('samples'),
    resources: null,
    ...executionsOf(cells),
    machine: stateOf(cells),
  };
}

/** Executions in the window; empty if the file has no such column. */
function executionsOf(cells: Cells): Pick<RunResult, 'executions'> {
  const executions = cells.whole('executions');
  if (executions === null) return {};
  return executions < 1 ? cells.refuse(`executions is ${executions}; a run has one or more`) : { executions };
}

/** State of the machine before the run; null: not in the file. */
function stateOf(cells: Cells): RunResult['machine'] {
  const machine = {
    governor: cells.text('governor'),
    temperatureC: cells.number('temperature_c'),
    load: cells.number('load'),
  };
  return Object.values(machine).every((value) => value === null) ? null : machine;
}

function statusOf(cells: Cells): RunStatus {
  const given = cells.text('status') ?? '';
  return (
    STATUSES.find((status) => status === given) ??
    cells.refuse(`status is ${quoted(given)}; it can be ${STATUSES.slice(0, -1).join(', ')} or ${STATUSES.at(-1)}`)
  );
}

/** Refuses contradictions between lines: duplicate runs, blocks with extra runs, and blocks that some runs lack. */
function refuseContradictions(lines: readonly Line[], file: string): void {
  const seen = new Map<string, number>();
  const places = new Map<string, number>();
  const known = new Map<number, Line>();
  const first = lines.find(({ run }) => isGood(run));
  const blocked = lines.some(({ run }) => isGood(run) && run.block !== null);
  for (const { line, run } of lines) {
    const before = setOnce(seen, JSON.stringify([run.run, run.channel]), line);
    if (before !== null) throw lineError(file, line, `run ${run.run} stands on line ${before} already`);
    const same = known.get(run.run) ?? { line, run };
    known.set(run.run, same);
    if (same.run.variant !== run.variant || same.run.block !== run.block) {
      throw lineError(file, line, `run ${run.run} is of another variant or block on line ${same.line}`);
    }
    if (isGood(run) && first !== undefined) refuseOtherBatch({ line, run }, first, file);
    if (!isGood(run) || !blocked) continue;
    if (run.block === null) throw lineError(file, line, 'block is empty, though other runs have one');
    const other = setOnce(places, JSON.stringify([run.block, run.variant, run.channel]), line);
    if (other === null) continue;
    const problem = `block ${run.block} has ${run.variant} on line ${other} already`;
    throw lineError(file, line, problem, 'A block has every variant once; give a repeated run the status invalid.');
  }
  refuseMore(lines, file, 'variant', MAX_VARIANTS);
  refuseMore(lines, file, 'channel', MAX_CHANNELS);
}

/** Refuses runs with different numbers of executions: only equal work is compared. */
function refuseOtherBatch({ line, run }: Line, first: Line, file: string): void {
  const [own, others] = [run.executions ?? 1, first.run.executions ?? 1];
  if (own === others) return;
  const problem = `executions is ${own}, and on line ${first.line} ${others}`;
  throw lineError(file, line, problem, 'Only runs of the same work are compared; give others the status invalid.');
}

function setOnce(map: Map<string, number>, key: string, line: number): number | null {
  const before = map.get(key);
  if (before === undefined) map.set(key, line);
  return before ?? null;
}

function refuseMore(lines: readonly Line[], file: string, column: 'variant' | 'channel', most: number): void {
  const names = new Set<string>();
  for (const { line, run } of lines) {
    names.add(run[column]);
    if (names.size > most) throw lineError(file, line, `this is one ${column} too many; at most ${most} are allowed`);
  }
}

const isGood = ({ status }: RunResult): boolean => status === 'ok';
