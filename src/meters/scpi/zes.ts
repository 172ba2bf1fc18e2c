import { MeasureError } from '../../errors.ts';
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
const LONGEST_CYCLE_S = 2;
/** Upper bound on the polls until a start has taken effect. */
const MAX_POLLS = 5;
/** Factor that shows another unit of energy: watt-hours and joules differ by 3,600, power from one cycle to the next by far less. */
const OTHER_UNIT = 60;

const START = ':TRIG:INT:ENER:STOP 1;:TRIG:INT:ENER:RES 1;:TRIG:INT:ENER:STAR 1';
const END = ':TRIG:INT:ENER:STOP 1;:TRIG:INT:ENER:RES 1';
const ERRORS = ':SYST:ERR:ALL?';

interface ZesReading extends IntegratorReading {
  /** Seconds for which it has integrated, by its own clock. */
  readonly seconds: number;
}

/**
 * ZES ZIMMER LMG600 in their own SCPI: the watt-hours of their integrator and the seconds that it has run, of the same cycle. No manual of their
 * commands is public: those of the integrator are as published programs for an LMG611 use them, the others as those for an LMG670 do. So nothing
 * is taken on trust: its seconds must advance with each reading, and its energy must fit its power. Throws ScpiFault, MeasureError.
 */
export async function zes(talk: Conversation, { element, accuracy }: InstrumentOptions): Promise<Instrument> {
  const ask = async (question: string) => (await talk.ask(question, PATIENT_MS)).text.trim();
  await talk.tell('*zlang scpi');
  const cycleS = await readCycle(ask);
  const automatic = [await maybe(ask, ':SENS:VOLT:RANG:AUTO?'), await maybe(ask, ':SENS:CURR:RANG:AUTO?')].some(isOn);
  const enabled = await maybe(ask, ':SENS:ENER:ENAB?');
  await errorQueue(ask, ERRORS);
  const poll = pollOf(talk, element, cycleS);
  let running = false;
  let released = false;
  const restore = async () => {
    released = true;
    if (!running) await talk.tell(END);
    if (enabled !== null && !isOn(enabled)) await talk.tell(`:SENS:ENER:ENAB ${enabled}`);
    // Its answer shows that it has carried out all commands; afterwards its keys work again.
    await talk.ask('*OPC?', PATIENT_MS);
    await talk.tell('gtl');
  };
  const { next, restart } = advancing(poll, cycleS);
  const begin = () => restart(() => talk.tell(START));
  // It may hold somebody's measurement: it gets no command before that is known.
  running = isOn(enabled ?? 'ON') && (await isRunning(poll));
  try {
    if (!isOn(enabled ?? '')) await talk.tell(':SENS:ENER:ENAB 1');
    if (!running) await begin();
    const [first, second] = [await patient(next), await next()];
    await checkObeyed(ask, ERRORS);
    checkUnit(first, second);
    return {
      identity: {},
      accuracy,
      updateS: cycleS,
      remarks: [
        ...(automatic ? [AUTOMATIC] : []),
        ...(running ? [RUNNING] : []),
        ...(accuracy === null ? [CLASS] : []),
      ],
      read: integratorReader(talk, { poll: next, restart: begin, restarts: () => !running && !released }),
      restore,
    };
  } catch (error) {
    await restore().catch(() => {});
    throw error;
  }
}

function pollOf(talk: Conversation, element: number, cycleS: number) {
  const input = element === 1 ? '' : String(element);
  // `READ` waits for the end of a cycle, `FETC` gives more of the same.
  const question = `:READ:SCAL:ENER${input}?;:FETC:SCAL:SLOTS:ENERGY:DURATION${input}?;:FETC:POW:ACT${element}?`;
  const ms = Math.round(2000 * cycleS) + 1500;
  return async (): Promise<ZesReading> => {
    const { text, tNs } = await talk.ask(question, ms);
    const [hours = '', seconds = '', watts = ''] = text.split(';');
    return {
      tNs,
      hours: numberIn(hours).value,
      seconds: numberIn(seconds).value,
      powerW: numberIn(watts).value,
    };
  };
}

