import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import c from 'highlight.js/lib/languages/c';
import cpp from 'highlight.js/lib/languages/cpp';
import csharp from 'highlight.js/lib/languages/csharp';
import css from 'highlight.js/lib/languages/css';
import diff from 'highlight.js/lib/languages/diff';
import dockerfile from 'highlight.js/lib/languages/dockerfile';
import go from 'highlight.js/lib/languages/go';
import ini from 'highlight.js/lib/languages/ini';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import makefile from 'highlight.js/lib/languages/makefile';
import markdown from 'highlight.js/lib/languages/markdown';
import php from 'highlight.js/lib/languages/php';
import python from 'highlight.js/lib/languages/python';
import ruby from 'highlight.js/lib/languages/ruby';
import rust from 'highlight.js/lib/languages/rust';
import shell from 'highlight.js/lib/languages/shell';
import sql from 'highlight.js/lib/languages/sql';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';
import type { LanguageFn } from 'highlight.js';
import { moreLanguages } from './highlightNames';

/** The most common languages. Bundled with the engine in a separate chunk, loaded after the first text is on screen. */
const common: Readonly<Record<string, LanguageFn>> = {
  bash,
  c,
  cpp,
  csharp,
  css,
  diff,
  dockerfile,
  go,
  ini,
  java,
  javascript,
  json,
  makefile,
  markdown,
  php,
  python,
  ruby,
  rust,
  shell,
  sql,
  typescript,
  xml,
  yaml,
};

/** Aliases of the common languages. */
const aliases: Readonly<Record<string, string>> = {
  sh: 'bash',
  zsh: 'bash',
  'c++': 'cpp',
  cs: 'csharp',
  'c#': 'csharp',
  patch: 'diff',
  docker: 'dockerfile',
  golang: 'go',
  toml: 'ini',
  js: 'javascript',
  jsx: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  node: 'javascript',
  jsonc: 'json',
  json5: 'json',
  mk: 'makefile',
  make: 'makefile',
  md: 'markdown',
  py: 'python',
  python3: 'python',
  rb: 'ruby',
  rs: 'rust',
  console: 'shell',
  shellsession: 'shell',
  ts: 'typescript',
  tsx: 'typescript',
  mts: 'typescript',
  cts: 'typescript',
  html: 'xml',
  svg: 'xml',
  vue: 'xml',
  yml: 'yaml',
};

/** Languages embedded in others. */
const inner: Readonly<Record<string, readonly string[]>> = {
  dockerfile: ['bash'],
  markdown: ['xml'],
  php: ['xml'],
  shell: ['bash'],
  xml: ['css', 'javascript'],
};

/** Registers a common language with the engine. Returns its main name, or undefined if it isn't common. */
export function useCommon(word: string): string | undefined {
  const name = aliases[word] ?? word;
  const define = common[name];
  if (!define) return undefined;
  if (!hljs.getLanguage(name)) {
    // Registers each language on first use, because registering all together would block the page.
    hljs.registerLanguage(name, define);
    for (const other of inner[name] ?? []) useCommon(other);
  }
  return name;
}

/** The highlighter with the common languages. */
export const engine = hljs;

/** Returns the name of a language in the other chunk, or undefined if it is unknown. */
export function rarerLanguage(word: string): string | undefined {
  return moreLanguages[word];
}
