import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Findings } from '../../src/findings/findings.ts';
import { withStore } from '../../src/store/reader.ts';
import type { RunRecord } from '../../src/store/records.ts';
import { readCsv } from '../e2e/program.ts';
import type { PowercapTruth } from '../emulators/powercap-truth.ts';
import type { SoakExperiment } from './workloads.ts';

/** What happened to an experiment that may explain what is recorded. */
export interface Story {
  /** Sessions that were killed: the run in progress is not recorded. */
  readonly kills: number;
  /** How often the program was started. */
  readonly sessions: number;
  /** The order of variants by block, as `joulediff plan` had told. */
  readonly plan: readonly string[];
}

export interface Account {
  /** A line for everything that is not as it should be. */
  readonly wrong: readonly string[];
  readonly good: number;
  readonly recorded: number;
  /** Largest error of the energy of a good run, as a share of what the counter allows. */
  readonly worstShare: number;
  /** Joules of all good runs together, as measured and in truth. */
  readonly energyJ: number;
  readonly trueJ: number;
}

const isGood = ({ status }: RunRecord): boolean => status === 'ok' || status === 'warmup';

/** Looks whether a complete experiment holds every planned run exactly once, and the right energies. */
export function accountFor(experiment: SoakExperiment, out: string, story: Story, truth: PowercapTruth): Account {
  const database = join(out, 'experiment.db');
  const { planned, runs, sessions } = withStore(database, (reader) => ({
    planned: reader.plannedRuns(),
    runs: reader.runs(),
    sessions: reader.sessions(),
  }));
  const wrong: string[] = [];
  const expect = (fact: boolean, line: string) => {
    if (!fact) wrong.push(line);
  };

  const blocks = [...Map.groupBy(planned, ({ block }) => block).values()];
  const reported = blocks.map((block) => block.map(({ variant }) => variant).join(' · '));
  expect(reported.join() === story.plan.join(), `its plan is another than that of its seed: ${reported.join(' | ')}`);
  for (const { run, block, variant } of planned) {
    const good = runs.filter((one) => one.planned === run && isGood(one));
    expect(good.length === 1, `${variant} in block ${block} has ${good.length} good runs`);
  }
  for (const block of blocks) {
    const attempts = new Set(
      runs.filter((run) => isGood(run) && block.some((one) => one.run === run.planned)).map(({ attempt }) => attempt),
    );
    expect(attempts.size === 1, `block ${block[0]?.block} is put together from ${attempts.size} attempts`);
  }
  for (const [i, { run }] of runs.entries()) expect(run === i + 1, `run ${run} is number ${i + 1} of the record`);
  // What ends a session in the idle time after its last run leaves nothing to go on with: the next start records no session.
  const ends = sessions.at(-1)?.end?.kind;
  const isDone = ends === 'complete' || story.sessions > sessions.length;
  expect(isDone, `its last session is recorded as ${ends ?? 'not ended'}`);
  const began = readFileSync(experiment.executions, 'utf8').length / 2;
  expect(began >= runs.filter(isGood).length, `${began} executions began, and more are recorded as good`);
  expect(
    began <= runs.length + story.kills,
    `${began} executions began, ${runs.length} are recorded, ${story.kills} were killed`,
  );
  const strays = readdirSync(out).filter((name) => /-(wal|shm|journal)$|\.tmp$/.test(name));
  expect(strays.length === 0, `there is ${strays.join(', ')} in the result`);

  const findings: Findings = JSON.parse(readFileSync(join(out, 'findings.json'), 'utf8'));
  expect(findings.experiment.complete, 'the findings call it incomplete');
  const energies = compareEnergies(out, truth);
  expect(
    energies.rows === planned.length,
    `runs.csv has ${energies.rows} good rows, and ${planned.length} were planned`,
  );
  wrong.push(...energies.wrong);
  const { worstShare, energyJ, trueJ } = energies;
  return { wrong, good: runs.filter(isGood).length, recorded: runs.length, worstShare, energyJ, trueJ };
}

/** What the program may read the counter later than it stamps it on a busy machine, at both edges, joules. */
const LATE_J = 0.5;

function compareEnergies(out: string, truth: PowercapTruth) {
  const rows = readCsv(join(out, 'runs.csv')).filter(({ status }) => status === 'ok' || status === 'warmup');
  const wrong: string[] = [];
  let [worstShare, energyJ, allTrueJ] = [0, 0, 0];
  for (const row of rows) {
    const [startNs, endNs] = [BigInt(row.start_ns ?? 0), BigInt(row.end_ns ?? 0)];
    const trueJ = truth.energyJ(startNs, endNs);
    const errorJ = Number(row.energy_j) - trueJ;
    const allowedJ = LATE_J + truth.behindJ(startNs) + truth.behindJ(endNs);
    worstShare = Math.max(worstShare, Math.abs(errorJ) / allowedJ);
    energyJ += Number(row.energy_j);
    allTrueJ += trueJ;
    if (Math.abs(errorJ) <= allowedJ) continue;
    const away = `${errorJ.toFixed(3)} J away from the truth, ${allowedJ.toFixed(3)} J are possible`;
    wrong.push(`the energy of run ${row.run} is ${row.energy_j} J, ${away}`);
  }
  return { rows: rows.length, wrong, worstShare, energyJ, trueJ: allTrueJ };
}
