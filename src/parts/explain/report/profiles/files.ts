import type { ProfileTree } from '../../analysis/tree.ts';
import { chromeTrace } from './chrome-trace.ts';
import { folded } from './folded.ts';
import { pprof } from './pprof.ts';
import { speedscope } from './speedscope.ts';

export interface ProfileFile {
  readonly name: string;
  readonly content: string | Uint8Array | Iterable<string>;
}

/** What tools for profiles open: of each variant folded stacks and a profile of pprof, and of all together one of speedscope and one of Chrome. */
export function* profileFiles(tree: ProfileTree, title: string): Generator<ProfileFile> {
  for (const [of, { name }] of tree.variants.entries()) {
    const file = `${of + 1}-${name.replace(/[^A-Za-z0-9._-]/g, '_').slice(0, 60)}`;
    yield { name: `${file}.folded`, content: folded(tree, of) };
    yield { name: `${file}.pb.gz`, content: pprof(tree, of) };
  }
  yield { name: 'speedscope.json', content: speedscope(tree, title) };
  yield { name: 'trace.json', content: chromeTrace(tree) };
}

/** Whether a file is of an earlier report. */
export const isProfileFile = (name: string): boolean =>
  /^(?:\d+-.*\.(?:folded|pb\.gz)|speedscope\.json|trace\.json)$/.test(name);
