import { hasNews } from '../report/news.ts';
import type { Collected } from './collected.ts';
import type { Outcome } from './outcome.ts';

/** Whether the conversation has to hear of it: an older comment is brought up to date in any case. */
export function isNews({ analysis, error }: Outcome): boolean {
  return (error !== null && error !== undefined) || analysis === null || hasNews(analysis.findings);
}

/** The same of the results of several jobs; one that could not be taken is news. */
export function isCollectedNews({ results, refused }: Collected): boolean {
  return refused.length > 0 || results.some(({ findings }) => hasNews(findings));
}
