// @ts-check
// What the pages of the listing say: README.md and CHANGELOG.md as they are for who installs Parley there.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const folder = 'dist/listing';

/** The pages, relative to the folder with the product. */
export const listing = { readme: `${folder}/README.md`, changelog: `${folder}/CHANGELOG.md` };

/**
 * Writes the pages of the listing below the folder with the product.
 * @param {string} product
 */
export async function writeListing(product) {
  const read = (/** @type {string} */ name) => readFile(join(product, name), 'utf8');
  await mkdir(join(product, folder), { recursive: true });
  await writeFile(join(product, listing.readme), listedReadme(await read('README.md')));
  await writeFile(join(product, listing.changelog), listedChangelog(await read('CHANGELOG.md')));
}

/**
 * README.md for the listing: without what is for readers of the repository, and with what stands in comments for the listing. A
 * `<picture>` becomes its image, because the marketplaces know no other.
 * @param {string} readme
 */
export function listedReadme(readme) {
  const listed = readme
    .replaceAll(/<!-- repository: begin -->\n[^]*?<!-- repository: end -->\n\n?/g, '')
    .replaceAll(/<!-- listing:\n([^]*?)-->\n/g, '$1')
    .replaceAll(/<picture>[^]*?(<img [^>]*>)\s*<\/picture>/g, '$1');
  const left = /<!-- (?:repository|listing)\b.*/.exec(listed)?.[0];
  if (left !== undefined) throw new Error(`README.md has “${left}” without its end.`);
  return listed;
}

/**
 * CHANGELOG.md with the versions alone. What is unreleased is in words for who works on it.
 * @param {string} changelog
 */
export function listedChangelog(changelog) {
  const [title = '', ...sections] = changelog.split(/^(?=## )/m);
  return [title, ...sections.filter((section) => !section.startsWith('## Unreleased'))].join('');
}
