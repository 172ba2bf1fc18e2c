// Class: world.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { MACHINE_LABEL, machineMark, OWNER_LABEL } from '../../src/processes/labels.ts';

const ENGINE = readFileSync(new URL('../../src/hosts/helper/engine.py', import.meta.url), 'utf8');

const frame = (text: string): Buffer => {
  const head = Buffer.alloc(8);
  head[0] = 1;
  head.writeUInt32BE(Buffer.byteLength(text), 4);
  return Buffer.concat([head, Buffer.from(text)]);
};

/** What came from the engine at once, as the helper takes it: what it writes down, in how many writes, and what it keeps for later. */
function taken(came: Buffer): { readonly text: string; readonly writes: number; readonly rest: string } {
  const program = `import base64, json, os, select, sys, tempfile, time
${ENGINE}
output, path = tempfile.mkstemp()
os.unlink(path)
run = {"printing": base64.b64decode(sys.stdin.read())}
write, writes = os.write, []
def counted(number, data):
    writes.append(number)
    return write(number, data)
os.write = counted
take_frames()
take_frames()
size = os.fstat(output).st_size
print(json.dumps({"text": os.pread(output, size, 0).decode(), "writes": len(writes), "rest": base64.b64encode(run["printing"]).decode()}))
`;
  const input = came.toString('base64');
  return JSON.parse(execFileSync('python3', ['-I', '-c', program], { input, encoding: 'utf8' }));
}

it('writes many small frames down at once, since a workload runs beside it, and keeps one that is not all there', () => {
  const lines = Array.from({ length: 2000 }, (_, i) => `line ${i}\n`);
  const begun = frame('of which the end has not come').subarray(0, -3);
  expect(taken(Buffer.concat([...lines.map(frame), frame(''), begun]))).toEqual({
    text: lines.join(''),
    writes: 1,
    rest: begun.toString('base64'),
  });
});

it.each([[''], ['begun'], ['only the first of eight']])('keeps %j, which holds no whole frame', (text) => {
  const came = text === '' ? Buffer.alloc(0) : frame(text).subarray(0, text === 'begun' ? 5 : -1);
  expect(taken(came)).toEqual({ text: '', writes: 0, rest: came.toString('base64') });
});

it.each([
  ['this machine', 'id', 'id', true],
  ['another machine', 'id', 'other', false],
  ['a machine that nobody named', 'id', '', false],
  ['a machine without a name, on another', '', '', false],
])('judges what an earlier boot of %s left', (_, here, there, expected) => {
  const labels = { [OWNER_LABEL]: 'aa-1:1:1:1', [MACHINE_LABEL]: machineMark(there) };
  const program = `import json, os, sys, time
${ENGINE}
OWNER_LABEL, MACHINE_LABEL = ${JSON.stringify(OWNER_LABEL)}, ${JSON.stringify(MACHINE_LABEL)}
owner_token = lambda: "bb-2:1:1:1"
text_of = lambda path: ${JSON.stringify(here)}
print(json.dumps(is_abandoned({"Labels": ${JSON.stringify(labels)}, "State": "created", "Created": 0})))
`;
  expect(JSON.parse(execFileSync('python3', ['-I', '-c', program], { encoding: 'utf8' }))).toBe(expected);
});
