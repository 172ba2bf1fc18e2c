import type { TerminalPart } from '../../terminal/terminal.ts';

export const terminal: TerminalPart = {
  commands: { noise: { explain: async () => (await import('./commands/explain.ts')).explainCommand } },
  run: async () => (await import('./run.ts')).run,
  plannedExtraRuns: async (...planned) => (await import('./commands/planned.ts')).plannedExtraRuns(...planned),
};
