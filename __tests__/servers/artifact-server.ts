import { createHash } from 'node:crypto';
import { type Reply, type Request, type Server, serve } from './http.ts';

/**
 * Plays GitHub's artifact service, protocol v4: a Twirp service that hands out an upload address, and a blob store that
 * takes blocks and then the list that joins them. Names are immutable, as on GitHub.
 */
export interface ArtifactServer extends Server {
  /** Finished artifacts: name to zip archive. */
  readonly artifacts: Map<string, Buffer>;
  /** Names of the calls, in order. */
  readonly calls: string[];
  /** What a job needs in its environment. */
  readonly env: Readonly<Record<string, string>>;
  /** From now on every call fails with this status. */
  failWith(status: number, message: string): void;
  /** From now on no call is answered. */
  hang(): void;
  /** From now on blocks of archives are refused. */
  refuseBlocks(): void;
  /** From now on blocks are answered only once the returned function is called. */
  holdBlocks(): () => void;
  /** From now on artifacts that are not packed are refused, or get no answer. */
  onlyArchives(how: 'refuse' | 'hang'): void;
}

export async function startArtifactServer(): Promise<ArtifactServer> {
  const artifacts = new Map<string, Buffer>();
  const calls: string[] = [];
  const begun = new Map<string, { blocks: Map<string, Buffer>; archive: Buffer | null }>();
  let failure: Reply | null = null;
  let failureOfPages: Reply | null = null;
  let blocks: Promise<Reply | null> = Promise.resolve(null);

  const twirp = (method: string, request: Request): Reply => {
    calls.push(method);
    if (failure !== null) {
      return failure;
    }
    if (!request.headers.authorization?.startsWith('Bearer ')) {
      return { status: 401, json: { code: 'unauthenticated', msg: 'no bearer token' } };
    }
    const asked = JSON.parse(request.body.toString());
    if (method === 'CreateArtifact') {
      if (failureOfPages !== null && asked.mime_type !== 'application/zip') {
        return failureOfPages;
      }
      if (begun.has(asked.name)) {
        const msg = 'an artifact with this name already exists on the workflow run';
        return { status: 409, json: { code: 'already_exists', msg } };
      }
      begun.set(asked.name, { blocks: new Map(), archive: null });
      const signed = `${server.url}/blob/${encodeURIComponent(asked.name)}?sig=signature`;
      return { status: 200, json: { ok: true, signed_upload_url: signed } };
    }
    if (method === 'FinalizeArtifact') {
      const archive = begun.get(asked.name)?.archive;
      const digest = archive && `sha256:${createHash('sha256').update(archive).digest('hex')}`;
      if (!archive || Number(asked.size) !== archive.length || asked.hash !== digest) {
        return { status: 400, json: { code: 'invalid_argument', msg: 'size or hash is not of what was uploaded' } };
      }
      artifacts.set(asked.name, archive);
      return { status: 200, json: { ok: true, artifact_id: String(artifacts.size) } };
    }
    return { status: 404, json: { code: 'bad_route', msg: method } };
  };

  const blob = async (name: string, { url, body }: Request): Promise<Reply> => {
    const refusal = await blocks;
    if (refusal !== null) {
      return refusal;
    }
    const upload = begun.get(name);
    if (upload === undefined || url.searchParams.get('sig') !== 'signature') {
      return { status: 403 };
    }
    const kind = url.searchParams.get('comp');
    if (kind === 'block') {
      upload.blocks.set(url.searchParams.get('blockid') ?? '', body);
    } else {
      const ids = [...body.toString().matchAll(/<Latest>([^<]+)<\/Latest>/g)].map(([, id]) => id ?? '');
      upload.archive = kind === null ? body : Buffer.concat(ids.map((id) => upload.blocks.get(id) ?? Buffer.alloc(0)));
    }
    return { status: 201, headers: { etag: '"1"', 'last-modified': new Date(0).toUTCString() } };
  };

  const server = await serve((request) => {
    const path = request.url.pathname;
    const method = /^\/twirp\/github\.actions\.results\.api\.v1\.ArtifactService\/(\w+)$/.exec(path)?.[1];
    const name = /^\/blob\/(.+)$/.exec(path)?.[1];
    if (method !== undefined) {
      return twirp(method, request);
    }
    return name === undefined ? { status: 404 } : blob(decodeURIComponent(name), request);
  });
  const claims = { scp: 'Actions.Results:run-backend-id:job-backend-id' };
  const token = [{ alg: 'none' }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'));
  return {
    ...server,
    artifacts,
    calls,
    env: {
      ACTIONS_RUNTIME_URL: `${server.url}/`,
      ACTIONS_RESULTS_URL: `${server.url}/`,
      ACTIONS_RUNTIME_TOKEN: [...token, 'signature'].join('.'),
    },
    failWith: (status, msg) => {
      failure = { status, json: { code: 'failed', msg } };
    },
    hang: () => {
      failure = { status: 200, instead: 'hang' };
    },
    refuseBlocks: () => {
      blocks = Promise.resolve({ status: 403 });
    },
    holdBlocks: () => {
      const gate = Promise.withResolvers<null>();
      blocks = gate.promise;
      return () => gate.resolve(null);
    },
    onlyArchives: (how) => {
      const refusal = { status: 400, json: { code: 'invalid_argument', msg: 'mime_type is not known' } };
      failureOfPages = how === 'hang' ? { status: 200, instead: 'hang' } : refusal;
    },
  };
}
