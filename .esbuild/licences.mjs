// The licences of everything that is bundled: dist/ is a copy of those packages, and their licences ask to stand beside it.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const licenceFile = /^(licen[cs]e|copying|notice)/i;
const line = '-'.repeat(80);

/** Folders of the packages that own the files, sorted. */
function packagesOf(files) {
  const folders = files.map((file) => file.match(/^.*node_modules\/(?:@[^/]+\/)?[^/]+/)?.[0]);
  return [...new Set(folders.filter(Boolean))].sort();
}

async function licenceOf(folder) {
  const { name, version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const files = (await readdir(folder)).filter((file) => licenceFile.test(file)).sort();
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  if (texts.length === 0 && !license) {
    throw new Error(`${name}@${version} declares no licence: it cannot be bundled`);
  }
  const text = texts.map((each) => each.replaceAll('\r\n', '\n').trim()).join('\n\n');
  return { title: `${name}@${version} (${license ?? 'see below'})`, text };
}

/**
 * One text with the licence of every package that `files` (paths in the checkout `root`) come from; packages with the
 * same words share them. A package that ships no licence file is named with the licence that its package.json declares;
 * throws where there is neither.
 */
export async function collectLicences(root, files) {
  const titlesByText = new Map();
  for (const folder of packagesOf(files)) {
    const { title, text } = await licenceOf(join(root, folder));
    titlesByText.set(text, (titlesByText.get(text) ?? new Set()).add(title));
  }
  const parts = [...titlesByText].map(([text, titles]) => `${line}\n${[...titles].join('\n')}\n\n${text}`.trim());
  return `dist/ holds copies of these packages, each under its own licence.\n\n${parts.join('\n\n')}\n`;
}
