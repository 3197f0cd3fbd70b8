import type { HLJSApi } from 'highlight.js';
import { fileLanguages } from './fileLanguages';

/** A stretch of code in one hue: keyword, string, number, comment, or plain. */
export interface CodeToken {
  readonly text: string;
  readonly hue: 'k' | 's' | 'n' | 'c' | '';
}

/** Longer code (UTF-16 units) is shown plain: colouring it would hold up the page. */
export const highlightLimit = 24_576;

const hues: Readonly<Record<string, CodeToken['hue']>> = {
  keyword: 'k',
  built_in: 'k',
  literal: 'k',
  type: 'k',
  tag: 'k',
  name: 'k',
  section: 'k',
  meta: 'k',
  'selector-tag': 'k',
  string: 's',
  regexp: 's',
  subst: '',
  symbol: 's',
  char: 's',
  link: 's',
  code: 's',
  addition: 's',
  attr: 's',
  attribute: 's',
  number: 'n',
  variable: 'n',
  bullet: 'n',
  comment: 'c',
  quote: 'c',
  doctag: 'c',
  deletion: 'c',
};

/** The language that a fence names, in lower case, or an empty string. */
export function languageName(info: string): string {
  return (/^[\w#+.-]+/.exec(info.trim())?.[0] ?? '').toLowerCase();
}

/** The language of a file by its name, or an empty string. */
export function languageOfPath(path: string): string {
  const name = (path.split(/[\\/]/).at(-1) ?? '').toLowerCase();
  const extension = name.includes('.') ? (name.split('.').at(-1) ?? '') : '';
  return fileLanguages[name] ?? fileLanguages[extension] ?? extension;
}

let engine: HLJSApi | undefined;

/** Loads a language by one of its names; resolves to whether there is such a language. */
export async function loadLanguage(name: string): Promise<boolean> {
  if (name === '') return false;
  const common = await import('./highlightCommon');
  engine = common.engine;
  const own = common.useCommon(name);
  if (own !== undefined) {
    if (own !== name) engine.registerAliases(name, { languageName: own });
    return true;
  }
  const rarer = common.rarerLanguage(name);
  if (rarer === undefined) return false;
  const more = await import('./highlightMore');
  more.useMore(engine, rarer);
  if (name !== rarer) engine.registerAliases(name, { languageName: rarer });
  return engine.getLanguage(name) !== undefined;
}

/** Whether `highlight` knows the language now; if not, `loadLanguage` may bring it. */
export function isLanguageLoaded(name: string): boolean {
  return engine?.getLanguage(name) !== undefined;
}

interface TokenNode {
  readonly scope?: string;
  readonly children: readonly (TokenNode | string)[];
}

/** Code as coloured stretches that add up to the code; one plain stretch when the language is unknown or the code too long. */
export function highlight(code: string, language: string): CodeToken[] {
  if (!engine || code.length > highlightLimit || !isLanguageLoaded(language)) return [{ text: code, hue: '' }];
  const result = engine.highlight(code, { language, ignoreIllegals: true });
  const root = (result._emitter as unknown as { rootNode?: TokenNode }).rootNode;
  if (!root) return [{ text: code, hue: '' }];
  const tokens: { text: string; hue: CodeToken['hue'] }[] = [];
  const walk = (node: TokenNode, hue: CodeToken['hue']) => {
    const own = node.scope === undefined ? hue : (hues[node.scope.split('.')[0] ?? ''] ?? hue);
    for (const child of node.children) {
      if (typeof child !== 'string') {
        walk(child, own);
        continue;
      }
      const last = tokens.at(-1);
      if (last?.hue === own) last.text += child;
      else tokens.push({ text: child, hue: own });
    }
  };
  walk(root, '');
  return tokens;
}

/** The same tokens line by line, without the line ends. */
export function tokensByLine(tokens: readonly CodeToken[]): CodeToken[][] {
  const lines: CodeToken[][] = [[]];
  for (const token of tokens) {
    token.text.split('\n').forEach((text, index) => {
      if (index > 0) lines.push([]);
      if (text !== '') lines.at(-1)?.push({ text, hue: token.hue });
    });
  }
  return lines;
}
