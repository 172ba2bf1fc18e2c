// The bare runner waits for ever for a test that hangs: each test and hook gets its limit here.
import { addEventHandler } from 'jest-circus';
import shared from '../../../jest.config.mjs';

addEventHandler((event, { currentDescribeBlock: { children, hooks } }) => {
  const added = event.name === 'add_test' ? children.at(-1) : event.name === 'add_hook' ? hooks.at(-1) : null;
  if (added?.fn) added.fn = bounded(added.fn, event.timeout ?? shared.testTimeout);
});

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
