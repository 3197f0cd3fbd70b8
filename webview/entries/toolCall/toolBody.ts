import * as l10n from '@vscode/l10n';
import { html, nothing, render, type TemplateResult } from 'lit-html';
import { compact } from '../../../src/shared/values/decodeValue';
import type { ContentBlock, ToolCallContent } from '../../../src/shared/transcript/content';
import { changeWords } from '../../../src/shared/transcript/fileChange';
import type { TerminalId } from '../../../src/shared/values/ids';
import type { TerminalView, ToolCallEntry } from '../../../src/shared/transcript/transcript';
import { isUnfinished } from '../../../src/shared/transcript/toolCallStatus';
import { showHiddenOnOneLine } from '../../../src/shared/text/visibleText';
import { DiffView } from '../../diffView/diffView';
import { MarkdownStream } from '../../markdown/markdownStream';
import { showPath } from '../../base/paths';
import { TerminalOutput, terminalName } from '../../terminal/terminalView';
import { contentBlock, isForUser } from '../view/contentBlock';
import type { EntryScope } from '../view/entryView';
import { outputText, type OutputText } from './outputText';
import { plainTitle, singlePath } from '../words/toolLabel';

/** Maximum number of diff rows: in an edit that is open automatically, after the user opened it, and in a request. */
export const diffLimits = { byItself: 12, opened: 20, asking: 400 };

interface Item {
  content: ToolCallContent;
  readonly element: HTMLElement;
  readonly diff?: DiffView;
  readonly stream?: MarkdownStream;
  /** The view of text that is a command's output or a file. */
  readonly output?: TerminalOutput;
  /** Whether the item contains a terminal's output. If false, the terminal was unknown when it was created. */
  readonly hasOutput?: boolean;
  readonly dispose: () => void;
}

/** The output of a tool call: text, diffs, terminals, images. Created when the card opens and kept with the entry. */
export class ToolBody {
  readonly element = document.createElement('div');
  private readonly scope: EntryScope;
  private readonly onCounts: () => void;
  private items: Item[] = [];

  constructor(scope: EntryScope, onCounts: () => void) {
    this.scope = scope;
    this.onCounts = onCounts;
    this.element.className = 'pl-out';
  }

  /** The lines added and removed by all diffs. Undefined until all are known, or if there are none. */
  get counts(): { added: number; removed: number } | undefined {
    const diffs = this.items.flatMap((item) => (item.diff ? [item.diff.counts] : []));
    if (diffs.length === 0) return undefined;
    const sum = { added: 0, removed: 0 };
    for (const counts of diffs) {
      if (!counts) return undefined;
      sum.added += counts.added;
      sum.removed += counts.removed;
    }
    return sum;
  }

  /** The visible output that the agent sent as text. */
  get outputs(): readonly TerminalOutput[] {
    return this.items.flatMap(({ output, element }) => (output && !element.hidden ? [output] : []));
  }

  /** Whether none of it is visible. */
  get isBlank(): boolean {
    return this.items.every(({ element }) => element.hidden);
  }

  /** Whether it hides a terminal until the terminal has output. */
  get hidesTerminal(): boolean {
    return this.items.some(({ content, element }) => content.type === 'terminal' && element.hidden);
  }

  set(entry: ToolCallEntry, limit: number): void {
    const isAsking = entry.permission.state === 'asked';
    const isEnded = !isUnfinished(entry.status);
    while (this.items.length > entry.content.length) this.drop(this.items.length - 1);
    for (const [index, content] of entry.content.entries()) {
      const item = this.items[index];
      if (!item || !this.update(item, entry, content)) this.place(index, this.create(entry, content, index, limit));
      const shown = this.items[index];
      shown?.diff?.setLimit(limit);
      if (shown && content.type === 'terminal') this.nameTerminal(shown.element, content, isAsking);
      if (isEnded) shown?.stream?.end();
    }
  }

  dispose(): void {
    while (this.items.length > 0) this.drop(this.items.length - 1);
  }

  private drop(index: number): void {
    const [item] = this.items.splice(index, 1);
    item?.dispose();
    item?.element.remove();
  }

  private place(index: number, item: Item): void {
    const old = this.items[index];
    if (old) {
      old.dispose();
      old.element.replaceWith(item.element);
    } else {
      this.element.append(item.element);
    }
    this.items[index] = item;
  }

  /** Returns whether the item can show the new content without being recreated. */
  private update(item: Item, entry: ToolCallEntry, content: ToolCallContent): boolean {
    const old = item.content;
    const text = outputText(entry, content);
    if ((text === undefined) !== (item.output === undefined)) return false;
    if (text && item.output) {
      item.output.set(asTerminal(entry, text));
      item.element.setAttribute('aria-label', outputName(entry));
      item.element.hidden = text.text.trim() === '';
      item.content = content;
      return true;
    }
    if (item.hasOutput === false && old.type === 'terminal' && this.scope.transcript.terminals.has(old.terminalId)) {
      return false;
    }
    if (old === content) return true;
    if (old.type === 'diff' && content.type === 'diff') {
      if (old.path !== content.path || old.oldText !== content.oldText || old.newText !== content.newText) return false;
      item.diff?.setLine(content.line);
      item.content = content;
      return true;
    }
    if (old.type === 'terminal' && content.type === 'terminal') return old.terminalId === content.terminalId;
    if (old.type !== 'content' || content.type !== 'content') return false;
    const [before, after] = [old.content, content.content];
    if (before.type === 'text' && after.type === 'text' && item.stream && after.text.startsWith(before.text)) {
      item.stream.append(after.text.slice(before.text.length));
      item.content = content;
      return true;
    }
    return sameBlock(before, after);
  }

