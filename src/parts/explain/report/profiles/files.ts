import type { ProfileTree } from '../../analysis/tree.ts';
import { folded } from './folded.ts';
import { pprof } from './pprof.ts';
import { speedscope } from './speedscope.ts';

export interface ProfileFile {
  readonly name: string;
  readonly content: string | Uint8Array | Iterable<string>;
}

/** Files for profile viewers: folded stacks and a pprof profile for each variant, and one speedscope file for all of them. */
export function* profileFiles(tree: ProfileTree, title: string): Generator<ProfileFile> {
  for (const [of, { name }] of tree.variants.entries()) {
    const file = `${of + 1}-${name.replace(/[^A-Za-z0-9._-]/g, '_').slice(0, 60)}`;
    yield { name: `${file}.folded`, content: folded(tree, of) };
    yield { name: `${file}.pb.gz`, content: pprof(tree, of) };
  }
  yield { name: 'speedscope.json', content: speedscope(tree, title) };
}

/** Whether a file belongs to an earlier report. */
export const isProfileFile = (name: string): boolean => /^(?:\d+-.*\.(?:folded|pb\.gz)|speedscope\.json)$/.test(name);
