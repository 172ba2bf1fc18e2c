import { join } from 'node:path';
import { findZones } from '../../../meters/rapl/zones.ts';
import { copiedWord } from '../../../report/escape.ts';
import { plural } from '../../../text/plain.ts';
import { type Examination, LOG_IN_AGAIN } from './examination.ts';

const CONNECT =
  'It lists the meters that this machine has. Without any, connect one (docs/meters.md) or let RAPL be read.';

const meter: Examination = {
  name: 'meter',
  group: 'Meter',
  why: 'Without an instrument there is nothing to measure: a model of the processor’s use knows neither disk, memory nor power supply, and can’t tell two workloads apart that use it alike. A meter at another machine’s plug tells nothing at all.',
  async examine(patient) {
    const found = await patient.meter();
    if (found === null)
      return {
        state: 'unknown',
        seen: 'none was named',
        how: 'joulediff meter list',
        remedy: 'joulediff meter list',
        note: 'On this machine. joulediff can’t know which of its meters measures the other machine: --meter names it.',
      };
    if ('why' in found)
      return {
        state: 'fail',
        seen: found.why.replace(/\.$/, ''),
        how: 'joulediff meter list',
        remedy: 'joulediff meter list',
        note: found.advice ?? CONNECT,
      };
    const { name, source, sees, passport } = found;
    const how = `joulediff meter watch ${name}`;
    if (source === 'modelled') {
      return {
        state: 'fail',
        seen: `${name} is a model, and does not measure`,
        how,
        remedy: 'joulediff meter list',
        note: CONNECT,
      };
    }
    const check = `joulediff meter check ${name}` as const;
    if (source === 'emulated')
      return {
        state: 'warn',
        seen: `${name} is emulated, and does not measure`,
        how,
        remedy: 'joulediff meter list',
        note: CONNECT,
      };
    if (passport === null)
      return {
        state: 'warn',
        seen: `${name} answers (${sees}), but was never checked on this machine`,
        how,
        remedy: check,
      };
    const on = passport.at.slice(0, 10);
    if (!passport.passed) return { state: 'fail', seen: `${name} did not pass its check of ${on}`, how, remedy: check };
    return { state: 'ok', seen: `${name} answers (${sees}), and passed its check of ${on}`, how };
  },
};

const rapl: Examination = {
  name: 'rapl',
  group: 'Meter',
  why: 'The processor’s own counters are a channel beside a wall meter: they tell how much of a difference is the processor’s. Linux reserves them for root, because frequent readings reveal what other programs compute (PLATYPUS).',
  examine({ files, person, host }) {
    if (host !== null)
      return {
        state: 'unknown',
        seen: 'the counters of another machine can’t be read from here',
        how: 'ls -l /sys/class/powercap/*/energy_uj',
      };
    const root = files.path('sys/class/powercap');
    const how = 'ls -l /sys/class/powercap/*/energy_uj';
    const zones = findZones(root);
    if (zones.length === 0) return { state: 'unknown', seen: 'the kernel shows no counters of energy', how };
    const readable = zones.filter(
      ({ path }) => files.number(join(path.slice(files.root.length), 'energy_uj')) !== null,
    );
    const names = zones.map(({ name }) => name).join(', ');
    if (readable.length === zones.length) return { state: 'ok', seen: `${names}: readable`, how };
    return {
      state: 'warn',
      seen: `${names}: ${readable.length} of ${plural(zones.length, 'counter')} can be read by ${person.name}`,
      how,
      remedy: `sudo groupadd -f joulediff && sudo usermod -aG joulediff ${copiedWord(person.name)} && sudo chgrp joulediff /sys/class/powercap/*/energy_uj && sudo chmod g+r /sys/class/powercap/*/energy_uj`,
      note: `${LOG_IN_AGAIN} It holds until the machine is started again; the rule of runner-setup/install.sh lasts.`,
    };
  },
};

export const METER: readonly Examination[] = [meter, rapl];
