import { runPost as post } from './action/post.ts';
import { PARTS } from './parts/all.ts';

export const runPost = (): Promise<void> => post(PARTS);
