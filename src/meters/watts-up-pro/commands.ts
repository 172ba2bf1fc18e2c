/**
 * Every byte sequence that this driver can send; nothing else is ever written to the port. None of them changes the
 * meter's settings or clears its memory (Communications Protocol rev. 1.8, part II: `#C,W`, `#S,W`, `#L,W,3,I`, `#R,W` and `#O,W` would).
 */
export const COMMANDS = {
  /** Control-X: forget a half-received command of whoever used the port before. */
  abort: '\x18',
  version: '#V,R,0;',
  loggedFields: '#C,R,0;',
  /** External logging every second. */
  startLogging: '#L,W,3,E,1,1;',
  /** The same with the reserved argument left empty, which some firmware wants. */
  startLoggingEmpty: '#L,W,3,E,,1;',
  stopLogging: '#L,R,0;',
} as const;

export type CommandName = keyof typeof COMMANDS;
