import MarkdownIt from 'markdown-it';
import markdownItCjkFriendly from 'markdown-it-cjk-friendly';
import { addMarkdownFence } from './markdownFence';
import { addMath } from './mathRules';
import { addTags } from './tagRules';

/** The renderer's state between the pieces of a message: link definitions. */
export interface MarkdownEnv {
  references?: Record<string, { href: string; title: string }>;
}

/** The target of a link in an agent's text. */
export type LinkTarget =
  | { readonly type: 'web'; readonly href: string }
  | { readonly type: 'file'; readonly path: string; readonly line?: number; readonly endLine?: number };

const scheme = /^([a-z][a-z0-9+.-]+):/i;
const webSchemes = new Set(['http', 'https', 'mailto']);
const lineSuffix = /^(.*?)(?:#L(\d+)(?:C\d+)?(?:-L?(\d+)(?:C\d+)?)?|:(\d+)(?::\d+)?(?:-(\d+))?|\((\d+)(?:,\s*\d+)?\))$/;

/**
 * Parses a link of untrusted text: `http`, `https`, and `mailto` addresses, and files (`file:` links or bare paths) with an optional line
 * (`:12`, `#L12`, `(12,5)`). Returns undefined for anything else, including commands and scripts.
 */
export function linkTarget(href: string): LinkTarget | undefined {
  const name = scheme.exec(href)?.[1]?.toLowerCase();
  if (name !== undefined && webSchemes.has(name)) return { type: 'web', href };
  let path = href;
  if (name === 'file') {
    try {
      const url = new URL(href);
      path = `${url.host ? `//${url.host}` : ''}${url.pathname}${url.hash}`.replace(/^\/([a-z]:)/i, '$1');
    } catch {
      // The address is invalid, so there is nothing to open.
      return undefined;
    }
  } else if (
    href.startsWith('//') ||
    (name !== undefined && !/^[a-z]:[\\/]/i.test(href) && !/^[^/:]+\.\w+:\d/.test(href))
  ) {
    return undefined;
  }
  // What is encoded belongs to the name: `a%23b.md` is the file a#b.md.
  const found = lineSuffix.exec(path);
  const line = Number(found?.[2] ?? found?.[4] ?? found?.[6]);
  const endLine = Number(found?.[3] ?? found?.[5]);
  let file = (found?.[1] ?? path).replace(/#.*$/, '');
  try {
    file = decodeURIComponent(file);
  } catch {
    // The path contains a literal percent sign, so it is used unchanged.
  }
  if (file === '') return undefined;
  if (!(line > 0)) return { type: 'file', path: file };
  return endLine >= line ? { type: 'file', path: file, line, endLine } : { type: 'file', path: file, line };
}

/** The plug-in is an ES module, which tests that are CommonJS get as a namespace. */
const cjkFriendly =
  (markdownItCjkFriendly as { readonly default?: typeof markdownItCjkFriendly }).default ?? markdownItCjkFriendly;

/** The only markdown parser: no HTML but a few tags without attributes, bare web addresses become links, and headings are below the page's own. */
export const markdownIt = createMarkdownIt();

function createMarkdownIt(): InstanceType<typeof MarkdownIt> {
  const md = new MarkdownIt({ html: false, linkify: true });
  // Without this, names such as readme.md or build.sh would become web addresses.
  md.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
  md.use(cjkFriendly);
  addMath(md);
  addMarkdownFence(md);
  addTags(md);
  md.validateLink = (href) => linkTarget(href) !== undefined;
  const { rules } = md.renderer;
  // Nothing is loaded from elsewhere, so an image in markdown is a link to it.
  rules['image'] = (tokens, index) => {
    const token = tokens[index];
    const src = String(token?.attrGet('src') ?? '');
    const text = token?.content === undefined || token.content === '' ? src : token.content;
    return `<a href="${md.utils.escapeHtml(src)}">${md.utils.escapeHtml(text)}</a>`;
  };
  // All of what follows the opening fence, as one class, because attributes of other names are removed later.
  rules['fence'] = (tokens, index) => {
    const { info = '', content = '' } = tokens[index] ?? {};
    const name = encodeURIComponent(
      md.utils
        .unescapeAll(info)
        .trim()
        .replace(/\p{Cs}/gu, ''),
    );
    return `<pre><code class="fence-${md.utils.escapeHtml(name)}">${md.utils.escapeHtml(content)}</code></pre>\n`;
  };
  const shift = (tokens: readonly { tag: string }[], index: number, close: boolean): string => {
    const level = Math.min(6, Number(tokens[index]?.tag.slice(1)) + 2);
    return close ? `</h${level}>\n` : `<h${level}>`;
  };
  rules['heading_open'] = (tokens, index) => shift(tokens, index, false);
  rules['heading_close'] = (tokens, index) => shift(tokens, index, true);
  // The page's content security policy forbids style attributes, so alignment is a class.
  const cell =
    (tag: string) => (tokens: readonly { attrGet(name: string): string | number | null }[], index: number) => {
      const align = /text-align:\s*(right|center)/.exec(String(tokens[index]?.attrGet('style') ?? ''))?.[1];
      return align === undefined ? `<${tag}>` : `<${tag} class="${align}">`;
    };
  rules['th_open'] = cell('th');
  rules['td_open'] = cell('td');
  return md;
}
