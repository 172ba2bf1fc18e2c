import type { StoreReader } from '../../../../store/reader.ts';
import { buildClock, channelName, type Experiment, readingsOf, stretchesOf, titleOf } from './power-profile.ts';

/** Trace Event Format, as Perfetto and chrome://tracing read it: a counter keeps its value until the next, and is 0 where no reading is. */
export function* perfettoTrace(reader: StoreReader, experiment: Experiment): Generator<string> {
  const clock = buildClock(reader);
  const threads = { Run: 1, Phase: 2 };
  const named = (what: string, tid: number, name: string) => ({ ph: 'M', name: what, pid: 1, tid, args: { name } });
  const events = [
    named('process_name', 0, titleOf(experiment)),
    ...Object.entries(threads).map(([kind, tid]) => named('thread_name', tid, `${kind}s`)),
    ...stretchesOf(reader, experiment, clock).map(({ kind, name, fromMs, toMs, details }) => {
      const ts = Math.round(1000 * fromMs);
      const dur = Math.round(1000 * toMs) - ts;
      return { ph: 'X', name, cat: kind, pid: 1, tid: threads[kind], ts, dur, args: details };
    }),
  ];
  yield `{"displayTimeUnit":"ms","traceEvents":[\n${events.map((event) => JSON.stringify(event)).join(',\n')}`;
  for (const channel of reader.channels()) {
    const powers: [ms: number, watts: number][] = [];
    let end = Number.NaN;
    for (const { fromMs, toMs, watts } of readingsOf(reader, channel, clock)) {
      if (fromMs > end) powers.push([end, 0]);
      powers.push([fromMs, watts]);
      end = toMs;
    }
    if (powers.length > 0) powers.push([end, 0]);
    const head = `,\n{"ph":"C","name":${JSON.stringify(channelName(channel))},"pid":1,"ts":`;
    yield powers.map(([ms, watts]) => `${head}${Math.round(1000 * ms)},"args":{"W":${watts}}}`).join('');
  }
  yield '\n]}\n';
}
