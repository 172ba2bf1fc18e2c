/** Version of joulediff, as in package.json (a test keeps the two alike). */
export const VERSION = '0.1.0';

/** The repository that workflows name, as in package.json. It has the placeholder OWNER until joulediff is released from a repository. */
export const REPOSITORY = 'OWNER/joulediff';
