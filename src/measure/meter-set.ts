import type { ChannelInfo, MeterInfo } from '../contracts/reading.ts';
import { MeasureError, messageOf, withoutFullStop } from '../errors.ts';
import type { Meter, MeterSink } from '../meters/meter.ts';
import { NegativePower } from '../meters/negative-power.ts';
import { identityOf, identityText, openMeters, validateMeterNames } from '../meters/registry.ts';
import { lastingName } from '../meters/serial/ports.ts';
import { nowNs, secondsToNs, sleepUntil } from '../system/clock.ts';
import { goOnWords } from '../text/way-in.ts';
import type { Progress } from './progress.ts';

/** How long a meter that went away may take to come back. */
const RETURN_S = 60;
const RETRY_S = 1;

interface MeterSlot {
  meter: Meter;
  /** Name that opens the meter: `auto` could choose another one. */
  readonly name: string;
  /** Name that opens it again: a port that is plugged in anew may get another number. */
  readonly lasting: string;
  /** As recorded; a meter that came back must be the same. */
  readonly info: MeterInfo;
}

/** The meters of an experiment, all on this machine's clock. A lost meter can come back, as a new object that is identified again. */
export class MeterSet implements AsyncDisposable {
  /** What `auto` chose and why; null when the meters were named. */
  readonly chosen: string | null;
  readonly #slots: MeterSlot[];
  #sink: MeterSink | null = null;
  #lost = new AbortController();
  /** Lost meters with their losses, in the order in which they went: a hub takes several with it. */
  readonly #lostSlots = new Map<MeterSlot, unknown>();
  readonly #negative = new NegativePower();
  /** Why no meter is waited for: another one answered in place of the lost one, or this one shows negative power. */
  #refusal: MeasureError | null = null;

  private constructor(slots: MeterSlot[], chosen: string | null) {
    this.#slots = slots;
    this.chosen = chosen;
  }

  /** Opens and identifies. Throws InputError for a name, MeasureError for a meter that is not there, not allowed or something else. */
  static async open(texts: readonly string[]): Promise<MeterSet> {
    const names = validateMeterNames(texts);
    const { meters, chosen } = await openMeters(texts);
    const slots = meters.map((meter, i) => {
      const named = names[i]?.type === meter.info.type ? names[i] : undefined;
      const name = named?.text ?? nameOf(meter.info);
      const port = named === undefined ? meter.info.address : named.address;
      const stable = port?.startsWith('/dev/') ? lastingName(port) : null;
      return { meter, info: meter.info, name, lasting: port && stable ? name.replace(port, stable) : name };
    });
    return new MeterSet(slots, chosen);
  }

  /** Whether a meter was refused, so that waiting for it makes no sense. */
  get isRefused(): boolean {
    return this.#refusal !== null;
  }

  get infos(): readonly MeterInfo[] {
    return this.#slots.map(({ info }) => info);
  }

  /** Names that open the meters again. */
  get names(): readonly string[] {
    return this.#slots.map(({ name }) => name);
  }

  get channels(): readonly ChannelInfo[] {
    return this.infos.flatMap((info) => info.channels);
  }

  /** Aborted, with a MeasureError as its reason, while a meter is gone; another signal after it came back. */
  get lostSignal(): AbortSignal {
    return this.#lost.signal;
  }

