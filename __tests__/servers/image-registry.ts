import { createHash } from 'node:crypto';
import { type Reply, type Request, serve } from './http.ts';

/** A registry that takes what `docker push` sends, and keeps it in memory. Engines take any on 127.0.0.1 without TLS. */
export interface ImageRegistry {
  /** `127.0.0.1:PORT`. */
  readonly host: string;
  close(): Promise<void>;
}

export async function startImageRegistry(): Promise<ImageRegistry> {
  const blobs = new Map<string, Buffer>();
  const uploads = new Map<string, Buffer>();
  /** By `NAME TAG` and by digest. */
  const manifests = new Map<string, { type: string; bytes: Buffer }>();
  const unknown: Reply = { status: 404, json: { errors: [{ code: 'MANIFEST_UNKNOWN', message: 'manifest unknown' }] } };

  const given = (method: string, bytes: Buffer, type: string): Reply => ({
    status: 200,
    headers: {
      'content-type': type,
      'content-length': String(bytes.length),
      'docker-content-digest': digestOf(bytes),
    },
    body: method === 'HEAD' ? Buffer.alloc(0) : bytes,
  });

  function upload({ method, url, body }: Request, at: string): Reply {
    const id = method === 'POST' ? String(uploads.size + 1) : at;
    const bytes = Buffer.concat([uploads.get(id) ?? Buffer.alloc(0), body]);
    uploads.set(id, bytes);
    const digest = url.searchParams.get('digest');
    if (method === 'PUT' && digest !== null) {
      if (digestOf(bytes) !== digest) return { status: 400, json: { errors: [{ code: 'DIGEST_INVALID' }] } };
      blobs.set(digest, bytes);
      return { status: 201, headers: { 'docker-content-digest': digest } };
    }
    const location = `${url.pathname.replace(/\/uploads\/.*$/, '')}/uploads/${id}`;
    return {
      status: 202,
      headers: { location, range: `0-${Math.max(0, bytes.length - 1)}`, 'docker-upload-uuid': id },
    };
  }

  const server = await serve((request) => {
    const { method, url, headers, body } = request;
    const [, name, kind, rest = ''] = /^\/v2\/(.+)\/(blobs|manifests)\/(.+)$/.exec(url.pathname) ?? [];
    if (kind === undefined) return { status: 200, json: {} };
    if (kind === 'blobs' && rest.startsWith('uploads/')) return upload(request, rest.slice('uploads/'.length));
    if (kind === 'blobs') {
      const bytes = blobs.get(rest);
      return bytes === undefined ? unknown : given(method, bytes, 'application/octet-stream');
    }
    if (method === 'PUT') {
      const made = { type: String(headers['content-type']), bytes: body };
      for (const key of [`${name} ${rest}`, digestOf(body)]) manifests.set(key, made);
      return { status: 201, headers: { 'docker-content-digest': digestOf(body) } };
    }
    const found = manifests.get(rest) ?? manifests.get(`${name} ${rest}`);
    return found === undefined ? unknown : given(method, found.bytes, found.type);
  });
  return { host: new URL(server.url).host, close: server.close };
}

const digestOf = (bytes: Buffer): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
