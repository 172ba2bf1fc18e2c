import { timeText } from '../../../../report/words/explain.ts';
import { VERSION } from '../../../../version.ts';
import type { ProfileTree } from '../../analysis/tree.ts';
import { safeName, selfTimes } from './walk.ts';

/** Every phase of every variant as a profile of its own, for https://www.speedscope.app; seconds of processors or threads, the mean of a run. */
export function speedscope(tree: ProfileTree, title: string): string {
  const frames: { name: string; file: string }[] = [];
  const places = new Map<string, number>();
  const place = (name: string, file: string): number => {
    const key = `${file}\n${name}`;
    const found = places.get(key) ?? frames.push({ name: safeName(name), file: safeName(file) }) - 1;
    places.set(key, found);
    return found;
  };
  const profiles = tree.variants.flatMap(({ name: variant }, of) =>
    [...Map.groupBy(selfTimes(tree, of), ({ phase }) => phase)].map(([phase, spent]) => {
      const weights = spent.map(({ seconds }) => seconds);
      return {
        type: 'sampled',
        name: safeName(phase === null ? variant : `${variant}: ${phase}`),
        unit: 'seconds',
        startValue: 0,
        endValue: weights.reduce((sum, weight) => sum + weight, 0),
        samples: spent.map(({ path }) => path.map(({ name, file }) => place(name, file))),
        weights,
      };
    }),
  );
  // Time outside of phases is often negligible, so the viewer opens with the longest profile.
  const longest = Math.max(0, ...profiles.map(({ endValue }) => endValue));
  return JSON.stringify({
    $schema: 'https://www.speedscope.app/file-format-schema.json',
    name: safeName(`${title} (${timeText(tree.time)})`),
    activeProfileIndex: Math.max(
      0,
      profiles.findIndex(({ endValue }) => endValue === longest),
    ),
    exporter: `joulediff ${VERSION}`,
    shared: { frames },
    profiles,
  });
}