/** Reads a running integration; one whose time stands still is an error, not a power of 0. */
function advancing(poll: () => Promise<ZesReading>, cycleS: number) {
  let before: ZesReading = { tNs: 0n, seconds: 0, hours: 0, powerW: 0 };
  /** Whether the last reading was the first one after a start. */
  let fresh = false;
  const next = async (): Promise<ZesReading> => {
    const at = await poll();
    const advancedS = at.seconds - before.seconds;
    if (advancedS === 0) throw new ScpiFault(`its integration is not running: it stands at ${at.seconds} s`);
    // The integration may begin after its first reading, and lacks what was used until then.
    const late = fresh && Number(at.tNs - before.tNs) / 1e9 - advancedS > 0.6 * cycleS;
    before = at;
    fresh = false;
    return advancedS < 0 || late ? { ...at, anew: true } : at;
  };
  /** Restarts at zero with `start`, and gives the first reading. */
  const restart = async (start: () => Promise<void>): Promise<ZesReading> => {
    await start();
    before = await patient(poll);
    fresh = true;
    return before;
  };
  return { next, restart };
}

/** Polls until a start has taken effect: it does so at the end of a cycle, and until then there may be no number. */
async function patient(poll: () => Promise<ZesReading>): Promise<ZesReading> {
  for (let polls = 1; ; polls++) {
    try {
      return await poll();
    } catch (error) {
      if (!(error instanceof ScpiFault) || polls === MAX_POLLS) throw error;
    }
  }
}

/** Whether the integrator runs. Throws MeasureError where it holds somebody's measurement. */
async function isRunning(poll: () => Promise<ZesReading>): Promise<boolean> {
  // An integrator that was never started may hold no number.
  const polls = [await poll().catch(noNumber), await poll().catch(noNumber)];
  const [first, second] = polls.map((at) => at?.seconds ?? 0) as [number, number];
  if (second > first) return true;
  if (second === 0) return false;
  throw resultHeld();
}

function noNumber(error: unknown): null {
  if (error instanceof ScpiFault) return null;
  throw error;
}

/** Throws where energy and power don't fit: then its commands mean something else than is known here. */
function checkUnit(first: ZesReading, second: ZesReading): void {
  const joules = 3600 * (second.hours - first.hours);
  const powerW = joules / (second.seconds - first.seconds);
  const ratio = Math.abs(powerW / second.powerW);
  // Too little was used for a comparison.
  if (joules === 0 || Math.abs(second.powerW) < 0.1) return;
  if (ratio < OTHER_UNIT && ratio > 1 / OTHER_UNIT) return;
  throw new MeasureError(
    `The instrument's energy does not fit its power: ${powerW.toPrecision(3)} W by its watt-hours, ${second.powerW.toPrecision(3)} W by its power.`,
    { advice: 'Its firmware means something else by what joulediff asks: please report its model and firmware.' },
  );
}

async function readCycle(ask: Ask): Promise<number> {
  const { value } = numberIn(await ask(':SENS:SWE:TIME?'));
  if (value > 0 && value <= LONGEST_CYCLE_S) return value;
  throw new MeasureError(`The instrument's measuring cycle is ${value} s long.`, {
    advice: `Set its cycle to 0.1 to ${LONGEST_CYCLE_S} s: joulediff changes nothing that decides how it measures.`,
  });
}

/** The answer to a question; null: there is none, and its error queue says why. */
async function maybe(ask: Ask, question: string): Promise<string | null> {
  return ask(question).catch(noNumber);
}

const isOn = (text: string | null): boolean => /^(?:1|ON)$/i.test(text ?? '');

const CLASS = 'No limits of error are known here for it: give those of its certificate by ?gain= and ?offset=.';
