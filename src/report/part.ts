import type { Analysis } from '../analysis/results.ts';
import type { StoreReader } from '../store/reader.ts';
import type { ResultFolder } from '../system/result-folder.ts';
import type { Block } from './document/blocks.ts';

/** A figure of report.html and its data. */
export interface PageFigure {
  readonly block: Block;
  /** JSON embedded in the page beside the page's own data. */
  readonly data: unknown;
}

/** Files that a part adds to a result. */
export interface AddedFiles {
  /** Figure below the section about observed runs; null: the data don't allow one. */
  readonly figure: PageFigure | null;
  /** Writes its files and removes those of an earlier report; returns the text of an experiment that could confirm a cause, or null. */
  write(folder: ResultFolder, reader?: StoreReader): Promise<string | null>;
}

/** What an optional part adds to the files of a result: figures are made once for all of them. */
export type ReportPart = (analysis: Analysis) => Promise<AddedFiles>;
