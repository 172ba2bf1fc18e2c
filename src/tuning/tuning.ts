import * as z from 'zod';
import { InputError, MeasureError, systemMessage, withoutFullStop } from '../errors.ts';
import { type MadeSetting, SETTINGS, type SettingName } from '../findings/conditions.ts';
import { MachineFiles } from '../machine/files.ts';
import { leftNotes, makeNote, removeFolder } from '../processes/left-folders.ts';
import type { IsAbandoned } from '../processes/owner.ts';
import { stateFolder } from '../system/state.ts';
import { listed } from '../text/plain.ts';
import { type Change, distinct, type Pinned, settings } from './settings.ts';
import { Targets } from './targets.ts';

const PREFIX = 'joulediff-tuning-';

const CHANGE = z.object({ setting: z.enum(SETTINGS), target: z.string(), before: z.string(), value: z.string() });
/** Record of the changes made. Changes from another boot or machine need no restoring. `root`: the directory that has /sys and /proc. */
const JOURNAL = z.object({
  root: z.string(),
  boot: z.string().nullable(),
  machine: z.string().nullable(),
  changes: z.array(CHANGE),
});
type Journal = z.output<typeof JOURNAL>;

export interface TuningRequest {
  /** The settings, in the order of making them. */
  readonly names: readonly SettingName[];
  readonly pinned: Pinned;
  /** Targets below another root, for tests. */
  readonly targets?: Targets | undefined;
}

/** Receives messages about the settings. */
interface Listener {
  note(line: string): void;
  warn(line: string): void;
}

interface Restoring {
  readonly journal: Journal;
  readonly experimentId: string;
  readonly targets: Targets;
  readonly listener: Listener;
}

/** Settings that are in force until this object is disposed. */
export interface Tuning extends Disposable {
  readonly made: readonly MadeSetting[];
}

/** The changes needed, and the settings that this machine lacks. Throws InputError when rights are missing. Changes nothing. */
export function planTuning({ names, pinned, targets = new Targets() }: TuningRequest) {
  const plans = names.map((setting) => ({ setting, plan: settings[setting].plan(targets, pinned, names) }));
  const changes = plans.flatMap(({ setting, plan }) => (plan ?? []).map((one): Change => ({ setting, ...one })));
  for (const { setting, target } of changes) {
    try {
      targets.checkRights(target);
    } catch (cause) {
      throw refusal(setting, `${targets.name(target)} may not be written`, cause);
    }
  }
  return { changes, absent: plans.flatMap(({ setting, plan }) => (plan === null ? [setting] : [])) };
}

/**
 * Sets what an experiment asks for. What was there before is written down first, so that a later start puts it back if this process is killed.
 * Throws InputError where something can't be set, and MeasureError where it can't be written down; everything is then as it was.
 */
export function tune(request: TuningRequest, experimentId: string, listener: Listener): Tuning {
  const { targets = new Targets() } = request;
  const { changes, absent } = planTuning(request);
  if (absent.length > 0) listener.note(`quiet: this machine can't set ${listed(absent)}.`);
  if (changes.length === 0) return { made: [], [Symbol.dispose]() {} };
  const { root } = targets.files;
  const journal: Journal = { root, ...readBoot(targets), changes };
  const note = remember(experimentId, journal);
  const putBack = () => void restore(note, { journal, experimentId, targets, listener });
  const done: Change[] = [];
  try {
    for (const change of changes) if (set(targets, change)) done.push(change);
  } catch (thrown) {
    putBack();
    throw thrown;
  }
  const kept = changes.length - done.length;
  if (kept > 0) listener.note(`quiet: the kernel keeps ${kept} of ${changes.length} values as they are.`);
  return { made: madeBy(done), [Symbol.dispose]: putBack };
}

/** Writes the record of the changes first; without it nothing is set, since a killed process would leave the machine changed. */
function remember(experimentId: string, journal: Journal): string {
  try {
    return makeNote(PREFIX, experimentId, journal);
  } catch (cause) {
    throw new MeasureError(
      `quiet: nothing is set, because what has to be put back could not be noted in ${stateFolder()} (${formatCause(cause)}).`,
      { cause },
    );
  }
}

