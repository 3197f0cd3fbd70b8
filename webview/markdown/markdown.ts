import DOMPurify from 'dompurify';
import { createCodeBlock } from '../code/codeBlock';
import { createMath } from '../math/math';
import { linkTarget, markdownIt, type MarkdownEnv } from './markdownIt';

const allowedTags = [
  'a',
  'blockquote',
  'br',
  'code',
  'del',
  'details',
  'em',
  'h3',
  'h4',
  'h5',
  'h6',
  'hr',
  'kbd',
  'li',
  'ol',
  'p',
  'pre',
  's',
  'strong',
  'sub',
  'summary',
  'sup',
  'table',
  'tbody',
  'td',
  'th',
  'thead',
  'tr',
  'ul',
];

/** Allows web addresses, `file:`, and bare paths. `linkTarget` makes the final decision. */
const allowedUri = /^(?:https?:|mailto:|file:|[^a-z]|[a-z+.-]+(?:[^a-z+.\-:]|$)|[a-z]:[\\/]|[\w./-]+\.\w+:\d)/i;

/** Reused for all calls, because DOMPurify parses a configuration again whenever it is another object. */
const cleaning = {
  ALLOWED_TAGS: allowedTags,
  ALLOWED_ATTR: ['href', 'class', 'start'],
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  ALLOWED_URI_REGEXP: allowedUri,
  RETURN_DOM_FRAGMENT: true as const,
};

/**
 * Renders untrusted markdown as DOM that loads nothing and navigates nowhere: no HTML, links that only the page's click handler follows,
 * and code blocks with a header. `env` carries link definitions between pieces.
 */
export function renderMarkdown(source: string, env: MarkdownEnv = {}): DocumentFragment {
  const fragment = DOMPurify.sanitize(markdownIt.render(source, env as Record<string, never>), cleaning);
  finish(fragment, source);
  return fragment;
}

/** Letters that are written from right to left. */
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]|[\ud802\ud803\ud83a\ud83b]/;

function finish(fragment: DocumentFragment, source: string): void {
  if (rightToLeft.test(source)) followDirection(fragment);
  for (const link of fragment.querySelectorAll('a')) finishLink(link);
  if (/\[[ xX]\]/.test(source)) for (const item of fragment.querySelectorAll('li')) finishTask(item);
  for (const table of fragment.querySelectorAll('table')) {
    const frame = document.createElement('div');
    frame.className = 'pl-table';
    frame.tabIndex = 0;
    table.replaceWith(frame);
    frame.append(table);
  }
  for (const pre of fragment.querySelectorAll('pre')) {
    const code = pre.firstElementChild;
    const info = decodeURIComponent(/^fence-(\S+)$/.exec(code?.className ?? '')?.[1] ?? '');
    const text = pre.textContent;
    pre.replaceWith(createCodeBlock(info, text));
  }
  for (const code of fragment.querySelectorAll('code.math')) code.replaceWith(createMath(code.textContent));
}

/** Puts the markers of lists, the bars of quotes, and the columns of tables on the side where their text begins. */
function followDirection(fragment: DocumentFragment): void {
  for (const block of fragment.querySelectorAll<HTMLElement>('ul, ol, blockquote, table')) block.dir = 'auto';
}

/** Moves the address from `href` to `data-href`, so that only the click handler follows it, and neither browser nor editor. */
function finishLink(link: HTMLAnchorElement): void {
  const href = link.getAttribute('href') ?? '';
  link.removeAttribute('href');
  if (!linkTarget(href)) return;
  link.dataset['href'] = href;
  link.setAttribute('role', 'link');
  link.tabIndex = 0;
  link.title = href;
}

function finishTask(item: HTMLLIElement): void {
  const first = item.firstChild instanceof HTMLParagraphElement ? item.firstChild.firstChild : item.firstChild;
  if (!(first instanceof Text)) return;
  const box = /^\s*\[([ xX])\]\s/.exec(first.data);
  if (!box) return;
  first.data = (box[1] === ' ' ? '☐ ' : '☑ ') + first.data.slice(box[0].length);
  item.className = 'task';
}
