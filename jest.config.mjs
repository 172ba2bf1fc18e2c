export default {
  testEnvironment: 'node',
  roots: ['<rootDir>/__tests__'],
  testMatch: ['**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.ts$': '<rootDir>/__tests__/setup/transform.mjs' },
  testTimeout: 30_000,
  // A failed test of a port or a process may leave its handle open; processes that are left are looked for by the launcher.
  forceExit: true,
};
