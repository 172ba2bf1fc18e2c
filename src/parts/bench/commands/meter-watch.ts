import { setTimeout as wait } from 'node:timers/promises';
import { Stopped } from '../../../errors.ts';
import type { Meter, MeterSink } from '../../../meters/meter.ts';
import { NegativePower } from '../../../meters/negative-power.ts';
import { openMeters, validateMeterNames } from '../../../meters/registry.ts';
import { command } from '../../../terminal/command.ts';
import { numberOf } from '../../../terminal/options.ts';
import { stopSignal } from '../../../terminal/stop.ts';
import { atSpaces, type Terminal } from '../../../terminal/terminal.ts';
import { visible } from '../../../text/plain.ts';
import { lineWatch, screenWatch, type Watch } from './watch.ts';

/** Maximum delay of a timer, seconds: 24 days. */
const LONGEST_S = 2_147_483;

const SUMMARY =
  'show live readings of a meter (default auto) until Ctrl-C; one line per reading with --json or if stdout is not a terminal';
const SECONDS = numberOf('--seconds', { minimum: 0.1, maximum: LONGEST_S, unit: 'seconds' });

export function meterWatchCommand(terminal: Terminal) {
  const { stdout, stderr } = terminal;
  return command('watch', SUMMARY)
    .argument('[NAME]')
    .option('--seconds <N>', 'stop after N seconds', SECONDS)
    .action(async (name = 'auto', { seconds = null, json = false }) => {
      validateMeterNames([name]);
      const signal = stopSignal({ stderr });
      const { meters, chosen } = await openMeters([name]);
      if (chosen !== null) stderr.write(atSpaces(stderr, `${visible(chosen)}\n`));
      const infos = meters.map(({ info }) => info);
      for (const { remarks } of infos)
        for (const remark of remarks) stderr.write(atSpaces(stderr, `${visible(remark)}\n`));
      const asLines = json || stdout.isTTY !== true;
      const negative = new NegativePower();
      const warn = (channel: string, powerW: number) => {
        const error = negative.take(channel, powerW);
        if (error !== null) stderr.write(atSpaces(stderr, `${visible([error.message, error.advice].join(' '))}\n`));
      };
      const watch = asLines ? lineWatch({ stdout, stderr }, infos, json) : screenWatch(stdout, infos);
      const isUnread = () => stdout.writable === false;
      const stopped = await watchMeters(meters, watch, { seconds, signal, isUnread, onSample: warn });
      terminal.exitCode = stopped?.exitCode ?? 0;
    });
}

interface Until {
  readonly seconds: number | null;
  readonly signal: AbortSignal;
  /** Whether the reader of the output has closed it, as `| head` does. */
  isUnread(): boolean;
  onSample(channel: string, powerW: number): void;
}

/** Shows the meters until the time is over or a signal comes, which is returned. Rejects when a meter is lost. */
async function watchMeters(
  meters: readonly Meter[],
  watch: Watch,
  { seconds, signal, isUnread, onSample }: Until,
): Promise<Stopped | null> {
  const lost = new AbortController();
  const unread = new AbortController();
  const sink: MeterSink = {
    sample: (channel, sample) => {
      watch.sample(channel, sample);
      onSample(channel, sample.powerW);
      // Checked right after writing, since Node.js does not report it later.
      if (isUnread()) unread.abort();
    },
    event: (event) => watch.event(event),
    lost: (error) => lost.abort(error),
  };
  const end = AbortSignal.any([signal, lost.signal, unread.signal]);
  try {
    // Stopping a meter also aborts its starting.
    end.addEventListener('abort', () => void Promise.all(meters.map((meter) => meter.stop())));
    for (const meter of meters) {
      if (end.aborted) break;
      await meter.start(sink).catch((error: unknown) => {
        if (!end.aborted) throw error;
      });
    }
    if (!end.aborted) await wait((seconds ?? LONGEST_S) * 1000, undefined, { signal: end }).catch(() => {});
    if (signal.reason instanceof Stopped) return signal.reason;
    lost.signal.throwIfAborted();
    return null;
  } finally {
    await Promise.all(meters.map((meter) => meter.stop()));
    watch.end();
  }
}
