// The functions of '@jest/globals', which only jest's own runner provides: the bare runner has them as globals.
import { registerHooks } from 'node:module';

const globals = new URL('globals.mjs', import.meta.url).href;

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === '@jest/globals' ? { url: globals, shortCircuit: true } : next(specifier, context),
});
