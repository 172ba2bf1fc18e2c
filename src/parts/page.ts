import { showPage } from '../report/page/page.ts';
import { flamePage } from './explain/report/page/flame-viewer.ts';

// The program of report.html with what the parts add to it.
showPage([flamePage]);
