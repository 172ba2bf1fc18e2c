import type { TerminalPart } from '../../terminal/terminal.ts';

export const terminal: TerminalPart = {
  commands: {
    compare: { init: async () => (await import('./commands/init.ts')).initCommand },
    noise: { doctor: async () => (await import('./commands/doctor.ts')).doctorCommand },
  },
  groups: {
    meter: {
      list: async () => (await import('./commands/meter-list.ts')).meterListCommand,
      watch: async () => (await import('./commands/meter-watch.ts')).meterWatchCommand,
      check: async () => (await import('./commands/meter-check.ts')).meterCheckCommand,
      compare: async () => (await import('./commands/meter-compare.ts')).meterCompareCommand,
      learn: async () => (await import('./commands/meter-learn.ts')).meterLearnCommand,
      emulate: async () => (await import('./commands/meter-emulate.ts')).meterEmulateCommand,
    },
  },
};
