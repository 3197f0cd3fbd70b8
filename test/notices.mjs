// @ts-check
// Writes `ThirdPartyNotices.txt` into `dist/`: the license of every package whose code ships, found in the metafiles of the bundles.
// Like the build, it runs in the project's folder.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sbomOf } from './release/sbom.mjs';

/** Data that ships: its name, its page, and the file with its license. */
const data = [
  {
    name: 'ACP registry (Apache-2.0), from which the list of agents is made',
    page: 'https://github.com/agentclientprotocol/registry',
    license: 'src/host/registry/snapshot.LICENSE',
  },
];
/** Packages that ship as they are, beside the bundles. */
const beside = ['node-pty', '@vscode/codicons', '@vscode/tree-sitter-wasm'];
/** What is copied from elsewhere: its own license is in the folder. */
const licenseName = /^(licen[cs]e|copying|notice)(\.|-|$)/i;

/**
 * The names of the packages in these bundles.
 * @param {readonly { inputs: Record<string, unknown> }[]} metafiles as esbuild makes them
 * @returns {string[]}
 */
export function bundledPackages(metafiles) {
  const names = new Set(beside);
  for (const { inputs } of metafiles) {
    for (const path of Object.keys(inputs)) {
      const name = /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1];
      if (name !== undefined) names.add(name);
    }
  }
  return [...names].sort();
}

/**
 * The text of the notices. Rejects when a package has no license to show.
 * @param {readonly string[]} packages
 */
export async function noticesOf(packages) {
  const parts = await Promise.all([...packages.map(noticeOf), ...data.map(noticeOfData)]);
  const rule = '-'.repeat(80);
  const head = 'Parley contains the following packages and data, each under its own license.';
  return `${[head, ...parts].join(`\n\n${rule}\n\n`)}\n`;
}

/** @param {string} name */
async function noticeOf(name) {
  const folder = join('node_modules', name);
  const { version, license, homepage, repository } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const files = (await readdir(folder)).filter((file) => licenseName.test(file)).sort();
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  if (texts.length === 0 && typeof license !== 'string') throw new Error(`${name} has no license that could be shown.`);
  const where = homepage ?? repository?.url ?? repository ?? '';
  const own = texts.length > 0 ? texts.map((text) => text.trim()).join('\n\n') : `License: ${license}`;
  return `${name} ${version} (${license ?? 'see below'})\n${where}\n\n${own}`;
}

/** @param {{ name: string, page: string, license: string }} source */
async function noticeOfData({ name, page, license }) {
  return `${name}\n${page}\n\n${(await readFile(license, 'utf8')).trim()}`;
}

/**
 * Writes the file, and beside it the bill of materials (`sbom.cdx.json`), which is part of a release and not of the packages.
 * @param {string} dist
 * @param {readonly { inputs: Record<string, unknown> }[]} metafiles
 */
export async function writeNotices(dist, metafiles) {
  const packages = bundledPackages(metafiles);
  await writeFile(join(dist, 'ThirdPartyNotices.txt'), await noticesOf(packages));
  const product = JSON.parse(await readFile('package.json', 'utf8'));
  const { packages: locked } = JSON.parse(await readFile('package-lock.json', 'utf8'));
  await writeFile(join(dist, 'sbom.cdx.json'), `${JSON.stringify(sbomOf(product, packages, locked), null, 2)}\n`);
}
