// @ts-check
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { inRoot } from '../root.mjs';
import { filesUnder } from './files.mjs';

/**
 * A digest of which parts of VS Code's interface the extension uses, and of the oldest VS Code it supports.
 * @returns {Promise<string>}
 */
export async function editorUse() {
  /** @type {Set<string>} */
  const used = new Set();
  const files = (await filesUnder(inRoot('src'), '.ts')).filter((file) => !file.endsWith('.test.ts'));
  for (const text of await Promise.all(files.map((file) => readFile(file, 'utf8')))) {
    for (const part of partsOf(text)) used.add(part);
  }
  /** @type {{ engines: { vscode: string } }} */
  const { engines } = JSON.parse(await readFile(inRoot('package.json'), 'utf8'));
  return createHash('sha256')
    .update([engines.vscode, ...[...used].sort()].join('\n'))
    .digest('hex');
}

/** The imports from `vscode` with the members that are used of each, such as `window.createTerminal`. @param {string} text */
function partsOf(text) {
  const parts = [];
  for (const [, list = '', all] of text.matchAll(/import (?:type )?(?:\{([^}]*)\}|\* as (\w+)) from 'vscode'/g)) {
    if (all !== undefined) {
      for (const [part] of text.matchAll(new RegExp(`(?<![.\\w])${all}\\.\\w+(\\.\\w+)?`, 'g'))) parts.push(part);
    }
    for (const item of list
      .split(',')
      .map((one) => one.trim())
      .filter(Boolean)) {
      const [name = item, local = name] = item.replace(/^type /, '').split(' as ');
      parts.push(name);
      for (const [, member] of text.matchAll(new RegExp(`(?<![.\\w])${local}\\.(\\w+)`, 'g')))
        parts.push(`${name}.${member}`);
    }
  }
  return parts;
}
