import type { Attachment, ContentBlock, SavableBlock } from '../../src/shared/content';
import type { ToolCallId } from '../../src/shared/ids';
import { codeText } from '../code/codeBlock';
import type { PageContext } from '../state/pageContext';
import { linkTarget } from '../markdown/markdownIt';

/**
 * Handles clicks on links and buttons of plain DOM. Links have no address that a browser could follow: their target is resolved here, and
 * only the host opens anything.
 */
export function handleClick(event: Event, context: PageContext): void {
  const target =
    event.target instanceof Element ? event.target.closest<HTMLElement>('[data-href],[data-path],[data-act]') : null;
  if (!target) return;
  event.preventDefault();
  const { session } = context;
  const { href, path, line, act } = target.dataset;
  if (act !== undefined) {
    handleButton(target, act, context);
  } else if (path !== undefined) {
    if (session !== '') context.post({ type: 'openLocation', session, path, ...(line ? { line: Number(line) } : {}) });
  } else if (href !== undefined) {
    const found = linkTarget(href);
    if (found?.type === 'web') context.post({ type: 'openLink', href: found.href });
    else if (found && session !== '') {
      const { path: file, line: at } = found;
      context.post({ type: 'openLocation', session, path: file, ...(at === undefined ? {} : { line: at }) });
    }
  }
}

function handleButton(target: HTMLElement, act: string, context: PageContext): void {
  const block = target.closest('.pl-code');
  if (act === 'copyCode' && block) {
    context.post({ type: 'copyText', text: codeText(block) });
    confirm(target);
  } else if (act === 'insertCode' && block) {
    context.post({ type: 'insertAtCursor', text: codeText(block) });
  } else if (act === 'preview') {
    const { attachment } = target as HTMLElement & { readonly attachment?: Attachment };
    if (attachment) context.preview(attachment);
  } else if (act === 'saveContent' || act === 'openText') {
    const { block } = target as HTMLElement & { readonly block?: ContentBlock };
    if (block?.type === 'resource') context.post({ type: 'openText', uri: block.uri, text: block.text });
    else if (block && isSavable(block)) context.post({ type: 'saveContent', block });
  } else if (act === 'openDiff' && context.session !== '') {
    const figure = target.closest<HTMLElement>('[data-tool-call]');
    const toolCall = figure?.dataset['toolCall'] as ToolCallId | undefined;
    const index = Number(figure?.dataset['index']);
    if (toolCall !== undefined) context.post({ type: 'openDiff', session: context.session, toolCall, index });
  }
}

function isSavable(block: ContentBlock): block is SavableBlock {
  return block.type === 'image' || block.type === 'audio' || block.type === 'resource_blob';
}

/** Shows briefly that the text was copied. The button keeps its size and name. */
function confirm(button: HTMLElement): void {
  const glyph = button.querySelector('.codicon');
  if (!glyph?.classList.contains('codicon-copy')) return;
  glyph.classList.replace('codicon-copy', 'codicon-check');
  setTimeout(() => glyph.classList.replace('codicon-check', 'codicon-copy'), 1500);
}

/** Makes Enter on a link act like a click. Without an address, the browser doesn't. */
export function handleLinkKey(event: KeyboardEvent, context: PageContext): boolean {
  if (event.key !== 'Enter' || !(event.target instanceof HTMLElement) || event.target.getAttribute('role') !== 'link') {
    return false;
  }
  handleClick(event, context);
  return true;
}
