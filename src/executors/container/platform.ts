/** Names of platforms that containerd takes for others (its function platforms.Normalize). */
const SPELLINGS: readonly (readonly [RegExp, string])[] = [
  [/\/x86_64\b/, '/amd64'],
  [/\/aarch64\b/, '/arm64'],
  [/\/(?:armhf|arm)$/, '/arm/v7'],
  [/\/arm\/(\d)$/, '/arm/v$1'],
  [/\/arm64\/v?8$/, '/arm64'],
  [/\/amd64\/v1$/, '/amd64'],
];

/** A platform by the names that engines give in their answers. */
export const normalPlatform = (platform: string): string =>
  SPELLINGS.reduce((text, [name, usual]) => text.replace(name, usual), platform);
