// The parts of dist/ as a CycloneDX bill of materials (https://cyclonedx.org/docs/1.6/json/), on stdout: the packages that licenses.txt names,
// with the hashes by which package-lock.json knows them. It says nothing that changes from build to build.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const read = (path) => readFile(join(root, path), 'utf8');

const { name, version } = JSON.parse(await read('package.json'));
const locked = Object.entries(JSON.parse(await read('package-lock.json')).packages).map(([path, entry]) => ({
  title: `${path.replace(/^.*node_modules\//, '')}@${entry.version}`,
  ...entry,
}));

function component(title, declared) {
  const found = locked.find((entry) => entry.title === title);
  if (!found?.integrity)
    throw new Error(`${title} is in dist/licenses.txt, and package-lock.json does not know it: build dist/ anew`);
  const at = title.lastIndexOf('@');
  const [algorithm, hash] = found.integrity.split('-');
  return {
    type: 'library',
    'bom-ref': title,
    name: title.slice(0, at),
    version: title.slice(at + 1),
    purl: `pkg:npm/${title.slice(0, at).replace('@', '%40')}@${title.slice(at + 1)}`,
    hashes: [{ alg: algorithm.replace('sha', 'SHA-'), content: Buffer.from(hash, 'base64').toString('hex') }],
    licenses: [/^[\w.+-]+$/.test(declared) ? { license: { id: declared } } : { expression: declared }],
  };
}

const titles = [...(await read('dist/licenses.txt')).matchAll(/^(@?[\w./-]+@\d[\w.+-]*) \((.+)\)$/gm)];
const components = titles
  .map(([, title, declared]) => component(title, declared))
  .sort((a, b) => (a['bom-ref'] < b['bom-ref'] ? -1 : 1));
const metadata = { component: { type: 'application', 'bom-ref': `${name}@${version}`, name, version } };
// GitHub attests none without a serial number. This one is a UUID of its own kind (version 8 of RFC 9562), made of what the rest says.
const digest = createHash('sha256')
  .update(JSON.stringify([metadata, components]))
  .digest('hex');
const serial = digest.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*/, '$1-$2-8$3-8$4-$5');
const bom = {
  bomFormat: 'CycloneDX',
  specVersion: '1.6',
  serialNumber: `urn:uuid:${serial}`,
  version: 1,
  metadata,
  components,
};
process.stdout.write(`${JSON.stringify(bom, null, 2)}\n`);
