import { ownerToken } from '../leftovers/owner.ts';

/** Whatever carries this label was made by joulediff, and is removed by it. Never put on an image: containers inherit its labels. */
export const EXPERIMENT_LABEL = 'joulediff.experiment';
export const RUN_LABEL = 'joulediff.run';
export const OWNER_LABEL = 'joulediff.owner';

/** Label of an image that was built, with its tag: an earlier one of the same tag is removed by it. Containers inherit it, which means nothing. */
export const IMAGE_LABEL = 'joulediff.image';

/** Labels of a container, network or volume of this process. */
export function labelsOf(experimentId: string, runId: number | null): Record<string, string> {
  const run: Record<string, string> = runId === null ? {} : { [RUN_LABEL]: String(runId) };
  return { [EXPERIMENT_LABEL]: experimentId, ...run, [OWNER_LABEL]: ownerToken() };
}
