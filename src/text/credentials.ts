/** Credentials by their look: names of variables that hold them, and values whose form their makers document. */

const NAME =
  /(?:^|_)(?:TOKEN|SECRETS?|PASSPHRASE|PASSWD|PWD|CREDENTIALS?|COOKIE|AUTH|DSN)(?:_|$)|PASSWORD|(?:API|ACCESS|PRIVATE|SECRET|SIGNING|ENCRYPTION|DEPLOY|ACCOUNT|SAS)_?KEY|CONNECTION_STRING/i;
/** Variables of every shell that only look alike. */
const HARMLESS = /^(?:PWD|OLDPWD)$/;

/** Whether a variable with this name holds a credential, as far as a name tells. */
export function isSecretName(name: string): boolean {
  return NAME.test(name) && !HARMLESS.test(name);
}

/** Values that are credentials wherever they stand; with two groups, the second one is, and the first stays. */
const VALUES: readonly RegExp[] = [
  /gh[oprsu]_[\w.-]{20,}/g, // GitHub
  /github_pat_\w{20,}/g,
  /gl(?:pat|ptt|rt|soat|cbt)-[\w.-]{20,}/g, // GitLab
  /(?<![A-Za-z0-9])(?:npm_[A-Za-z0-9]{36}|hf_[A-Za-z0-9]{30,}|dckr_pat_[\w-]{20,}|shpat_[0-9a-f]{32})(?![A-Za-z0-9])/g,
  /(?<![A-Za-z0-9])(?:pypi-AgE|sk-(?=[\w-]*\d)|[sr]k_live_)[\w-]{20,}/g,
  /(?<![A-Za-z0-9])xox[abeoprs]-[\w-]{10,}/g, // Slack
  /(?<![A-Za-z0-9])(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])/g, // AWS
  /(?<![A-Za-z0-9])AIza[\w-]{35}/g, // Google
  /(?<![\w-])eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}/g, // JSON Web Token
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[^-]{1,16000}(?:-----END [A-Z ]{0,40}PRIVATE KEY-----)?/g,
  /(:\/\/[^\s:/@]{0,200}:)([^\s/@]{1,500})(?=@)/g, // https://user:password@host
  /(authorization:\s{0,5}(?:basic|bearer|token)\s{1,5})([\w.~+/=-]{8,})/gi,
];
/** A line of `env` or `set -x`. */
const ASSIGNMENT = /(?<![A-Za-z0-9_])([A-Za-z_][A-Za-z0-9_]{0,100})=(["']?)([^\s"']{4,})/g;

/** Whether a value is a credential by its own look. */
export function isSecretValue(value: string): boolean {
  return VALUES.some((pattern) => value.search(pattern) >= 0);
}

/** Shorter values are words that stand everywhere. */
const SHORTEST_KNOWN = 6;

/**
 * The text with what is or looks like a credential made unreadable. `known`: values that are none by their look.
 * `mask`: what takes the place of one; as many characters as it has, where places in a file must not move.
 */
export function maskSecrets(
  text: string,
  known: readonly string[] = [],
  mask: (secret: string) => string = () => '***',
): string {
  let masked = text;
  for (const value of known) {
    if (value.length >= SHORTEST_KNOWN) masked = masked.replaceAll(value, mask);
  }
  for (const pattern of VALUES) {
    masked = masked.replace(pattern, (all, before: unknown, secret: unknown) =>
      typeof before === 'string' && typeof secret === 'string' ? before + mask(secret) : mask(all),
    );
  }
  return masked.replace(ASSIGNMENT, (all, name: string, quote: string, value: string) =>
    isSecretName(name) && !/^\*+$/.test(value) ? `${name}=${quote}${mask(value)}` : all,
  );
}
