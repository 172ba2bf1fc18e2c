import type { MeterInfo } from '../../contracts/reading.ts';
import { MeasureError } from '../../errors.ts';
import { excerpt } from '../excerpt.ts';
import { type Ask, type Conversation, numberIn, ScpiFault } from './conversation.ts';
import {
  AUTOMATIC,
  checkObeyed,
  errorQueue,
  type Instrument,
  type InstrumentOptions,
  RUNNING,
  resultHeld,
} from './instrument.ts';
import { type IntegratorReading, integratorReader } from './integrator.ts';

/** Time limit for a question, milliseconds; added to the wait where a question waits for new data. */
const PATIENT_MS = 3000;
const LONGEST_UPDATE_S = 2;

/**
 * Settings that are changed, and restored in reverse order. None is a range, a filter, a rate or anything else that decides how the instrument
 * measures. Headers come first, since all other answers are read without them.
 */
const SET: readonly (readonly [query: string, value: string])[] = [
  [':COMM:HEAD', 'OFF'],
  [':NUM:FORM', 'ASC'],
  [':NUM:NORM:NUM', '2'],
  [':NUM:NORM:ITEM1', 'P,ELEMENT'],
  [':NUM:NORM:ITEM2', 'WH,ELEMENT'],
  // An event at the end of every update of the data, which a reading waits for.
  [':STAT:FILT1', 'FALL'],
];
const INTEGRATOR: typeof SET = [
  [':INTEG:MODE', 'NORM'],
  // A timer of 0 means no end.
  [':INTEG:TIM', '0,0,0'],
];

/**
 * Yokogawa WT300, WT300E, WT500 and their kin (IM WT310-17EN, chapter 6): their integrator's watt-hours, read right after an update of the data, so
 * that each reading is the energy of a whole number of updates. Throws ScpiFault, MeasureError.
 */
export async function yokogawa(
  talk: Conversation,
  { element, accuracy, identity }: InstrumentOptions,
): Promise<Instrument> {
  const ask = async (question: string) => lastWord((await talk.ask(question, PATIENT_MS)).text);
  await errorQueue(ask, ':STAT:ERR?');
  const state = await stateOf(ask);
  if (!/^(?:STAR|RES)/i.test(state)) throw resultHeld();
  const running = /^STAR/i.test(state);
  const before: [string, string][] = [];
  let released = false;
  const restore = async () => {
    released = true;
    if (!running) await talk.tell(':INTEG:STOP;:INTEG:RES');
    for (const [query, value] of before.splice(0).reverse()) await talk.tell(`${query} ${value}`);
    // Its answer shows that it has carried out all commands; afterwards its keys work again.
    await talk.ask('*OPC?', PATIENT_MS);
    await talk.tell(':COMM:REM OFF');
  };
  try {
    for (const [query, value] of running ? SET : [...SET, ...INTEGRATOR]) {
      before.push([query, await ask(`${query}?`)]);
      await talk.tell(`${query} ${value.replace('ELEMENT', String(element))}`);
    }
    const updateS = await readUpdateRate(ask);
    const ranges = await readRanges(ask, element);
    if (!running) await talk.tell(':INTEG:RES;:INTEG:STAR');
    await checkObeyed(ask, ':STAT:ERR?');
    const poll = pollOf(talk, updateS);
    const restart = async () => {
      await talk.tell(':INTEG:STOP;:INTEG:RES;:INTEG:STAR');
      return poll();
    };
    const read = integratorReader(talk, { poll, restart, restarts: () => !running && !released });
    return {
      identity: { voltageRangeV: ranges.voltageV, currentRangeA: ranges.currentA },
      accuracy: accuracy ?? classOf(identity.model, ranges.voltageV * ranges.currentA),
      updateS,
      remarks: [
        ...(ranges.automatic ? [AUTOMATIC] : []),
        ...(running ? [RUNNING] : []),
        ...(accuracy === null ? [classText(identity.model)] : []),
      ],
      read,
      restore,
    };
  } catch (error) {
    await restore().catch(() => {});
    throw error;
  }
}

function pollOf(talk: Conversation, updateS: number) {
  const ms = Math.round(1000 * updateS) + 1500;
  return async (): Promise<IntegratorReading> => {
    // The event is cleared first, then waited for: so the data are as fresh as the moment at which they come.
    const { text, tNs } = await talk.ask(':STAT:EESR?;:COMM:WAIT 1;:INTEG:STAT?;:NUM:NORM:VAL?', ms);
    const [, state = '', values = ''] = text.split(';');
    const [watts = '', hours = ''] = values.split(',');
    if (!/^STAR/i.test(state)) throw new ScpiFault(`its integration is not running: it reports ${excerpt(state, 20)}`);
    return { tNs, powerW: numberIn(watts).value, hours: numberIn(hours).value };
  };
}

/** The value in an answer, without the header that `:COMM:HEAD 1` adds. */
const lastWord = (text: string): string => text.trim().replace(/^:\S+\s+/, '');

async function stateOf(ask: Ask): Promise<string> {
  const state = await ask(':INTEG:STAT?');
  if (/^(?:STAR|STOP|RES|TIM|ERR|READ)/i.test(state)) return state;
  throw new ScpiFault(`it has no integrator that is known here: it reports ${excerpt(state)}`);
}

async function readUpdateRate(ask: Ask): Promise<number> {
  const text = await ask(':RATE?');
  const seconds = /^[\d.]+E[+-]?\d+$|^[\d.]+$/i.test(text) ? Number(text) : Number.NaN;
  if (seconds > 0 && seconds <= LONGEST_UPDATE_S) return seconds;
  throw new MeasureError(`The instrument renews its data every ${excerpt(text, 20)} s.`, {
    advice: `Set its update rate to 0.1 to ${LONGEST_UPDATE_S} s: joulediff changes nothing that decides how it measures.`,
  });
}

async function readRanges(ask: Ask, element: number) {
  // With several inputs, the answer has all of them, or only the one that is asked for.
  const one = async (question: string) => (await ask(question)).split(/[,;]/).at(-1) ?? '';
  const voltageV = numberIn(await one(`:INP:VOLT:RANG:ELEM${element}?`)).value;
  const currentA = numberIn(await one(`:INP:CURR:RANG:ELEM${element}?`)).value;
  const automatic = [await one(`:INP:VOLT:AUTO:ELEM${element}?`), await one(`:INP:CURR:AUTO:ELEM${element}?`)];
  return { voltageV, currentA, automatic: automatic.some((text) => /^(?:1|ON)$/i.test(text.trim())) };
}

/** 45 to 66 Hz, as their makers' data sheets state it: 0.1 % of the reading and 0.1 % of the range (WT300, WT500; the WT300E is better). */
function classOf(model: string, rangeW: number): MeterInfo['accuracy'] {
  return /^WT[35]\d\d?/i.test(model) ? { gainPercent: 0.1, offsetW: 0.001 * rangeW } : null;
}

function classText(model: string): string {
  return /^WT[35]\d\d?/i.test(model)
    ? 'Its limits of error, 0.1 % of the reading and 0.1 % of the range, hold within a year of its calibration: give those of its certificate by ?gain= and ?offset=.'
    : `No accuracy is known here for the model ${model}: give that of its certificate by ?gain= and ?offset=.`;
}
