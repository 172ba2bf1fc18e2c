import type { TerminalPart } from '../../terminal/terminal.ts';

export const terminal: TerminalPart = {
  commands: {
    run: {
      bisect: async () => (await import('./commands/bisect.ts')).bisectCommand,
      backfill: async () => (await import('./commands/backfill.ts')).backfillCommand,
    },
    report: {
      merge: async () => (await import('./commands/merge.ts')).mergeCommand,
      export: async () => (await import('./commands/export.ts')).exportCommand,
    },
  },
  groups: {
    history: {
      add: async () => (await import('./commands/history-add.ts')).historyAddCommand,
      note: async () => (await import('./commands/history-note.ts')).historyNoteCommand,
      page: async () => (await import('./commands/history-page.ts')).historyPageCommand,
      prune: async () => (await import('./commands/history-prune.ts')).historyPruneCommand,
    },
  },
  analyzeTable: async (...table) => (await import('./commands/analyze-table.ts')).analyzeTable(...table),
  reportSeveral: async (...several) => (await import('./commands/report-several.ts')).reportSeveral(...several),
  historyHint: async (...kept) => (await import('./commands/history-store.ts')).historyHint(...kept),
};
