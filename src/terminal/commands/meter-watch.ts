import { setTimeout as wait } from 'node:timers/promises';
import { Stopped } from '../../errors.ts';
import type { Meter, MeterSink } from '../../meters/meter.ts';
import { openMeters, validateMeterNames } from '../../meters/registry.ts';
import type { Arguments } from '../arguments.ts';
import type { Command, Streams } from '../command.ts';
import { numberOption } from '../number-option.ts';
import { plain } from '../plain.ts';
import { stopOnSignals } from '../stop.ts';
import { lineWatch, screenWatch, type Watch } from '../watch.ts';

/** The longest that a timer can wait: 24 days. */
const longestS = 2_147_483;

export const meterWatchCommand: Command = {
  name: 'meter watch',
  argument: '[NAME]',
  summary: 'live readings of a meter (default auto), until Ctrl-C; a line each where stdout is no terminal',
  options: [
    { name: 'seconds', value: 'N', help: 'ends by itself after N seconds' },
    {
      name: 'json',
      value: null,
      help: 'a JSON object a line: t_ns (CLOCK_MONOTONIC), channel, power_w, duration_s, source',
    },
  ],
  async run(args: Arguments, { stdout, stderr }: Streams): Promise<number> {
    const seconds = numberOption(args, 'seconds', { minimum: 0.1, maximum: longestS, unit: 'seconds' }, null);
    const name = args.positional[0] ?? 'auto';
    validateMeterNames([name]);
    const signal = stopOnSignals(() => {});
    const { meters, chosen } = await openMeters([name]);
    if (chosen !== null) stderr.write(`${plain(chosen)}\n`);
    const infos = meters.map(({ info }) => info);
    for (const { remarks } of infos) for (const remark of remarks) stderr.write(`${plain(remark)}\n`);
    const asLines = args.flag('json') || stdout.isTTY !== true;
    const watch = asLines ? lineWatch({ stdout, stderr }, infos, args.flag('json')) : screenWatch(stdout, infos);
    const isUnread = () => stdout.writable === false;
    const stopped = await watchMeters(meters, watch, { seconds, signal, isUnread });
    return stopped?.exitCode ?? 0;
  },
};

interface Until {
  readonly seconds: number | null;
  readonly signal: AbortSignal;
  /** Whoever read the output has seen enough (| head). */
  isUnread(): boolean;
}

/** Shows the meters until the time is over or a signal comes, which is given. Rejects when a meter is lost. */
async function watchMeters(
  meters: readonly Meter[],
  watch: Watch,
  { seconds, signal, isUnread }: Until,
): Promise<Stopped | null> {
  const lost = new AbortController();
  const unread = new AbortController();
  const sink: MeterSink = {
    sample: (channel, sample) => {
      watch.sample(channel, sample);
      // Only right after writing: Node forgets it.
      if (isUnread()) unread.abort();
    },
    event: (event) => watch.event(event),
    lost: (error) => lost.abort(error),
  };
  const end = AbortSignal.any([signal, lost.signal, unread.signal]);
  try {
    // Stopping a meter ends its starting too.
    end.addEventListener('abort', () => void Promise.all(meters.map((meter) => meter.stop())));
    for (const meter of meters) {
      if (end.aborted) break;
      await meter.start(sink).catch((error: unknown) => {
        if (!end.aborted) throw error;
      });
    }
    if (!end.aborted) await wait((seconds ?? longestS) * 1000, undefined, { signal: end }).catch(() => {});
    if (signal.reason instanceof Stopped) return signal.reason;
    lost.signal.throwIfAborted();
    return null;
  } finally {
    await Promise.all(meters.map((meter) => meter.stop()));
    watch.end();
  }
}
