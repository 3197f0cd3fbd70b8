// @ts-check
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import * as esbuild from 'esbuild';
import { inRoot, root } from '../root.mjs';
import { filesUnder } from './files.mjs';

/** @type {esbuild.BuildOptions} */
const shared = {
  bundle: true,
  platform: 'node',
  target: 'node20',
  sourcemap: true,
  sourcesContent: false,
  logLevel: 'warning',
  // The editor that tests play has only what they need of it.
  logOverride: { 'import-is-undefined': 'silent' },
  absWorkingDir: root,
  // Tests of page code import style sheets and fonts along with it; Node has no use for them.
  loader: { '.css': 'empty', '.ttf': 'empty' },
};

/** A global `require`, so that it doesn't collide with one that a test makes for itself. */
const requireBanner =
  "import { createRequire as makeRequire } from 'node:module'; globalThis.require ??= makeRequire(import.meta.url);";

/**
 * Bundles test files one by one, each into a file of its own below `out/FOLDER`, and leaves packages outside.
 * @param {readonly string[]} files absolute paths
 * @param {{ folder: string, format: 'cjs' | 'esm' }} options
 * @returns {Promise<string[]>} the bundles
 */
export async function bundleTests(files, { folder, format }) {
  const outdir = inRoot('out', folder);
  await rm(outdir, { recursive: true, force: true });
  if (files.length === 0) return [];
  const extension = format === 'esm' ? '.mjs' : '.cjs';
  const result = await esbuild.build({
    ...shared,
    entryPoints: [...files],
    outdir,
    outbase: root,
    outExtension: { '.js': extension },
    format,
    packages: 'external',
    // Code of the extension host loads some of Node's modules with `require`, as in its own bundle.
    ...(format === 'esm' && { banner: { js: requireBanner } }),
    // Code of the extension host runs against an editor that the test plays.
    alias: { vscode: inRoot('test', 'unit-support', 'vscode.ts') },
    metafile: true,
  });
  return Object.keys(result.metafile.outputs)
    .filter((file) => file.endsWith(extension))
    .map((file) => join(root, file));
}

/**
 * Bundles test files into a few bundles, each of several files that share a process and what they start in it.
 * @param {readonly string[]} files absolute paths
 * @param {{ folder: string, format: 'cjs' | 'esm', perBundle: number, first?: string | undefined }} options at most so many files in each, and a module to evaluate before them
 * @returns {Promise<string[]>} the bundles
 */
export async function bundleTogether(files, { perBundle, first, ...options }) {
  const count = Math.ceil(files.length / perBundle);
  const entries = inRoot('out', `${options.folder}-entries`);
  await mkdir(entries, { recursive: true });
  try {
    const bundles = Array.from({ length: count }, async (_, at) => {
      const path = join(entries, `${at + 1} of ${count}.ts`);
      // Every so many: files of one kind have names that are alike, and those that take long are to be in different bundles.
      const own = files.filter((_file, index) => index % count === at);
      const imported = first === undefined ? own : [first, ...own];
      await writeFile(path, imported.map((file) => `import ${JSON.stringify(file)};`).join('\n'));
      return path;
    });
    return await bundleTests(await Promise.all(bundles), options);
  } finally {
    await rm(entries, { recursive: true, force: true });
  }
}

/** What runs inside an extension host, by its folder below `test/`. @typedef {'integration' | 'conformance'} SuiteFolder */

/**
 * Bundles every integration suite, or every case of another such folder, into one module for the extension host.
 * @param {string} [outFolder] below `out/`
 * @param {SuiteFolder} [of]
 * @returns {Promise<string>} absolute path of the module that exports `run`
 */
export async function bundleIntegration(outFolder = 'integration', of = 'integration') {
  const folder = inRoot('test', of);
  const suites = await (of === 'integration'
    ? filesUnder(join(folder, 'suites'), '.test.ts')
    : filesUnder(join(folder, 'cases'), '.ts'));
  const imports = suites.map((file) => `import ${JSON.stringify('./' + relative(folder, file))};`);
  await esbuild.build({
    ...shared,
    stdin: { contents: [...imports, `export { run } from './index';`].join('\n'), resolveDir: folder, loader: 'ts' },
    outfile: inRoot('out', outFolder, 'index.cjs'),
    format: 'cjs',
    external: ['vscode', 'node-pty'],
  });
  return inRoot('out', outFolder, 'index.cjs');
}
