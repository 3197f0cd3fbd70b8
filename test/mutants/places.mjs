// @ts-check
// Finds what can be changed in a source file so that it still compiles but does something else.
import { createHash } from 'node:crypto';
import ts from 'typescript';

/**
 * A change of one place in a source file.
 * @typedef {object} Mutant
 * @property {string} id of the file, the kind, the text, and which of the places with that text it is; lines above don't change it
 * @property {string} file relative to the project
 * @property {string} kind
 * @property {number} line
 * @property {number} start offset of the text to replace
 * @property {number} end
 * @property {number} reach offset of the statement it is in, where it can be noted that the place is reached
 * @property {string} from the text to replace
 * @property {readonly string[]} texts what could replace it; the first that compiles is taken
 */

/** @type {ReadonlyMap<ts.SyntaxKind, readonly string[]>} */
const comparisons = new Map([
  [ts.SyntaxKind.LessThanToken, ['<=', '>=']],
  [ts.SyntaxKind.LessThanEqualsToken, ['<', '>']],
  [ts.SyntaxKind.GreaterThanToken, ['>=', '<=']],
  [ts.SyntaxKind.GreaterThanEqualsToken, ['>', '<']],
  [ts.SyntaxKind.EqualsEqualsEqualsToken, ['!==']],
  [ts.SyntaxKind.ExclamationEqualsEqualsToken, ['===']],
]);
const arithmetic = new Map([
  [ts.SyntaxKind.PlusToken, '-'],
  [ts.SyntaxKind.MinusToken, '+'],
  [ts.SyntaxKind.AsteriskToken, '/'],
]);
/** Receivers of calls that only write to a log. */
const logs = /(^|\.)(log|logger|console|l10n)$/;

/**
 * Lists everything that can be changed in a file, except texts for users and logs.
 * @param {string} file
 * @param {string} text
 * @returns {Mutant[]}
 */
export function mutantsOf(file, text) {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2023, true, ts.ScriptKind.TS);
  /** @type {Map<string, number>} */
  const seen = new Map();
  /** @type {Mutant[]} */
  const found = [];
  /** @param {string} kind @param {ts.Node} node @param {readonly string[]} texts */
  const add = (kind, node, texts) => {
    const start = node.getStart(source);
    const from = text.slice(start, node.end);
    const others = texts.filter((other) => other !== from);
    if (others.length === 0) return;
    // Operators are told apart by what they connect.
    const named = ts.isToken(node) ? node.parent.getText(source) : from;
    const name = `${file}\0${kind}\0${named.replace(/\s+/g, ' ')}`;
    const nth = seen.get(name) ?? 0;
    seen.set(name, nth + 1);
    const id = createHash('sha256').update(`${name}\0${nth}`).digest('hex').slice(0, 8);
    const line = source.getLineAndCharacterOfPosition(start).line + 1;
    found.push({
      id,
      file,
      kind,
      line,
      start,
      end: node.end,
      reach: statementOf(node).getStart(source),
      from,
      texts: others,
    });
  };
  /** @param {ts.Node} node */
  const visit = (node) => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || isLogCall(node, source)) return;
    change(node, source, add);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/**
 * @param {ts.Node} node
 * @param {ts.SourceFile} source
 * @param {(kind: string, node: ts.Node, texts: readonly string[]) => void} add
 */
