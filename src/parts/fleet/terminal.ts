import type { TerminalPart } from '../../terminal/terminal.ts';
import { analyzeTable } from './commands/analyze-table.ts';
import { exportCommand } from './commands/export.ts';
import { historyAddCommand } from './commands/history-add.ts';
import { historyPageCommand } from './commands/history-page.ts';
import { historyPruneCommand } from './commands/history-prune.ts';
import { historyHint } from './commands/history-store.ts';
import { mergeCommand } from './commands/merge.ts';
import { reportSeveral } from './commands/report-several.ts';

export const terminal: TerminalPart = {
  commands: { report: [mergeCommand, exportCommand] },
  groups: { history: [historyAddCommand, historyPageCommand, historyPruneCommand] },
  analyzeTable,
  reportSeveral,
  historyHint,
};
