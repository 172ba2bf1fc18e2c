// Class: world, gitea, long.
import { onForge } from './forge.ts';
import { historyScenarios } from './history.ts';
import { hookScenarios } from './hooks.ts';
import { matrixScenarios } from './matrix.ts';

// Apart from the pull requests, because both mostly wait for a machine that measures.
onForge('a real Gitea with several machines', [historyScenarios, matrixScenarios, hookScenarios]);
