// @ts-check
// Reads which tests of a file a change is in.
import ts from 'typescript';

/** The functions that declare a test, and which of their arguments is its name. */
const declaring = new Map([
  ['test', 0],
  ['it', 0],
  ['scene', 0],
  ['sceneIn', 1],
  ['row', 1],
  ['rowInWindow', 1],
]);

/**
 * The name of a test: a pattern for all of it, and its longest part that is always the same.
 * @typedef {{ pattern: RegExp, part: string }} TestName
 */

/** @typedef {{ from: number, to: number }} Lines counted from 1, both inclusive */

/**
 * The changed lines of each file as it is now. What was only removed counts at the lines around it.
 * @param {string} diff of `git diff --unified=0`
 * @returns {Map<string, Lines[]>} by path; removed files aren't listed
 */
export function linesOfDiff(diff) {
  /** @type {Map<string, Lines[]>} */
  const found = new Map();
  let file = '';
  for (const line of diff.split('\n')) {
    if (line.startsWith('+++ ')) file = line.startsWith('+++ b/') ? line.slice(6) : '';
    const [, first, count = '1'] = /^@@ -\S+ \+(\d+)(?:,(\d+))? @@/.exec(line) ?? [];
    if (first === undefined || file === '') continue;
    const from = Number(first);
    // After the line `from`, something was removed.
    const to = from + (Number(count) || 2) - 1;
    found.set(file, [...(found.get(file) ?? []), { from, to }]);
  }
  return found;
}

/**
 * The names of the tests in a file that contain some of these lines.
 * @param {string} text
 * @param {readonly Lines[]} lines
 * @returns {readonly TestName[] | 'all'} all, if some lines are outside of every test and aren't an import
 */
export function namesAt(text, lines) {
  const source = ts.createSourceFile('test.ts', text, ts.ScriptTarget.Latest, true);
  /** @type {{ lines: Lines, name: TestName | undefined }[]} */
  const parts = [];
  const linesOf = (/** @type {ts.Node} */ node) => ({
    from: source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1,
    to: source.getLineAndCharacterOfPosition(node.end).line + 1,
  });
  const visit = (/** @type {ts.Node} */ node) => {
    if (ts.isImportDeclaration(node)) parts.push({ lines: linesOf(node), name: undefined });
    const name = ts.isCallExpression(node) ? nameOf(node) : undefined;
    if (name) parts.push({ lines: linesOf(node), name });
    else ts.forEachChild(node, visit);
  };
  visit(source);
  const all = text.split('\n');
  const count = all.length;
  const empty = new Set(all.flatMap((line, at) => (line.trim() === '' ? [at + 1] : [])));
  /** @type {TestName[]} */
  const names = [];
  for (const one of lines) {
    const meant = parts.filter((part) => part.lines.from <= one.to && one.from <= part.lines.to);
    const isCovered = (/** @type {number} */ line) =>
      empty.has(line) || meant.some((part) => part.lines.from <= line && line <= part.lines.to);
    if (!range(one, count).every(isCovered)) return 'all';
    for (const { name } of meant) if (name) names.push(name);
  }
  return [...new Map(names.map((name) => [name.pattern.source, name])).values()];
}

/** The numbers of lines, up to the last one of a file. @param {Lines} lines @param {number} last */
function range({ from, to }, last) {
  return Array.from({ length: Math.max(0, Math.min(to, last) - from + 1) }, (_, at) => from + at);
}

/** The name that a call gives to a test. Whatever a template inserts can be anything. @param {ts.CallExpression} call @returns {TestName | undefined} */
function nameOf(call) {
  const callee = ts.isPropertyAccessExpression(call.expression) ? call.expression.expression : call.expression;
  const at = ts.isIdentifier(callee) ? declaring.get(callee.text) : undefined;
  const name = at === undefined ? undefined : call.arguments[at];
  if (!name) return undefined;
  const parts = ts.isStringLiteralLike(name)
    ? [name.text]
    : ts.isTemplateExpression(name)
      ? [name.head.text, ...name.templateSpans.map(({ literal }) => literal.text)]
      : [''];
  const [part = ''] = [...parts].sort((a, b) => b.length - a.length);
  return { pattern: new RegExp(`${parts.map(escape).join('.*')}$`), part };
}

/** @param {string} text */
function escape(text) {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
