import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { ShellNode, ShellParser } from '../../rules/line/shellParser';

/** What Parley uses of `@vscode/tree-sitter-wasm`. */
interface TreeSitter {
  readonly Parser: {
    init(options: { locateFile(name: string): string }): Promise<void>;
    new (): TreeSitterParser;
  };
  readonly Language: { load(path: string): Promise<object> };
}

interface TreeSitterParser {
  setLanguage(language: object): void;
  parse(text: string, oldTree: null, options: { progressCallback(): boolean }): TreeSitterTree | null;
  reset(): void;
}

interface TreeSitterTree {
  readonly rootNode: TreeSitterNode;
  delete(): void;
}

interface TreeSitterNode {
  readonly type: string;
  readonly isNamed: boolean;
  readonly isError: boolean;
  readonly isMissing: boolean;
  readonly startIndex: number;
  readonly endIndex: number;
  readonly children: readonly (TreeSitterNode | null)[];
}

/** Longest time for a line, in milliseconds. A request waits for it, and every other session, too. */
const longestParse = 250;
const deepest = 150;

/** Loads the parser from the files of `@vscode/tree-sitter-wasm` in a folder. */
export async function loadBashParser(folder: string): Promise<ShellParser> {
  const file = join(folder, 'tree-sitter.js');
  // It is beside the bundle, because it locates its own files.
  const { Parser, Language } = requireCommonJs(file) as TreeSitter;
  await Parser.init({ locateFile: (name) => join(folder, name) });
  const parser = new Parser();
  parser.setLanguage(await Language.load(join(folder, 'tree-sitter-bash.wasm')));
  return { parse: (line) => parse(parser, line) };
}

/** Loads a file that asks for an AMD loader first. Other extensions may have left one in the extension host. */
function requireCommonJs(file: string): unknown {
  const scope = globalThis as { define?: unknown };
  const { define } = scope;
  delete scope.define;
  try {
    return createRequire(file)(file);
  } finally {
    if (define !== undefined) scope.define = define;
  }
}

function parse(parser: TreeSitterParser, line: string): ShellNode | undefined {
  const start = performance.now();
  const tree = parser.parse(line, null, { progressCallback: () => performance.now() - start > longestParse });
  if (!tree) {
    parser.reset();
    return undefined;
  }
  try {
    return copy(tree.rootNode, 0);
  } finally {
    tree.delete();
  }
}

/** Copies a node out of the parser's memory. */
function copy(node: TreeSitterNode, depth: number): ShellNode | undefined {
  if (depth > deepest) return undefined;
  const children: ShellNode[] = [];
  for (const child of node.children) {
    const copied = child && copy(child, depth + 1);
    if (!copied) return undefined;
    children.push(copied);
  }
  const { type, isNamed, startIndex, endIndex } = node;
  return { type, isNamed, isError: node.isError || node.isMissing, start: startIndex, end: endIndex, children };
}
