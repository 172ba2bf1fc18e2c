/** When there is a comment: always; only where something changed, crossed a threshold or failed; never. */
export const COMMENT_MODES = ['always', 'changes', 'never'] as const;

export type CommentMode = (typeof COMMENT_MODES)[number];
