import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Limits } from '../../src/forge/api.ts';
import type { CommentRequest, CommentResult } from '../../src/forge/comment.ts';

const script = fileURLToPath(new URL('publisher.ts', import.meta.url));

/** A process that publishes comments, as a job of its own does. */
export interface Publisher {
  publish(request: CommentRequest, limits?: Partial<Limits>): Promise<CommentResult>;
  end(): void;
}

export async function startPublisher(): Promise<Publisher> {
  const env = { ...process.env, NODE_OPTIONS: '' };
  const child: ChildProcess = spawn(process.execPath, [script], { env, stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
  const next = async (): Promise<string> => {
    const { value, done } = await lines.next();
    if (done) throw new Error('the publishing process has ended');
    return value;
  };
  await next();
  return {
    publish: async (request, limits = {}) => {
      child.stdin!.write(`${JSON.stringify({ request, limits })}\n`);
      return JSON.parse(await next());
    },
    end: () => child.kill(),
  };
}
