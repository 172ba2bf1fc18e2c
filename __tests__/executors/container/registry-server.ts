import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import tar from 'tar-fs';

const MANIFEST = 'application/vnd.docker.distribution.manifest.v2+json';

export interface ImageRegistry {
  /** `localhost:PORT/name`, tag `latest`. */
  readonly repository: string;
  readonly digest: string;
  /** Tags that were asked for. */
  readonly asked: string[];
  close(): Promise<void>;
}

/** A registry with one image of one layer that holds one file of a text. */
export async function serveImage(text: string): Promise<ImageRegistry> {
  const packed = tar.pack('/', {
    entries: [],
    finalize: false,
    finish: (pack) => {
      pack.entry({ name: 'text' }, text);
      pack.finalize();
    },
  });
  const layer = await buffer(packed as unknown as AsyncIterable<Buffer>);
  const zipped = gzipSync(layer);
  const config = Buffer.from(
    JSON.stringify({
      architecture: process.arch === 'arm64' ? 'arm64' : 'amd64',
      os: 'linux',
      config: { Cmd: ['/text'] },
      rootfs: { type: 'layers', diff_ids: [digestOf(layer)] },
      history: [{ created: '2026-01-01T00:00:00Z' }],
    }),
  );
  const blob = (mediaType: string, bytes: Buffer) => ({ mediaType, size: bytes.length, digest: digestOf(bytes) });
  const manifest = Buffer.from(
    JSON.stringify({
      schemaVersion: 2,
      mediaType: MANIFEST,
      config: blob('application/vnd.docker.container.image.v1+json', config),
      layers: [blob('application/vnd.docker.image.rootfs.diff.tar.gzip', zipped)],
    }),
  );
  const blobs = new Map([config, zipped].map((bytes) => [digestOf(bytes), bytes]));
  const digest = digestOf(manifest);
  const asked: string[] = [];
  const server: Server = createServer((request, response) => {
    const path = request.url ?? '';
    const tag = /\/manifests\/([^/]+)$/.exec(path)?.[1];
    const bytes = tag === undefined ? blobs.get(path.split('/').at(-1) ?? '') : manifest;
    if (tag !== undefined) asked.push(tag);
    if (path === '/v2/') return response.end('{}');
    if (bytes === undefined || (tag !== undefined && !['latest', digest].includes(tag))) {
      response.writeHead(404, { 'Content-Type': 'application/json' });
      return response.end('{"errors":[{"code":"MANIFEST_UNKNOWN","message":"manifest unknown"}]}');
    }
    const type = tag === undefined ? 'application/octet-stream' : MANIFEST;
    response.writeHead(200, {
      'Content-Type': type,
      'Content-Length': bytes.length,
      'Docker-Content-Digest': digestOf(bytes),
    });
    return response.end(request.method === 'HEAD' ? undefined : bytes);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const close = () =>
    new Promise<void>((done) => {
      server.close(() => done());
      server.closeAllConnections();
    });
  return { repository: `localhost:${port}/one`, digest, asked, close };
}

function digestOf(bytes: Buffer): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}
