import { showPage } from '../report/page/page.ts';
import { flamePage } from './explain/report/page/flame-viewer.ts';

// The script of report.html, with the additions of the parts.
showPage([flamePage]);
