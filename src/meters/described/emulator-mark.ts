/** What an emulator of a described meter sends before each reading; a line of its own where readings are lines. No meter sends it. */
export const EMULATOR_MARK = 'joulediff emulator';

/** The same as a key of a JSON document. */
export const EMULATOR_KEY = 'joulediff emulator';

/** The same in two registers that no meter has: "JOUL" at 0x4A44. */
export const EMULATOR_REGISTER = { address: 0x4a44, value: 0x4a4f554c } as const;
