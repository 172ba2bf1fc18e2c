import { join } from 'node:path';
import { emulatedDevices } from '../../src/meters/registry.ts';
import { type Program, start } from './program.ts';

/** Starts an emulated meter on a port in this folder, or in the network; its name comes with it. */
export async function emulate(
  folder: string,
  env: NodeJS.ProcessEnv,
  type: string,
  ...words: string[]
): Promise<Program & { name: string }> {
  const where = emulatedDevices.some((device) => device.type === type) ? [] : ['--link', join(folder, type)];
  const program = start(['meter', 'emulate', type, ...where, ...words], env);
  await program.until(
    ({ stdout, stderr }) => stdout().endsWith('\n') && stderr().includes('Press Ctrl-C to stop it.\n'),
  );
  return { ...program, name: program.stdout().trim() };
}
