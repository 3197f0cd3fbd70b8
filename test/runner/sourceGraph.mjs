// @ts-check
import { relative } from 'node:path';
import * as esbuild from 'esbuild';
import { root } from '../root.mjs';
import { bundleOptions } from './bundle.mjs';

/**
 * All that a file imports, directly or not.
 * @typedef {object} Reach
 * @property {ReadonlySet<string>} files of the project, relative to it, the file itself included
 * @property {ReadonlySet<string>} packages packages and Node's own modules, as they are imported
 */

/**
 * Asks the bundler what files import.
 * @param {readonly string[]} files absolute paths
 * @param {readonly string[]} [external] packages that aren't replaced
 * @returns {Promise<(file: string) => Reach>} by absolute path
 */
export async function sourceGraph(files, external = []) {
  const { metafile } = await esbuild.build({
    ...bundleOptions(external),
    stdin: {
      contents: files.map((file) => `import ${JSON.stringify(file)};`).join('\n'),
      resolveDir: root,
      loader: 'ts',
    },
    outdir: 'out',
    packages: 'external',
    format: 'esm',
    sourcemap: false,
    write: false,
    metafile: true,
  });
  return (file) => {
    const reached = new Set([relative(root, file)]);
    /** @type {Set<string>} */
    const packages = new Set();
    for (const current of reached) {
      for (const { path, external: isPackage } of metafile.inputs[current]?.imports ?? []) {
        if (isPackage) packages.add(path);
        else reached.add(path);
      }
    }
    return { files: reached, packages };
  };
}
