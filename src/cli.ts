export { main } from './terminal/program.ts';
