import { connectDocker } from '../container/docker.ts';
import type { EngineState } from '../engine-key.ts';
import type { Executor, PreparedRun, RunContext } from '../executor.ts';
import type { Foreseen } from '../kind.ts';
import { type EngineCommands, EngineSwitch } from './switch.ts';

/** An executor that has Docker's engine stopped or running around each run: from before `prepare` until after `cleanup`. */
export function withEngine(executor: Executor, wanted: EngineState, experimentId: string): Executor {
  const { state } = wanted;
  let engine: EngineSwitch | null = null;
  return {
    ...executor,
    async setup(signal, recorded) {
      if (state === 'stopped') {
        engine = new EngineSwitch(commandsOf(wanted), experimentId);
        await engine.check();
      } else {
        await connectDocker();
      }
      return { ...(await executor.setup(signal, recorded)), engine: state };
    },
    async prepare(context) {
      if (engine !== null) return withoutEngine(executor, engine, context);
      await connectDocker();
      return executor.prepare(context);
    },
  };
}

/** Whether the engine runs and can be stopped; null: the variant does not use the key. Throws InputError and MeasureError. */
export async function foreseeEngine(wanted: EngineState | undefined): Promise<Foreseen | null> {
  if (wanted === undefined) return null;
  if (wanted.state === 'running') {
    await connectDocker();
    return { state: 'ok', text: "Docker's engine is running" };
  }
  const engine = new EngineSwitch(commandsOf(wanted), '');
  await engine.check();
  return {
    state: 'ok',
    text: `Docker's engine has no containers, and is stopped for each run by "${engine.stopText}"`,
  };
}

const commandsOf = (wanted: EngineState): EngineCommands | null =>
  wanted.state === 'stopped' && wanted.stop !== null && wanted.start !== null
    ? { stop: wanted.stop, start: wanted.start }
    : null;

async function withoutEngine(executor: Executor, engine: EngineSwitch, context: RunContext): Promise<PreparedRun> {
  context.signal.throwIfAborted();
  await engine.stop();
  try {
    const run = await executor.prepare(context);
    return { ...run, dispose: () => run.dispose().finally(() => engine.start()) };
  } catch (thrown) {
    await engine.start();
    throw thrown;
  }
}
