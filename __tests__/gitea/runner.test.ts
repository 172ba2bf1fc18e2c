// Class: world, gitea, long.
import { dockerfileScenarios } from './dockerfile.ts';
import { onForge } from './forge.ts';
import { forkScenarios } from './fork.ts';
import { pullRequestScenarios } from './pull-request.ts';
import { requestScenarios } from './request.ts';

onForge('a real Gitea with a real runner', [
  pullRequestScenarios,
  dockerfileScenarios,
  forkScenarios,
  requestScenarios,
]);
