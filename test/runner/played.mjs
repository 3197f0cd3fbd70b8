// @ts-check
// When tests that repeat others in another editor or system are to run: if Parley uses other parts of the editor, or of the system, than when they
// last passed on this machine, or if they have changed themselves.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { relative } from 'node:path';
import { inRoot, root } from '../root.mjs';
import { editorUse } from './editorUse.mjs';
import { filesUnder } from './files.mjs';
import { filesWith } from './filesWith.mjs';
import { addFiles } from './passed.mjs';
import { sourceGraph } from './sourceGraph.mjs';

const systemModule = /^(node:)?(fs|path|child_process|os)(\/|$)|^node-pty$/;

/** Whether a file that imports these packages deals with what differs between systems. @param {ReadonlySet<string>} packages */
export function touchesSystem(packages) {
  return [...packages].some((name) => systemModule.test(name));
}

/**
 * A key of what such tests depend on.
 * @param {readonly string[]} files absolute paths of the test files
 * @param {{ names?: readonly string[], external?: readonly string[], inWindows: boolean }} options parts of the names of those that run, all by
 * default, and what the files don't bundle
 * @returns {Promise<string>}
 */
export async function playedKey(files, { names = [], external = [], inWindows }) {
  const read = files.map(async (file) => /** @type {const} */ ([file, await readFile(file, 'utf8')]));
  const played = filesWith(await Promise.all(read), names.length > 0 ? names : ['']).map(([file]) => file);
  const reachOf = await sourceGraph(played, external);
  const own = new Set(played.flatMap((file) => [...reachOf(file).files]).filter((path) => path.startsWith('test')));
  const hash = createHash('sha256').update([process.version, process.arch, await editorUse(), ...names].join('\0'));
  const also = inWindows ? ['package-lock.json', 'test/windows', ...(await systemFiles())] : [];
  await addFiles(hash, [...[...own].sort(), 'test/workbench/vscodeServer.mjs', ...also]);
  return hash.digest('hex');
}

/** The product's files that deal with the system themselves. */
async function systemFiles() {
  const files = (await filesUnder(inRoot('src'), '.ts')).filter((file) => !file.endsWith('.test.ts'));
  const texts = await Promise.all(
    files.map(async (file) => /** @type {const} */ ([file, await readFile(file, 'utf8')])),
  );
  const touching = texts.filter(([, text]) =>
    touchesSystem(
      new Set([...text.matchAll(/^(?:import|export)\b[^;]*? from '([^'.][^']*)'/gm)].map(([, name = '']) => name)),
    ),
  );
  return touching.map(([file]) => relative(root, file)).sort();
}
