export { run } from './action/run.ts';
