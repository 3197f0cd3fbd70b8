// @ts-check
// Tables of docs/ that are written by a program, each between two marks.
import { format, resolveConfig } from 'prettier';

/** @typedef {readonly (readonly string[])[]} Rows the head comes first */

/**
 * The text of a page with its tables, in the project's format.
 * @param {string} path @param {string} text @param {Readonly<Record<string, Rows>>} tables
 */
export async function withTables(path, text, tables) {
  const replaced = Object.entries(tables).reduce((before, [table, rows]) => replaceTable(before, table, rows), text);
  return format(replaced, { ...(await resolveConfig(path)), parser: 'markdown' });
}

/** The cells of a table's rows, without its head. @param {string} text @param {string} name @returns {readonly (readonly string[])[]} */
export function rowsOf(text, name) {
  const [from, to] = placeOf(text, name);
  const lines = text.slice(from, to).split('\n');
  const rows = lines.filter((line) => line.startsWith('|')).slice(2);
  return rows.map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

/** @param {string} text @param {string} name @param {Rows} rows */
function replaceTable(text, name, rows) {
  const [from, to] = placeOf(text, name);
  const [head = [], ...body] = rows;
  const lines = [head, head.map(() => '---'), ...body].map((cells) => `| ${cells.join(' | ')} |`);
  return `${text.slice(0, from)}\n\n${lines.join('\n')}\n\n${text.slice(to)}`;
}

/** Where the text between a table's marks is. @param {string} text @param {string} name @returns {readonly [number, number]} */
function placeOf(text, name) {
  const begin = `<!-- ${name}: begin -->`;
  const [at, to] = [text.indexOf(begin), text.indexOf(`<!-- ${name}: end -->`)];
  if (at < 0 || to < at) throw new Error(`There is no place for the table of ${name}.`);
  return [at + begin.length, to];
}
