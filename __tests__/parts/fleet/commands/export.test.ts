// Class: world.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';
import { main } from '../../../../src/cli.ts';
import type { Findings } from '../../../../src/findings/findings.ts';
import { type SimulatedRun, writeSimulatedStore } from '../../../analysis/simulated-store.ts';
import { wallMeter } from '../../../store/fixtures.ts';

const page = readFileSync('docs/other-tools.md', 'utf8');
const shown = (language: string): string[] =>
  [...page.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].flatMap(([, given, code]) =>
    given === language ? [code ?? ''] : [],
  );

const python = process.env.JOULEDIFF_TEST_DUCKDB ?? '';
const hasR = ((): boolean => {
  try {
    execFileSync('Rscript', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

let folder = '';
let findings: Findings;

/** A folder with a result of joulediff, and beside it one of another machine's without a database. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'joulediff-export-'));
  mkdirSync(join(folder, 'results'));
  const result = join(folder, 'results', 'one');
  mkdirSync(result);
  const run = (variant: string, loadW: number): SimulatedRun => ({ variant, lengthS: 12, loadW });
  // No two blocks alike, and no symmetry that would hide a wrong pairing.
  const blocks = [0, 3, 1, 7, 2, 9, 4, 8].map((more, i) => [
    run('native', 60 + more / 3),
    run('container', 61.5 + more / 4 + (i % 3) / 7),
  ]);
  writeSimulatedStore(join(result, 'experiment.db'), { blocks });
  expect((await joulediff(['report', join(result, 'experiment.db'), '--out', result])).code).toBe(0);
  findings = JSON.parse(readFileSync(join(result, 'findings.json'), 'utf8'));
  const other = join(folder, 'results', 'two');
  mkdirSync(other);
  const { experiment, conditions } = findings;
  const elsewhere = {
    ...findings,
    experiment: { ...experiment, id: 'elsewhere', started_at: '2026-02-01T00:00:00.000Z' },
    conditions: { ...conditions, hostname: 'a "quoted"\nhost' },
  };
  writeFileSync(join(other, 'findings.json'), JSON.stringify(elsewhere));
  writeFileSync(join(other, 'runs.csv'), readFileSync(join(result, 'runs.csv')));
  cpSync(result, join(folder, 'joulediff-out'), { recursive: true });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function joulediff(words: string[]) {
  let stdout = '';
  let stderr = '';
  const streams = {
    stdout: { write: (text: string) => (stdout += text) },
    stderr: { write: (text: string) => (stderr += text) },
  };
  return { code: await main(words, streams), stdout, stderr };
}

const exported = (format: string, out: string, ...more: string[]) =>
  joulediff([
    'export',
    ...['one', 'two'].map((name) => join(folder, 'results', name)),
    '--format',
    format,
    '--out',
    join(folder, out),
    ...more,
  ]);

const rowsIn = async (file: string): Promise<Record<string, unknown>[]> =>
  parquetReadObjects({ file: await asyncBufferFromFile(join(folder, file)) });

describe('joulediff export', () => {
  it('writes tables that say the same in every format', async () => {
    const { code, stdout, stderr } = await exported('parquet', 'tables');
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: '1 result had no experiment.db: only its comparisons are there.\n',
    });
    expect(
      stdout
        .trim()
        .split('\n')
        .map((path) => path.replace(/.*\//, '')),
    ).toEqual(['comparisons', 'runs', 'metrics', 'samples'].map((name) => `${name}.parquet`));
    for (const format of ['csv', 'jsonl']) expect((await exported(format, 'tables')).code).toBe(0);
    for (const table of ['comparisons', 'runs', 'samples']) {
      const rows = await rowsIn(`tables/${table}.parquet`);
      expect(rows.length).toBeGreaterThan(1);
      const text = (row: Record<string, unknown>): Record<string, string> =>
        Object.fromEntries(Object.entries(row).map(([key, value]) => [key, value === null ? '' : String(value)]));
      const csv = readFileSync(join(folder, `tables/${table}.csv`), 'utf8');
      expect(parse(csv, { columns: true })).toEqual(rows.map(text));
      const lines = readFileSync(join(folder, `tables/${table}.jsonl`), 'utf8')
        .trim()
        .split('\n');
      expect(lines.map((line) => JSON.parse(line).variant)).toEqual(rows.map(({ variant }) => variant));
      expect(lines).toHaveLength(rows.length);
    }
  });

  it('writes a profile of one experiment, and of nothing without readings', async () => {
    const one = join(folder, 'results', 'one');
    const out = ['--format', 'perfetto', '--out', join(folder, 'profile')];
    const written = await joulediff(['export', one, ...out]);
    expect(written).toMatchObject({ code: 0, stdout: expect.stringMatching(/profile\/perfetto\.json\n$/) });
    expect(
      JSON.parse(readFileSync(join(folder, 'profile', 'perfetto.json'), 'utf8')).traceEvents.length,
    ).toBeGreaterThan(100);
    for (const [given, sentence] of [
      [[one], 'perfetto.json is there already'],
      [[one, one], 'shows one experiment, and 2 were given'],
      [[join(folder, 'results', 'two')], 'has no readings'],
    ] as const) {
      const refused = await joulediff(['export', ...given, ...out]);
      expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining(sentence) });
    }
  });

  it('gives the headline, the runs and the readings as they are', async () => {
    await exported('parquet', 'exact');
    const [{ percent, joules } = { percent: null, joules: null }] = findings.comparisons;
    const comparisons = await rowsIn('exact/comparisons.parquet');
    expect(comparisons).toHaveLength(2);
    expect(comparisons[0]).toMatchObject({
      source: 'measured',
      percent: percent!.estimate,
      percent_low: percent!.ci95![0],
      joules: joules!.estimate,
      complete: true,
    });
    const runs = await rowsIn('exact/runs.parquet');
    const csv = parse(readFileSync(join(folder, 'results/one/runs.csv'), 'utf8'), { columns: true }) as Record<
      string,
      string
    >[];
    expect(runs.map(({ energy_j }) => String(energy_j))).toEqual(csv.map(({ energy_j }) => energy_j));
    const samples = await rowsIn('exact/samples.parquet');
    const raw = parse(readFileSync(join(folder, 'results/one/samples.csv'), 'utf8'), { columns: true }) as Record<
      string,
      string
    >[];
    expect(samples.map(({ t_ns }) => String(t_ns))).toEqual(raw.map(({ t_ns }) => t_ns));
  });

  it('replaces nothing that it was not told to', async () => {
    await exported('jsonl', 'once');
    expect(await exported('jsonl', 'once')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(
        'comparisons.jsonl is there already.\nChoose another folder with --out, or replace it with --overwrite.',
      ),
    });
    expect((await exported('jsonl', 'once', '--overwrite')).code).toBe(0);
  });

  it('refuses one experiment that was given twice, whose runs would count twice', async () => {
    const again = join(folder, 'results', 'one', 'findings.json');
    const { code, stderr } = await exported('csv', 'twice', again);
    expect(code).toBe(2);
    expect(stderr).toContain('are the same experiment, which counts once.');
    expect(readdirSync(join(folder, 'twice'))).toEqual([]);
  });

  it('tells a monitoring system the newest of each machine', async () => {
    const { stdout } = await exported('openmetrics', 'unused');
    const [{ percent } = { percent: null }] = findings.comparisons;
    const host = findings.conditions!.hostname;
    const labels = (of: string): string =>
      `experiment="${findings.experiment.name}",host="${of}",meter="${findings.meter.type}",source="measured"`;
    expect(stdout).toContain(
      `joulediff_change_ratio{${labels(host)},baseline="native",variant="container",bound="estimate"} ${percent!.estimate! / 100}\n`,
    );
    // A quote and a line end in a name stay one label.
    expect(stdout).toContain(`joulediff_energy_joules{${labels('a \\"quoted\\" host')},variant="native"} `);
    expect(stdout).toMatch(/^# TYPE joulediff_energy_joules gauge\n# UNIT joulediff_energy_joules joules\n# HELP /);
    expect(stdout.endsWith('# EOF\n')).toBe(true);
    expect(new Set(stdout.split('\n').filter((line) => !line.startsWith('#'))).size).toBe(
      stdout.split('\n').filter((line) => !line.startsWith('#')).length,
    );
  });

  it.each([
    'openmetrics',
    'otlp',
  ])('says as %s which results it left out for a newer one of the same name', async (format) => {
    const again = join(folder, 'again.json');
    const newer = { ...findings.experiment, id: 'again', started_at: '2027-01-01T00:00:00.000Z' };
    writeFileSync(again, JSON.stringify({ ...findings, experiment: newer }));
    const { code, stderr } = await exported(format, 'unused', again);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringMatching(
        /^1 older result left out: .* If they are of different experiments, give each its own name/,
      ),
    });
  });

  it('tells it energies and durations of one execution, and no interval below 95 %', async () => {
    const batched = join(folder, 'batched.json');
    const variants = findings.variants.map((variant) => ({ ...variant, executions_per_run: 4 }));
    const comparisons = findings.comparisons.map((one) => ({ ...one, percent: { ...one.percent, confidence: 0.9 } }));
    writeFileSync(batched, JSON.stringify({ ...findings, variants, comparisons }));
    const { stdout } = await joulediff(['export', batched, '--format', 'openmetrics']);
    const [{ energy_j: energy, duration_s: duration } = { energy_j: null, duration_s: null }] = findings.variants;
    const value = (name: string): number => Number(new RegExp(`^${name}\\{.* (\\S+)$`, 'm').exec(stdout)?.[1]);
    expect(value('joulediff_energy_joules')).toBeCloseTo(energy!.mean / 4, 9);
    expect(value('joulediff_duration_seconds')).toBeCloseTo(duration!.mean / 4, 9);
    expect(stdout).toContain('# HELP joulediff_energy_joules Mean energy of one execution of the command.\n');
    expect(stdout).toContain('bound="estimate"');
    expect(stdout).not.toMatch(/bound="(?:low|high)"/);
  });

  describe('to a collector', () => {
    let server: Server;
    const bodies: string[] = [];
    let status = 200;
    beforeAll(async () => {
      server = createServer((request, response) => {
        let body = '';
        request.on('data', (part) => (body += part));
        request.on('end', () => {
          bodies.push(`${request.method} ${request.url} ${request.headers['content-type']} ${body}`);
          response.writeHead(status).end('{}');
        });
      });
      await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    });
    afterAll(() => {
      server.close();
    });
    const address = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/metrics`;

    it('sends them in one request', async () => {
      expect(await exported('otlp', 'unused', '--to', address())).toEqual({ code: 0, stdout: '', stderr: '' });
      expect(bodies).toHaveLength(1);
      expect(bodies[0]).toMatch(/^POST \/v1\/metrics application\/json /);
      const [{ scopeMetrics }] = JSON.parse(bodies[0]!.replace(/^\S+ \S+ \S+ /, '')).resourceMetrics;
      const energy = scopeMetrics[0].metrics.find(({ name }: { name: string }) => name === 'joulediff_energy_joules');
      expect(energy).toMatchObject({
        unit: 'J',
        gauge: { dataPoints: expect.arrayContaining([expect.objectContaining({ asDouble: expect.any(Number) })]) },
      });
    });

    it('says when it is refused, or when nobody is there', async () => {
      status = 404;
      expect(await exported('otlp', 'unused', '--to', address())).toMatchObject({
        code: 3,
        stderr: expect.stringContaining('refused the metrics with status 404.'),
      });
      const other = createServer();
      await new Promise<void>((ready) => other.listen(0, '127.0.0.1', ready));
      const { port } = other.address() as AddressInfo;
      await new Promise((closed) => other.close(closed));
      expect(await exported('otlp', 'unused', '--to', `http://127.0.0.1:${port}/v1/metrics`)).toMatchObject({
        code: 3,
        stderr: expect.stringContaining('took no metrics: connection refused.'),
      });
      expect(await exported('otlp', 'unused', '--to', 'http://user:secret@127.0.0.1:1/')).toMatchObject({
        code: 2,
        stderr: expect.not.stringContaining('secret'),
      });
      expect(await exported('otlp', 'unused', '--to', 'collector')).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('--to collector is not a web address.'),
      });
    });
  });

  it('posts nothing in a format that is not posted, and says so', async () => {
    expect(await exported('openmetrics', 'unused', '--to', 'http://127.0.0.1:1/')).toEqual({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('--to was given without --format otlp, so nothing would be posted.'),
    });
  });

  it('knows its formats', async () => {
    expect(await exported('parket', 'unused')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('There is no format parket. Did you mean parquet?'),
    });
  });
});

describe('what the page shows', () => {
  (python === '' ? it.skip : it)('are queries that DuckDB answers', async () => {
    await exported('parquet', 'joulediff-export');
    const checks = findings.quality.checks.map((check) => ({ ...check, state: 'fail' }));
    const worthless = { ...findings, quality: { ...findings.quality, checks } };
    mkdirSync(join(folder, 'results', 'untrusted'));
    writeFileSync(join(folder, 'results', 'untrusted', 'findings.json'), JSON.stringify(worthless));
    const queries = shown('sql');
    expect(queries).toHaveLength(5);
    const program = `import duckdb, json, sys
print(json.dumps([[list(map(str, row)) for row in duckdb.sql(query).fetchall()] for query in json.load(sys.stdin)]))`;
    const answers: string[][][] = JSON.parse(
      execFileSync('python3', ['-c', program], {
        cwd: folder,
        input: JSON.stringify(queries),
        encoding: 'utf8',
        env: { ...process.env, PYTHONPATH: python },
      }),
    );
    const [{ percent } = { percent: null }] = findings.comparisons;
    expect(answers[0]).toHaveLength(2);
    expect(Number(answers[0]![0]![4])).toBeCloseTo(percent!.estimate!, 2);
    expect(answers[1]!.map((row) => row.slice(1, 4))).toEqual([
      ['container', 'wall', '8'],
      ['native', 'wall', '8'],
    ]);
    expect(answers[2]).toHaveLength(1);
    expect(answers[3]!.map((row) => Number(row[3]))).toEqual([percent!.estimate, percent!.estimate]);
    expect(answers[4]).toHaveLength(4);
  });

  it('computes the headline in Python to the last digit', () => {
    const [code = ''] = shown('python');
    const printed = execFileSync('python3', ['-c', code], { cwd: folder, encoding: 'utf8' });
    expect(Number(printed)).toBeCloseTo(findings.comparisons[0]!.percent.estimate!, 12);
  });

  it('computes it where the blocks have a third variant, as with noise: inline', () => {
    const other = mkdtempSync(join(tmpdir(), 'joulediff-recipe-'));
    mkdirSync(join(other, 'joulediff-out'));
    const csv = readFileSync(join(folder, 'joulediff-out', 'runs.csv'), 'utf8');
    const again = csv
      .split('\n')
      .flatMap((line) => (line.includes(',native,') ? [line, line.replace(',native,', ',native-2,')] : [line]));
    writeFileSync(join(other, 'joulediff-out', 'runs.csv'), again.join('\n'));
    const [code = ''] = shown('python');
    const printed = execFileSync('python3', ['-c', code], { cwd: other, encoding: 'utf8' });
    expect(Number(printed)).toBeCloseTo(findings.comparisons[0]!.percent.estimate!, 12);
  });

  (hasR ? it : it.skip)('computes the headline and its interval in R', () => {
    const [code = ''] = shown('r');
    const printed = execFileSync('Rscript', ['-e', code], { cwd: folder, encoding: 'utf8' })
      .trim()
      .split('\n')
      .map(Number);
    const { estimate, ci95 } = findings.comparisons[0]!.percent;
    for (const [i, value] of [estimate!, ...ci95!].entries()) expect(printed[i]).toBeCloseTo(value, 10);
  });

  (hasR ? it : it.skip)('computes joules from readings in R, of a meter with a guard and of a counter', async () => {
    const [, code = ''] = shown('r');
    const channel = { channel: 'package', integration: 'counter', samplingPeriodS: 1, clock: 'host' } as const;
    for (const [i, meter] of [wallMeter, { ...wallMeter, channels: [channel] }].entries()) {
      const cwd = mkdtempSync(join(folder, 'joules-'));
      const database = join(cwd, 'experiment.db');
      const variants = ['native', 'container'].map((variant) => ({ variant, lengthS: 12, loadW: 61.5 }));
      writeSimulatedStore(database, { blocks: [variants], meters: [meter] });
      expect((await joulediff(['report', database, '--out', join(cwd, 'joulediff-out')])).code).toBe(0);
      const [header = '', first = ''] = readFileSync(join(cwd, 'joulediff-out', 'runs.csv'), 'utf8').split('\n');
      const energyJ = Number(first.split(',')[header.split(',').indexOf('energy_j')]);
      const printed = execFileSync('Rscript', ['-e', code], { cwd, encoding: 'utf8' }).trim().split('\n');
      expect(Number(printed[i]?.split(' ')[1])).toBeCloseTo(energyJ, 2);
    }
  });
});
