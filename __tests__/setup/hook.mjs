// What Node.js needs to run a test file of jest's: the functions of '@jest/globals', which the bare runner has as globals.
import { registerHooks } from 'node:module';

const globals = new URL('globals.mjs', import.meta.url).href;

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === '@jest/globals' ? { url: globals, shortCircuit: true } : next(specifier, context),
});

// The runner answers all its workers when the first of them asks for its settings (jest-light-runner 0.8.2): one that was slower to start
// got them before it listened, and would ask once more and wait for ever. They are kept for it here.
const [ASKED, TOLD] = ['jest-light-runner-get-worker-data', 'jest-light-runner-worker-data'];
if (process.env.TINYPOOL_WORKER_ID !== undefined && process.send) {
  const [emit, send] = [process.emit, process.send];
  let settings = null;
  process.emit = function (event, ...words) {
    if (event === 'message' && words[0]?.type === TOLD) [settings] = words;
    return emit.call(this, event, ...words);
  };
  process.send = function (message, ...rest) {
    if (message !== ASKED || settings === null) return send.call(this, message, ...rest);
    setImmediate(() => emit.call(process, 'message', settings));
    return true;
  };
}
