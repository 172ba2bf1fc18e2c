// Tests run in bare Node.js: what is under test is loaded once for many files, by Node.js itself. Started with --import=./__tests__/setup/hook.mjs.
export default {
  testEnvironment: 'node',
  roots: ['<rootDir>/__tests__'],
  testMatch: ['**/*.test.ts'],
  transform: {},
  runner: 'jest-light-runner/child-process',
  setupFilesAfterEnv: ['<rootDir>/__tests__/setup/circus.mjs'],
  // What only computes has the time that everything else leaves.
  testTimeout: 300_000,
  testSequencer: '<rootDir>/__tests__/setup/sequencer.mjs',
};
