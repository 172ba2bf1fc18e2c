import type { Check, CheckOf } from '../../findings/checks.ts';
import type { RunIncidents } from '../../store/records.ts';
import type { RunResult } from '../results.ts';
import { alarm } from './alarm.ts';

const MAX_MESSAGES = 3;

/** Incidents of the machine in the compared runs of one channel: facts, no test. Checks that were never made give no result. */
export function incidentChecks(runs: readonly RunResult[], incidents: ReadonlyMap<number, RunIncidents>): Check[] {
  const compared = runs
    .filter(({ status }) => status === 'ok')
    .map(({ run, variant }) => ({
      run,
      variant,
      ...(incidents.get(run) ?? { throttled: null, kernelMessages: null }),
    }));
  const checks: Check[] = [];
  if (compared.some(({ throttled }) => throttled !== null)) {
    const seen = compared.flatMap(({ run, variant, throttled }) =>
      throttled ? [{ run, variant, times: throttled }] : [],
    );
    checks.push(alarm('throttling', seen.length > 0, { runs: seen }));
  }
  if (compared.some(({ kernelMessages }) => kernelMessages !== null)) {
    const seen = compared.filter(({ kernelMessages }) => (kernelMessages ?? []).length > 0);
    const messages = [...new Set(seen.flatMap(({ kernelMessages }) => kernelMessages ?? []))].slice(0, MAX_MESSAGES);
    const facts = { runs: seen.map(({ run, variant }) => ({ run, variant })), messages };
    checks.push(alarm('kernel messages', seen.length > 0, facts));
  }
  return checks;
}

/** Runs that may have met a limit unnoticed: a run that was refused a process, or lost one to the memory limit, is not the intended run. */
export function unseenLimits(runs: readonly RunResult[]): CheckOf<'limits'>[] {
  const unseen = runs.filter(({ status, place }) => status === 'ok' && place?.limitUnseen);
  if (unseen.length === 0) return [];
  const facts = { runs: unseen.map(({ run, variant }) => ({ run, variant })) };
  return [{ name: 'limits', state: 'warn', reason: 'unseen', facts }];
}
