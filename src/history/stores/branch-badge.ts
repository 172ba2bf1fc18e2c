import { createHash } from 'node:crypto';
import { badgeJson, badgeOf, badgeSvg } from '../../report/badge.ts';
import type { HistoryRecord } from '../record.ts';

/**
 * The badge of an experiment, at an address that stays: `badges/NAME.json` and `.svg`. None when a later experiment of this name was kept before,
 * by a job that was faster.
 */
export function badgeFiles(record: HistoryRecord, others: readonly HistoryRecord[]): Record<string, string> {
  const same = others.filter(({ experiment }) => experiment === record.experiment);
  if (same.some(({ started_at }) => Date.parse(started_at) > Date.parse(record.started_at))) return {};
  const [first] = record.comparisons;
  const { source } = record.meter;
  const badge = badgeOf(first === undefined ? null : { ...first, source, complete: true });
  const path = `badges/${fileName(record.experiment)}`;
  return { [`${path}.json`]: badgeJson(badge), [`${path}.svg`]: badgeSvg(badge) };
}

/** The name itself where it makes a plain file name; else what is left of it, and a hash that tells it from others. */
export function fileName(experiment: string): string {
  if (/^[a-z0-9][a-z0-9-]{0,60}$/.test(experiment)) return experiment;
  const readable = experiment
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
    .replace(/^-|-$/g, '');
  const hash = createHash('sha256').update(experiment).digest('hex').slice(0, 8);
  return readable === '' ? hash : `${readable}-${hash}`;
}