  private create(entry: ToolCallEntry, content: ToolCallContent, index: number, limit: number): Item {
    switch (content.type) {
      case 'diff':
        return this.diff(entry, content, index, limit);
      case 'terminal':
        return this.terminal(content);
      case 'content': {
        const text = outputText(entry, content);
        return text ? this.output(entry, content, text) : this.block(content);
      }
      case 'change': {
        const element = document.createElement('div');
        element.className = 'pl-path';
        const short = (path: string) => showPath(path, this.scope.transcript.view.cwd).short;
        element.textContent = showHiddenOnOneLine(changeWords(content, short));
        element.title = changeWords(content);
        return { content, element, dispose: () => undefined };
      }
      case 'unknown': {
        const element = document.createElement('div');
        element.hidden = true;
        return { content, element, dispose: () => undefined };
      }
    }
  }

  private diff(entry: ToolCallEntry, content: ToolCallContent & { type: 'diff' }, index: number, limit: number): Item {
    const path = showPath(content.path, this.scope.transcript.view.cwd);
    const input = {
      path: path.short,
      oldText: content.oldText ?? '',
      newText: content.newText,
      ...compact({ line: content.line }),
    };
    const diff = new DiffView(input, limit, this.scope.queue, this.scope.viewport, this.onCounts);
    diff.element.dataset['toolCall'] = entry.toolCallId;
    diff.element.dataset['index'] = String(index);
    if (singlePath(entry) === undefined) {
      const caption = document.createElement('div');
      caption.className = 'pl-path';
      render(locationLink(content.path, undefined, this.scope.transcript.view.cwd), caption);
      diff.element.prepend(caption);
    }
    return { content, element: diff.element, diff, dispose: () => diff.dispose() };
  }

  private terminal(content: ToolCallContent & { type: 'terminal' }): Item {
    const element = document.createElement('div');
    element.setAttribute('role', 'region');
    const output: TerminalOutput | undefined = this.scope.terminalOutput(content.terminalId);
    if (output) element.append(output.element);
    else {
      element.className = 'note';
      element.textContent = l10n.t('The output is no longer available.');
    }
    return { content, element, hasOutput: output !== undefined, dispose: () => undefined };
  }

  private output(entry: ToolCallEntry, content: ToolCallContent, text: OutputText): Item {
    const { queue, viewport } = this.scope;
    const output = new TerminalOutput(asTerminal(entry, text), queue, viewport, undefined, text.keeps);
    const element = document.createElement('div');
    element.setAttribute('role', 'region');
    element.setAttribute('aria-label', outputName(entry));
    element.hidden = text.text.trim() === '';
    element.append(output.element);
    return { content, element, output, dispose: () => output.dispose() };
  }

  /** Sets a terminal's name. Agents report a terminal's command late, and announce a terminal before they ask to run it. */
  private nameTerminal(element: HTMLElement, content: ToolCallContent & { type: 'terminal' }, isAsking: boolean): void {
    const state = this.scope.transcript.terminals.get(content.terminalId);
    element.setAttribute('aria-label', state ? terminalName(state) : l10n.t('Terminal'));
    element.hidden = isAsking && (state?.output ?? '') === '';
  }

  private block(content: ToolCallContent & { type: 'content' }): Item {
    const block = content.content;
    const element = document.createElement('div');
    element.className = 'pl-text pl-prose';
    if (block.type === 'text') {
      const stream = new MarkdownStream(this.scope.queue, this.scope.viewport, this.scope.paths);
      stream.append(block.text);
      element.append(stream.element);
      element.hidden = !isForUser(block) || block.text.trim() === '';
      return { content, element, stream, dispose: () => stream.dispose() };
    }
    render(contentBlock(block), element);
    return { content, element, dispose: () => undefined };
  }
}

function outputName({ title, name }: ToolCallEntry): string {
  return l10n.t('Output: {0}', plainTitle(title) || (name ?? ''));
}

/** Returns text as the output of a terminal that has exited. Agents send all of it again when there is more. */
function asTerminal({ toolCallId, startedAt, endedAt = startedAt }: ToolCallEntry, { text }: OutputText): TerminalView {
  return {
    terminalId: toolCallId as string as TerminalId,
    driver: 'agent',
    command: '',
    cwd: '',
    output: text,
    hidden: 0,
    startedAt,
    exit: { state: 'exited', endedAt },
  };
}

function sameBlock(before: ContentBlock, after: ContentBlock): boolean {
  if (before.type !== after.type) return false;
  return JSON.stringify(before) === JSON.stringify(after);
}

/** Renders a link to a place in a file. Its name begins with the file name. */
export function locationLink(path: string, line: number | undefined, cwd: string): TemplateResult {
  const shown = showPath(path, cwd);
  const name = line === undefined ? shown.name : `${shown.name}:${line}`;
  return html`<a role="link" tabindex="0" class="ref" data-path=${path} data-line=${line ?? nothing} title=${path}
    >${name}${shown.folder === '' ? nothing : html` <span class="dir">${shown.folder}</span>`}</a
  >`;
}