/** Makes one change. False: the kernel refused it, and the setting works without it (`mayRefuse`). */
function set(targets: Targets, { setting, target, value }: Change): boolean {
  try {
    targets.set(target, value);
    return true;
  } catch (cause) {
    if (settings[setting].mayRefuse?.test(target)) return false;
    throw refusal(setting, `${targets.name(target)} could not be set to ${value}`, cause);
  }
}

const formatCause = (cause: unknown): string => withoutFullStop(systemMessage(cause));

const refusal = (setting: SettingName, what: string, cause: unknown): InputError =>
  new InputError(`quiet: ${setting} can't be set: ${what} (${formatCause(cause)}).`, {
    advice: `Start joulediff as root and outside of containers, or leave ${setting} out of quiet.`,
    cause,
  });

function madeBy(done: readonly Change[]): MadeSetting[] {
  return SETTINGS.flatMap((setting) => {
    const own = done.filter((change) => change.setting === setting);
    return own.length === 0 ? [] : [{ setting, ...(settings[setting].record ?? distinct)(own) }];
  });
}

/** Restores what killed processes had set. Returns lines for the log. */
export function restoreLeft(isAbandoned: IsAbandoned): string[] {
  const lines: string[] = [];
  const tell = (line: string): void => void lines.push(line);
  for (const { path, mark } of leftNotes(PREFIX, isAbandoned)) {
    const { success, data: journal } = JOURNAL.safeParse(mark);
    if (!success) continue;
    const targets = new Targets(new MachineFiles(journal.root));
    const { boot, machine } = readBoot(targets);
    if (machine !== journal.machine) continue;
    if (boot !== journal.boot) {
      removeFolder(path);
      continue;
    }
    const listener = { note: tell, warn: tell };
    const isAny = restore(path, { journal, experimentId: String(mark.experiment), targets, listener });
    if (isAny) tell(`Put back ${listed(namesOf(journal.changes))}, which an earlier experiment had set.`);
  }
  return lines;
}

const readBoot = ({ files }: Targets): Pick<Journal, 'boot' | 'machine'> => ({
  boot: files.text('proc/sys/kernel/random/boot_id'),
  machine: files.text('etc/machine-id'),
});

const namesOf = (changes: readonly Change[]): SettingName[] => [...new Set(changes.map(({ setting }) => setting))];

/**
 * Restores every target that still has the value set here, in reverse order. Failed changes stay in a journal for the next start.
 *
 * @returns whether anything was put back
 */
function restore(path: string, { journal, experimentId, targets, listener }: Restoring): boolean {
  const changed: Change[] = [];
  const failed: Change[] = [];
  let isAny = false;
  for (const change of journal.changes.toReversed()) {
    const { setting, target, before, value } = change;
    try {
      const now = targets.read(target);
      // The files of an interrupt disappear with its device.
      const isInterrupt = target.startsWith('proc/irq/');
      if (now === before || (now === null && isInterrupt)) continue;
      if (now !== null && now !== value) {
        // Without the setting `irq`, irqbalance runs on and may have moved this interrupt: that is no change by somebody else.
        if (setting !== 'smt' || !isInterrupt) changed.push(change);
        continue;
      }
      targets.set(target, before);
      isAny = true;
    } catch (cause) {
      failed.unshift(change);
      listener.warn(
        `quiet: ${setting} could not be put back: ${targets.name(target)} should be ${before} (${formatCause(cause)}). joulediff tries again at its next start, and with joulediff clean.`,
      );
    }
  }
  for (const name of namesOf(changed)) {
    const all = changed.filter(({ setting }) => setting === name).map(({ target }) => targets.name(target));
    const where = `${all[0]}${all.length > 1 ? ` and ${all.length - 1} more` : ''}`;
    listener.note(`quiet: ${name} stays as it is: somebody changed ${where} during the experiment.`);
  }
  try {
    // The new journal is written before the old one is removed, so that there is always one.
    if (failed.length > 0) makeNote(PREFIX, experimentId, { ...journal, changes: failed });
    removeFolder(path);
  } catch {
    // If the disk is full, the old journal stays.
  }
  return isAny;
}
