// The licenses of everything that is bundled: dist/ is a copy of those packages, and their licenses ask to stand beside it.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const licenseFile = /^(licen[cs]e|copying|notice)/i;
const line = '-'.repeat(80);

/** Folders of the packages that own the files, sorted. */
function listPackageFolders(files) {
  const folders = files.map((file) => file.match(/^.*node_modules\/(?:@[^/]+\/)?[^/]+/)?.[0]);
  return [...new Set(folders.filter(Boolean))].sort();
}

async function licenseOf(folder) {
  const { name, version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const files = (await readdir(folder)).filter((file) => licenseFile.test(file)).sort();
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  if (texts.length === 0 && !license) {
    throw new Error(`${name}@${version} declares no license: it cannot be bundled`);
  }
  const text = texts.map((each) => each.replaceAll('\r\n', '\n').trim()).join('\n\n');
  return { title: `${name}@${version} (${license ?? 'see below'})`, text };
}

/**
 * One text with the license of every package that `files` (paths in the checkout `root`) come from; packages with the
 * same words share them. A package that ships no license file is named with the license that its package.json declares;
 * throws where there is neither.
 */
export async function collectLicenses(root, files) {
  const titlesByText = new Map();
  for (const folder of listPackageFolders(files)) {
    const { title, text } = await licenseOf(join(root, folder));
    titlesByText.set(text, (titlesByText.get(text) ?? new Set()).add(title));
  }
  const parts = [...titlesByText].map(([text, titles]) => `${line}\n${[...titles].join('\n')}\n\n${text}`.trim());
  return `dist/ holds copies of these packages, each under its own license.\n\n${parts.join('\n\n')}\n`;
}
