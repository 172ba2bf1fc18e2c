import type { Analysis } from '../../../analysis/results.ts';
import type { Findings } from '../../../findings/findings.ts';
import { page } from '../../../report/charts/canvas/theme.ts';
import type { PageFigure, ReportPart } from '../../../report/part.ts';
import type { StoreReader } from '../../../store/reader.ts';
import { RESULT_FILES } from '../../../system/result-files.ts';
import type { ResultFolder } from '../../../system/result-folder.ts';
import { type ProfileTree, profileTree } from '../analysis/tree.ts';
import { confirmingFile } from './confirm.ts';
import { FLAME, firstPair, flameCaption } from './flame/flame.ts';
import { cutText, flameSvg } from './flame/static.ts';
import { pageProfile } from './page-profile.ts';
import { isProfileFile, profileFiles } from './profiles/files.ts';

/** The flame graph of report.html, confirm.yml, and the files in profiles/. */
export const addToReport: ReportPart = async (analysis) => {
  const tree = treeOf(analysis);
  return {
    figure: flameFigure(analysis.findings, tree),
    async write(folder, reader) {
      const confirm = await writeConfirm(analysis, folder, reader);
      await writeProfiles(tree, analysis.findings.experiment.name, folder);
      return confirm;
    },
  };
};

/** Variants in the order of the experiment, whatever the order of the runs. */
const treeOf = ({ observed, findings }: Analysis): ProfileTree | null =>
  profileTree(
    observed ?? [],
    findings.variants.map(({ name }) => name),
  );

function flameFigure(findings: Findings, tree: ProfileTree | null): PageFigure | null {
  const profile = pageProfile(tree);
  const pair = profile && firstPair(findings, profile);
  if (profile === null || pair === null) return null;
  const caption = [`${flameCaption(profile)}${cutText(profile, pair)}`];
  return { block: { kind: 'figure', id: FLAME, svg: flameSvg(profile, pair, page), caption }, data: profile };
}

async function writeConfirm(
  { findings: { explanation } }: Analysis,
  folder: ResultFolder,
  reader?: StoreReader,
): Promise<string | null> {
  const confirm = explanation && reader ? confirmingFile(explanation, reader.definition()) : null;
  if (confirm === null) folder.remove(RESULT_FILES.confirm);
  else await folder.replace(RESULT_FILES.confirm, confirm);
  return confirm;
}

async function writeProfiles(tree: ProfileTree | null, title: string, folder: ResultFolder): Promise<void> {
  if (tree === null && !folder.names().includes(RESULT_FILES.profiles)) return;
  {
    using profiles = folder.folder(RESULT_FILES.profiles);
    const earlier = new Set(profiles.names().filter(isProfileFile));
    if (tree !== null) {
      for (const { name, content } of profileFiles(tree, title)) {
        await profiles.replace(name, content);
        earlier.delete(name);
      }
    }
    for (const name of earlier) profiles.remove(name);
  }
  if (tree === null) folder.removeEmpty(RESULT_FILES.profiles);
}
