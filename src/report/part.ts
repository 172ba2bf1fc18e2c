import type { Analysis } from '../analysis/results.ts';
import type { StoreReader } from '../store/records.ts';
import type { ResultFolder } from '../system/result-folder.ts';
import type { Block } from './document/blocks.ts';

/** A figure of report.html and what its script draws it from. */
export interface PageFigure {
  readonly block: Block;
  /** JSON that lies in the page beside its own data. */
  readonly data: unknown;
}

/** What a part adds to the files of one result. */
export interface AddedFiles {
  /** Below the section of what observed runs tell; null: these data allow none. */
  readonly figure: PageFigure | null;
  /** Writes its own files, and removes those that an earlier report left; gives the text of the experiment that could show a cause, or null. */
  write(folder: ResultFolder, reader?: StoreReader): Promise<string | null>;
}

/** What an optional part adds to the files of a result: its pictures are made once for all of them. */
export type ReportPart = (analysis: Analysis) => Promise<AddedFiles>;
