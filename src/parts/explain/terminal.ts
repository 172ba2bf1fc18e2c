import type { TerminalPart } from '../../terminal/terminal.ts';
import { explainCommand } from './commands/explain.ts';
import { plannedExtraRuns } from './commands/planned.ts';

export const terminal: TerminalPart = {
  commands: { noise: [explainCommand] },
  run: async () => (await import('./run.ts')).run,
  plannedExtraRuns,
};
