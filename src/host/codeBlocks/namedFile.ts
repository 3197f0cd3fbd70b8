import { isPathLike, pathMentions } from '../../shared/text/pathMentions';

/** A code block as the agent wrote it. */
export interface CodeBlockText {
  /** Everything after the opening fence. */
  readonly info: string;
  readonly text: string;
}

/** The file that a code block names, and the block's code without the line that only names it. */
export interface NamedCode {
  readonly path: string | undefined;
  readonly text: string;
}

const attribute =
  /(?:^|[\s{,])(?:title|file|filename|path|name)\s*[=:]\s*(?:"([^"\n]{1,260})"|'([^'\n]{1,260})'|([^\s,}"']{1,260}))/i;
const comment =
  /^\s*(?:\/\/+|#|--|;+|%+|\/\*+|<!--|\(\*)\s*(?:file(?:name)?:?\s+|path:?\s+)?((?!!)[^\s*<>"'`]{3,260})\s*(?:\*+\/|-->|\*\))?\s*$/i;

/** Returns the language of a code block in lower case: the first word of its info. */
export function languageOf(info: string): string {
  return (/^[^\s{:,]+/.exec(info.trim())?.[0] ?? '').toLowerCase();
}

/** Finds the file that a code block names: in its info, or in a comment on its first line. */
export function namedCode({ info, text }: CodeBlockText): NamedCode {
  const inInfo = pathInInfo(info);
  if (inInfo !== undefined) return { path: inInfo, text: withoutNameLine(text, inInfo) };
  const found = nameLine(text);
  return found === undefined ? { path: undefined, text } : { path: found, text: withoutNameLine(text, found) };
}

function pathInInfo(info: string): string | undefined {
  const found = attribute.exec(info);
  const value = found?.[1] ?? found?.[2] ?? found?.[3];
  if (value !== undefined && isPathLike(value)) return value;
  // Forms such as "ts src/a.ts", "ts:src/a.ts", and "12:20:src/a.ts".
  const rest = info.trim().replace(/^(?:\d+:\d+:|[\w+#-]+:(?![\\/]))/, '');
  return pathMentions(rest)[0]?.path;
}

function nameLine(text: string): string | undefined {
  const [first = ''] = text.split('\n', 1);
  const path = first.length > 300 ? undefined : comment.exec(first)?.[1]?.replace(/:$/, '');
  return path !== undefined && isPathLike(path) ? path : undefined;
}

function withoutNameLine(text: string, path: string): string {
  if (nameLine(text) !== path) return text;
  const end = text.indexOf('\n');
  return end < 0 ? text : text.slice(end + 1).replace(/^\r?\n/, '');
}

const extensions: Readonly<Record<string, string>> = {
  typescript: 'ts',
  javascript: 'js',
  python: 'py',
  ruby: 'rb',
  rust: 'rs',
  bash: 'sh',
  shell: 'sh',
  zsh: 'sh',
  markdown: 'md',
  csharp: 'cs',
  'c#': 'cs',
  'c++': 'cpp',
  kotlin: 'kt',
  haskell: 'hs',
  powershell: 'ps1',
  yml: 'yaml',
  text: 'txt',
  plaintext: 'txt',
};

/** Returns a name to propose for a new file of a language. */
export function proposedName(language: string): string {
  const extension = extensions[language] ?? (/^[a-z][a-z0-9]{0,9}$/.test(language) ? language : 'txt');
  return `untitled.${extension}`;
}
