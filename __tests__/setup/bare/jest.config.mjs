// Tests in bare Node.js: the modules under test are loaded once for many files, by Node.js itself, which halves what a whole run computes.
// For tests that only compute: a file here shares its process, and what it leaves in it, with others.
import shared from '../../../jest.config.mjs';

export default {
  ...shared,
  rootDir: '../../..',
  transform: {},
  runner: 'jest-light-runner/child-process',
  setupFilesAfterEnv: ['<rootDir>/__tests__/setup/bare/limits.mjs'],
};
