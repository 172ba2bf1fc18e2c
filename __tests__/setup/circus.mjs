// What jest's own runner would do for each test file and the bare one leaves out: limits of time, and an environment as it was.
import { addEventHandler } from 'jest-circus';
import config from '../../jest.config.mjs';

const environment = { ...process.env };
let file = null;

addEventHandler((event, { currentDescribeBlock, rootDescribeBlock }) => {
  if (file !== rootDescribeBlock) {
    file = rootDescribeBlock;
    file.hooks.push({ type: 'afterAll', fn: restoreEnvironment });
  }
  const { children, hooks } = currentDescribeBlock;
  const added = event.name === 'add_test' ? children.at(-1) : event.name === 'add_hook' ? hooks.at(-1) : null;
  if (added?.fn) added.fn = bounded(added.fn, event.timeout ?? config.testTimeout);
});

/** Files share a process. */
function restoreEnvironment() {
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
  Object.assign(process.env, environment);
}

/** The bare runner would wait for ever. */
function bounded(run, limitMs) {
  return async () => {
    let timer;
    const late = new Promise((_, fail) => {
      timer = setTimeout(() => fail(new Error(`not ended after ${limitMs} ms`)), limitMs);
    });
    try {
      await Promise.race([run(), late]);
    } finally {
      clearTimeout(timer);
    }
  };
}