function change(node, source, add) {
  const textOf = (/** @type {ts.Node} */ one) => one.getText(source);
  if (ts.isIfStatement(node)) {
    if (!node.elseStatement && leaves(node.thenStatement)) add('remove an early exit', node, [';']);
    add('negate a condition', node.expression, [negated(node.expression, textOf)]);
  }
  if (ts.isConditionalExpression(node)) add('negate a condition', node.condition, [negated(node.condition, textOf)]);
  if (ts.isExpressionStatement(node)) {
    const { expression } = node;
    const awaited = ts.isAwaitExpression(expression) ? expression.expression : expression;
    if (isLogCall(awaited, source) || isSuper(awaited)) return;
    add('remove a statement', node, [';']);
  }
  if (ts.isAwaitExpression(node)) {
    const isStatement = ts.isExpressionStatement(node.parent);
    add('drop an await', node, [isStatement ? `void ${textOf(node.expression)}` : textOf(node.expression)]);
  }
  if (ts.isBinaryExpression(node)) {
    const { kind } = node.operatorToken;
    if (kind === ts.SyntaxKind.AmpersandAmpersandToken) add('swap && and ||', node.operatorToken, ['||']);
    if (kind === ts.SyntaxKind.BarBarToken) add('swap && and ||', node.operatorToken, ['&&']);
    if (kind === ts.SyntaxKind.QuestionQuestionToken) add('drop a default', node, [textOf(node.left)]);
    const other = comparisons.get(kind);
    if (other) add('change a comparison', node.operatorToken, other);
    const opposite = arithmetic.get(kind);
    if (opposite !== undefined) add('change a calculation', node.operatorToken, [opposite]);
  }
  if (ts.isNumericLiteral(node) && /^\d{1,3}$/.test(node.text)) {
    add('change a number', node, [String(Number(node.text) + 1)]);
  }
  if (ts.isReturnStatement(node) && node.expression) add('replace a result', node.expression, results(node.expression));
  if (ts.isArrowFunction(node)) {
    const isHandler = ts.isCallExpression(node.parent) || ts.isPropertyAssignment(node.parent);
    const isEmpty = ts.isBlock(node.body) && node.body.statements.length === 0;
    if (isHandler && !isEmpty) add('empty a handler', node.body, ['{}']);
    if (!ts.isBlock(node.body)) add('replace a result', node.body, results(node.body));
  }
  if (ts.isArrayLiteralExpression(node)) {
    for (const element of node.elements) add('remove an element', element, ['...[]']);
  }
  if (ts.isObjectLiteralExpression(node)) {
    for (const property of node.properties) add('remove an entry', property, ['...{}']);
  }
  if (ts.isCallExpression(node) && node.arguments.length > 1) {
    const [first, second] = node.arguments;
    if (first && second) {
      const [one, two] = [textOf(first), textOf(second)];
      const all = textOf(node);
      const before = all.slice(0, first.getStart(source) - node.getStart(source));
      const after = all.slice(second.end - node.getStart(source));
      if (one !== two) add('swap arguments', node, [`${before}${two}, ${one}${after}`]);
    }
  }
}

/** The nearest statement before which there can be another. @param {ts.Node} node @returns {ts.Node} */
function statementOf(node) {
  const { parent } = node;
  if (parent === undefined || ts.isSourceFile(parent)) return node;
  const isInList = (ts.isBlock(parent) || ts.isCaseOrDefaultClause(parent)) && ts.isStatement(node);
  return isInList ? node : statementOf(parent);
}

/** What could be returned instead, the likeliest first. @param {ts.Expression} expression */
function results(expression) {
  if (expression.kind === ts.SyntaxKind.TrueKeyword) return ['false'];
  if (expression.kind === ts.SyntaxKind.FalseKeyword) return ['true'];
  const isArray = ts.isArrayLiteralExpression(expression);
  if (isArray) return expression.elements.length === 0 ? [] : ['[]'];
  return ['undefined', '[]', 'false', "''", '0'];
}

/** @param {ts.Expression} condition @param {(node: ts.Node) => string} textOf */
function negated(condition, textOf) {
  const isNegation = ts.isPrefixUnaryExpression(condition) && condition.operator === ts.SyntaxKind.ExclamationToken;
  return isNegation ? textOf(condition.operand) : `!(${textOf(condition)})`;
}

/** Whether a branch does nothing but leave. @param {ts.Statement} branch */
function leaves(branch) {
  const only = ts.isBlock(branch) ? (branch.statements.length === 1 ? branch.statements[0] : undefined) : branch;
  if (!only) return false;
  return (
    ts.isReturnStatement(only) || ts.isContinueStatement(only) || ts.isBreakStatement(only) || ts.isThrowStatement(only)
  );
}

/** Whether this writes to a log or words a text for users. @param {ts.Node} node @param {ts.SourceFile} source */
function isLogCall(node, source) {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return false;
  return logs.test(node.expression.expression.getText(source));
}

/** @param {ts.Node} node */
function isSuper(node) {
  return ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.SuperKeyword;
}

/** A file's text that notes which of these places tests reach. @param {string} text @param {readonly Mutant[]} mutants */
export function probed(text, mutants) {
  const last = [...mutants].sort((one, other) => other.reach - one.reach);
  return last.reduce(
    (before, { id, reach }) => `${before.slice(0, reach)}globalThis.parleyReached?.('${id}'); ${before.slice(reach)}`,
    text,
  );
}

/** A file's text with the mutant in it. @param {string} text @param {Mutant} mutant @param {string} to */
export function mutated(text, { start, end }, to) {
  return text.slice(0, start) + to + text.slice(end);
}
