export { runPost } from './action/post.ts';
