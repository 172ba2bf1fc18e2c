/** Version of joulediff, as in package.json (a test keeps the two alike). */
export const VERSION = '0.1.0';
