import type { HLJSApi } from 'highlight.js';
import { fileLanguages } from './fileLanguages';

/** A piece of code with one color: keyword, string, number, comment, or plain. */
export interface CodeToken {
  readonly text: string;
  readonly hue: 'k' | 's' | 'n' | 'c' | '';
}

/** Maximum length to highlight, in UTF-16 units. Longer code would block the page and is shown plain. */
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

/** Returns the language named in a fence's info string, in lower case, or an empty string. */
export function languageName(info: string): string {
  return (/^[\w#+.-]+/.exec(info.trim())?.[0] ?? '').toLowerCase();
}

/** Returns the language of a file from its name, or an empty string. */
export function languageOfPath(path: string): string {
  const name = (path.split(/[\\/]/).at(-1) ?? '').toLowerCase();
  const extension = name.includes('.') ? (name.split('.').at(-1) ?? '') : '';
  return fileLanguages[name] ?? fileLanguages[extension] ?? extension;
}

let engine: HLJSApi | undefined;

/** Loads a language by any of its names. Resolves to whether it exists. */
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

/** Returns whether `highlight` supports the language now. If not, `loadLanguage` may load it. */
export function isLanguageLoaded(name: string): boolean {
  return engine?.getLanguage(name) !== undefined;
}

interface TokenNode {
  readonly scope?: string;
  readonly children: readonly (TokenNode | string)[];
}

/** Splits code into colored tokens that add up to the code. Returns one plain token if the language is unknown or the code is too long. */
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

/** Splits tokens by line and removes the line breaks. */
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
