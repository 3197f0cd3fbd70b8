// @ts-check
import { existsSync, readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import ts from 'typescript';

/** The files of the project that a file imports, absolute; also those of which it imports only types. @typedef {(file: string) => readonly string[]} Importing */

/**
 * Returns the way back to a file through one of its imports: the files in between, and the file itself at the end.
 * Returns undefined if no way leads back.
 * @param {string} file
 * @param {string} imported
 * @param {Importing} importsOf
 * @returns {readonly string[] | undefined}
 */
export function wayBack(file, imported, importsOf) {
  const seen = new Set([imported]);
  const ways = [[imported]];
  for (const way of ways) {
    const last = way.at(-1) ?? imported;
    if (last === file) return way;
    for (const next of importsOf(last)) {
      if (seen.has(next)) continue;
      seen.add(next);
      ways.push([...way, next]);
    }
  }
  return undefined;
}

/** What each file imports; read once. @type {Map<string, readonly string[]>} */
const known = new Map();

/** @type {Importing} */
export function importsOf(file) {
  let found = known.get(file);
  if (!found) {
    const { importedFiles } = ts.preProcessFile(readFileSync(file, 'utf8'), true, true);
    found = importedFiles.flatMap(({ fileName }) => fileOf(file, fileName) ?? []);
    known.set(file, found);
  }
  return found;
}

/** The file that an import names, if it is one of the project. @param {string} from @param {string} name @returns {string | undefined} */
function fileOf(from, name) {
  if (!name.startsWith('.')) return undefined;
  const path = resolve(dirname(from), name);
  return [`${path}.ts`, `${path}/index.ts`].find((file) => existsSync(file));
}

/**
 * Reports imports that lead back to their own file.
 * @type {import('eslint').Rule.RuleModule}
 */
export const noCycle = {
  create: (context) => {
    /** @param {{ source?: unknown }} node */
    const check = (node) => {
      const { source } = node;
      if (typeof source !== 'object' || source === null || !('value' in source)) return;
      const imported = fileOf(context.filename, String(source.value));
      const way = imported === undefined ? undefined : wayBack(context.filename, imported, importsOf);
      if (!way) return;
      const names = way.map((file) => relative(context.cwd, file)).join(' → ');
      const message = `This import leads back here: ${names}. Move what both need into a file of its own.`;
      context.report({ node: /** @type {import('estree').Node} */ (source), message });
    };
    return {
      ImportDeclaration: check,
      ImportExpression: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
    };
  },
};
