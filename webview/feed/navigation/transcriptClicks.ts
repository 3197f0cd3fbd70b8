import * as l10n from '@vscode/l10n';
import type { Attachment, ContentBlock, SavableBlock } from '../../../src/shared/transcript/content';
import type { ToolCallId } from '../../../src/shared/values/ids';
import type { CodeAction } from '../../../src/shared/pages/messages';
import { pathMentions } from '../../../src/shared/text/pathMentions';
import { hasOpenMenu, openMenu } from '../../base/menu';
import { codeMenuItems } from '../../code/codeBar';
import { codeInfo, codeText } from '../../code/codeBlock';
import type { PageContext } from '../../state/pageContext';
import { linkTarget } from '../../markdown/markdownIt';

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
  const { href, path, act } = target.dataset;
  if (act !== undefined) {
    handleButton(target, act, context);
  } else if (path !== undefined) {
    if (session !== '') context.post({ type: 'openLocation', session, path, ...placeOf(target.dataset) });
  } else if (href !== undefined) {
    const found = linkTarget(href);
    if (found?.type === 'web') context.post({ type: 'openLink', href: found.href });
    else if (found && session !== '') {
      context.post({ ...found, type: 'openLocation', session });
    }
  }
}

function placeOf({ line, column, endLine }: DOMStringMap): { line?: number; column?: number; endLine?: number } {
  if (line === undefined) return {};
  return {
    line: Number(line),
    ...(column === undefined ? {} : { column: Number(column) }),
    ...(endLine === undefined ? {} : { endLine: Number(endLine) }),
  };
}

function handleButton(target: HTMLElement, act: string, context: PageContext): void {
  const block = target.closest<HTMLElement>('.pl-code');
  if (act === 'copyCode' && block) {
    context.post({ type: 'copyText', text: codeText(block) });
    confirm(target);
  } else if (act === 'insertCode' && block) {
    context.post({ type: 'insertAtCursor', text: codeText(block) });
  } else if (act === 'codeMenu' && block) {
    if (!hasOpenMenu(target)) openCodeMenu(target, block, context);
  } else if (act in codeActions && block) {
    useCode(block, codeActions[act as keyof typeof codeActions], context);
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

const codeActions = { applyCode: 'apply', createCode: 'create', runCode: 'run' } as const;

function openCodeMenu(button: HTMLElement, block: HTMLElement, context: PageContext): void {
  const items = codeMenuItems(codeInfo(block), (act) => useCode(block, codeActions[act], context));
  openMenu(button, l10n.t('More actions for this code'), items);
}

function useCode(block: HTMLElement, action: CodeAction, context: PageContext): void {
  const { session } = context;
  if (session === '') return;
  if (isUnfinished(block)) {
    context.announce(l10n.t('The code isn’t complete yet.'));
    return;
  }
  const hints = pathsBefore(block);
  context.post({ type: 'useCode', session, action, text: codeText(block), info: codeInfo(block), hints });
}

/** Returns whether more of a code block is expected. */
function isUnfinished(block: HTMLElement): boolean {
  return block.dataset['open'] !== undefined || block.closest('.pl-md-group.live') !== null;
}

/** Maximum number of blocks before code in which a path may name its file. */
const blocksBefore = 2;

/** Returns the paths in the text just before a code block, the nearest first. */
function pathsBefore(block: HTMLElement): string[] {
  const paths: string[] = [];
  let at: Element | null = block;
  for (let count = 0; count < blocksBefore; count++) {
    const group: Element | null = at.closest('.pl-md-group');
    at = at.previousElementSibling ?? group?.previousElementSibling?.lastElementChild ?? null;
    // Code before this code has a file of its own, and so has the text before it.
    if (!at || at.matches('.pl-code')) break;
    paths.push(
      ...pathMentions(at.textContent.slice(-2000))
        .map(({ path }) => path)
        .reverse(),
    );
  }
  return [...new Set(paths)].slice(0, 10);
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
