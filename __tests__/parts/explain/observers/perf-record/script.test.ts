// Class: system.
import { expect, it } from '@jest/globals';
import { ScriptReader } from '../../../../../src/parts/explain/observers/perf-record/script.ts';

// As perf 6.1 wrote it, but for two names.
const TEXT = `57809.833019600:    2004008 
\tffffffff815698c8 __x64_sys_write+0x10 ([kernel.kallsyms])
\t           f8350 __GI___libc_write (/usr/lib/x86_64-linux-gnu/libc.so.6)

57809.835025149:    2004008 
\t           f8350 __GI___libc_write (/usr/lib/x86_64-linux-gnu/libc.so.6)
\t            1139 std::vector<int (*)(char)>::at(unsigned long) (/opt/a (new)/prog (deleted))
\t    7f0012345678 [unknown] ([unknown])

 9.000000001:    1000 
\tffffffff815698c8 __x64_sys_write+0x10 ([kernel.kallsyms])
\t           f8350 __GI___libc_write (/usr/lib/x86_64-linux-gnu/libc.so.6)
`;

const ALWAYS = { startNs: 0n, endNs: 2n ** 62n };

it('every sample has its time, what it stands for, and its frames, the outermost first', () => {
  const reader = new ScriptReader(ALWAYS);
  for (const line of TEXT.split('\n')) reader.take(line);
  reader.end();
  const libc = '/usr/lib/x86_64-linux-gnu/libc.so.6';
  const write = [
    { name: '__GI___libc_write', library: libc },
    { name: '__x64_sys_write+0x10', library: '[kernel.kallsyms]' },
  ];
  expect(reader.samples).toEqual([
    { tNs: 57_809_833_019_600n, weightNs: 2_004_008, frames: write },
    {
      tNs: 57_809_835_025_149n,
      weightNs: 2_004_008,
      frames: [
        { name: '[unknown]', library: null },
        { name: 'std::vector<int (*)(char)>::at(unsigned long)', library: '/opt/a (new)/prog' },
        { name: '__GI___libc_write', library: libc },
      ],
    },
    { tNs: 9_000_000_001n, weightNs: 1000, frames: write },
  ]);
  expect(reader.samples[2]?.frames).toBe(reader.samples[0]?.frames);
});

it('half a sample at the end, and lines of something else, are nothing', () => {
  const reader = new ScriptReader(ALWAYS);
  for (const line of ['Warning: of perf', '\tffff x (y)', '', '1.000000000:  5 ', '']) reader.take(line);
  reader.end();
  expect(reader.samples).toEqual([]);
});

it('what is outside the window is left out, and more than is kept is told', () => {
  const at = 57_809_833_019_600n;
  const read = (most: number) => {
    const reader = new ScriptReader({ startNs: at, endNs: at + 10n ** 10n }, most);
    for (const line of TEXT.split('\n')) reader.take(line);
    reader.end();
    return { times: reader.samples.map(({ tNs }) => tNs), isFull: reader.isFull };
  };
  expect(read(2)).toEqual({ times: [at, 57_809_835_025_149n], isFull: false });
  expect(read(1)).toEqual({ times: [at], isFull: true });
});
