// Class: system.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { Description } from '../../../../src/meters/described/description.ts';
import { descriptionOf } from '../../../../src/parts/bench/commands/meter-learn.ts';

const CLI = fileURLToPath(new URL('../../../../src/cli.ts', import.meta.url));

it('says when the meter has fallen silent, and ends though its terminal stays open', async () => {
  let answers = 0;
  const server = createServer((question, answer) => {
    if (answers++ === 0) answer.end('{"power":12}');
    else question.socket.destroy();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const place = `http://127.0.0.1:${(server.address() as AddressInfo).port}/status`;
  const words = JSON.stringify(['meter', 'learn', `${place}?password=geheim`]);
  const program = `import { main } from ${JSON.stringify(CLI)}; process.exitCode = await main(${words});`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['pipe', 'ignore', 'pipe'] });
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  child.stdin.write('60\n');
  const [code] = await once(child, 'close');
  server.close();
  expect(stderr).toContain(`${place}?password=*** has sent nothing for 5 s.`);
  expect(code).toBe(3);
}, 60_000);

it.each([
  [50, 1],
  [4, 1],
  [1, 5],
])('describes a meter that sent %i readings in 5 s as one with a new value every %i s', (readings, seconds) => {
  const proposal = {
    framing: { line: { separator: ',', starts: '' } },
    power: { at: 2, type: 'uint16', order: 'high-first', scale: 0.1 },
    marks: [{ watts: 60, read: 60, readings }],
    error: 0,
    others: 0,
  } as const;
  const text = descriptionOf(proposal, { name: 'My meter', address: '/dev/ttyUSB0', serial: { baud: 9600 } });
  expect(Description.parse(parse(text))).toMatchObject({ renewed: seconds, power: { at: 2, scale: 0.1 } });
});
