export default {
  testEnvironment: 'node',
  roots: ['<rootDir>/__tests__'],
  testMatch: ['**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.ts$': '<rootDir>/__tests__/setup/transform.mjs' },
  testTimeout: 120_000,
  testSequencer: '<rootDir>/__tests__/setup/sequencer.mjs',
};
