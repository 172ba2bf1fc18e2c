// A process of its own that publishes a comment for every line of JSON that it reads, and answers each with a line.
import { createInterface } from 'node:readline';
import { LIMITS } from '../../src/forge/api.ts';
import { publishComment } from '../../src/forge/comment.ts';

console.log('ready');
for await (const line of createInterface({ input: process.stdin })) {
  const { request, limits } = JSON.parse(line);
  console.log(JSON.stringify(await publishComment(request, { ...LIMITS, ...limits })));
}