  /** Starts the meters. One that has gone since it was opened counts as lost, and `recover` waits for it. */
  async start(sink: MeterSink): Promise<void> {
    this.#sink = sink;
    for (const slot of this.#slots) {
      await slot.meter.start(this.#sinkOf(slot, sink)).catch((error: unknown) => this.#lose(slot, error, error));
    }
  }

  mark(): void {
    for (const { meter } of this.#slots) meter.mark();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#slots.map(({ meter }) => meter.stop()));
  }

  /**
   * Waits for the lost meters to answer again, up to a minute for each (`withinS` is for tests). Does nothing when none is lost.
   * Throws the MeasureError of the loss when it does not come back, another at once when another meter is in its place; rejects with the signal's reason when that is aborted.
   */
  async recover(signal: AbortSignal, withinS = RETURN_S): Promise<void> {
    if (this.#refusal !== null) throw this.#refusal;
    for (const [slot, loss] of this.#lostSlots) {
      await slot.meter.stop();
      const untilNs = nowNs() + secondsToNs(withinS);
      while (!(await this.#reopen(slot))) {
        if (this.#refusal !== null) throw this.#refusal;
        if (nowNs() > untilNs) throw stayedAway(loss, slot.lasting);
        await sleepUntil(nowNs() + secondsToNs(RETRY_S), signal);
      }
    }
  }

  async #reopen(slot: MeterSlot): Promise<boolean> {
    let meter: Meter | undefined;
    try {
      meter = (await openMeters([slot.lasting])).meters[0];
      if (!meter || !isSame(meter.info, slot.info)) throw this.#refuse(slot.info, meter?.info);
      slot.meter = meter;
      // The slot is removed before the meter starts: one that goes again at once is lost anew.
      this.#lostSlots.delete(slot);
      if (this.#lostSlots.size === 0) this.#lost = new AbortController();
      if (this.#sink) await meter.start(this.#sinkOf(slot, this.#sink));
      return !this.#lostSlots.has(slot);
    } catch (error) {
      await meter?.stop();
      this.#lose(slot, error);
      return false;
    }
  }

  #refuse(before: MeterInfo, now: MeterInfo | undefined): MeasureError {
    this.#refusal = new MeasureError(
      `The meter was lost, and another one is in its place: ${now ? identityText(now) : 'none'} instead of ${identityText(before)}.`,
      { advice: `What was measured is kept. Connect the earlier meter; ${goOnWords()}.` },
    );
    return this.#refusal;
  }

  /** Passes samples on under the channel names that were recorded first, whatever a newly opened meter calls its channels. */
  #sinkOf(slot: MeterSlot, sink: MeterSink): MeterSink {
    const given = slot.meter.info.channels.map((c) => c.channel);
    const names = new Map(given.map((name, i) => [name, slot.info.channels[i]?.channel ?? name]));
    return {
      sample: (given, sample) => {
        const channel = names.get(given) ?? given;
        sink.sample(channel, sample);
        const refusal = this.#negative.take(channel, sample.powerW);
        if (refusal !== null) {
          this.#refusal = refusal;
          this.#lose(slot, refusal, refusal);
        }
      },
      event: (event) => {
        sink.event({ ...event, channels: (event.channels ?? given).map((name) => names.get(name) ?? name) });
      },
      lost: (error) => {
        sink.lost(error);
        this.#lose(slot, error);
      },
    };
  }

  #lose(slot: MeterSlot, error: unknown, reason: unknown = lossError(error)): void {
    if (!this.#lostSlots.has(slot)) this.#lostSlots.set(slot, reason);
    this.#lost.abort(reason);
  }
}

/** Waits for meters that are lost, and says so. Throws and rejects as `recover`. */
export async function waitForMeters(
  meters: MeterSet,
  { progress, signal }: { readonly progress: Progress; readonly signal: AbortSignal },
): Promise<void> {
  if (!meters.lostSignal.aborted) return;
  if (!meters.isRefused) {
    progress.warn(`${messageOf(meters.lostSignal.reason)} Waiting up to a minute for it to come back.`);
  }
  await meters.recover(signal);
  progress.note('The meter is back.');
}

function lossError(cause: unknown): MeasureError {
  const advice = cause instanceof MeasureError ? (cause.advice ?? undefined) : undefined;
  return new MeasureError(`The meter was lost: ${withoutFullStop(messageOf(cause))}.`, { advice, cause });
}

/** The error of a meter that did not come back; its advice says how a name that changes may be the reason. */
export function stayedAway(loss: unknown, name: string): unknown {
  if (!(loss instanceof MeasureError)) return loss;
  const hint = /:\/dev\/tty(?:USB|ACM)\d/.test(name)
    ? 'A port that is plugged in again may get another number: name it by its path in /dev/serial/by-id, which stays the same.'
    : name.includes(':/dev/serial/by-path/')
      ? 'It is looked for in the USB socket that it was in: plug it in there again.'
      : /:(?:https?:\/\/)?\d{1,3}(?:\.\d{1,3}){3}\b/.test(name)
        ? 'It may have got another address: give it a fixed one in the router, or name it by its host name, which is looked up anew.'
        : null;
  if (hint === null) return loss;
  const advice = [loss.advice, hint].filter(Boolean).join(' ');
  return new MeasureError(loss.message, { advice, cause: loss.cause });
}

const nameOf = (info: MeterInfo): string => (info.address === null ? info.type : `${info.type}:${info.address}`);

function isSame(now: MeterInfo, before: MeterInfo): boolean {
  return identityOf(now) === identityOf(before) && now.channels.length === before.channels.length;
}
