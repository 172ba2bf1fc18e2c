import { messageOf } from '../../../errors.ts';
import { CONTAINERS } from './containers.ts';
import type { Examination, Examined, Patient } from './examination.ts';
import { METER } from './meter.ts';
import { PROCESSOR } from './processor.ts';
import { QUIET } from './quiet.ts';
import { SYSTEM } from './system.ts';

/** All examinations in the order of the report. */
export const EXAMINATIONS: readonly Examination[] = [...METER, ...QUIET, ...PROCESSOR, ...CONTAINERS, ...SYSTEM];

/** Examines the machine. The load comes first, before other examinations cause some. Changes nothing. */
export async function examineMachine(patient: Patient, examinations = EXAMINATIONS): Promise<Examined[]> {
  const load = await patient.load();
  return Promise.all(examinations.map((one) => examined(one, { ...patient, load: async () => load })));
}

async function examined({ name, group, why, examine }: Examination, patient: Patient): Promise<Examined> {
  try {
    const { remedy = null, note = null, ...found } = await examine(patient);
    return { ...found, remedy, note, name, group, why };
  } catch (error) {
    // A failing examination must not hide the others.
    const seen = `this could not be looked at: ${messageOf(error)}`;
    return { name, group, why, state: 'unknown', seen, how: '', remedy: null, note: null };
  }
}
