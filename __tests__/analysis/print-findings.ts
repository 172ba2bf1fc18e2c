// Prints the findings of a database, and on a first line what the process takes for its place and language.
import { analyzeStore } from '../../src/analysis/analyze.ts';
import { findingsJson } from '../../src/report/findings-json.ts';
import { openStore } from '../../src/store/reader.ts';

const { locale, timeZone } = Intl.DateTimeFormat().resolvedOptions();
const reader = openStore(process.argv[2] as string);
process.stdout.write(`${locale} ${timeZone}\n${findingsJson(analyzeStore(reader).findings)}`);
reader.close();
