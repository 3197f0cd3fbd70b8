import * as l10n from '@vscode/l10n';
import type { AgentMessageEntry, Entry } from '../../src/shared/transcript';
import { EntryActions } from './entryActions';
import { EntryView, type AppendedText, type EntryScope } from './entryView';
import { MessageParts } from './messageParts';
import { speakerOf } from './speaker';

/** A message of the agent: streaming prose. */
export class AgentMessageView extends EntryView {
  entry: AgentMessageEntry;
  private readonly parts: MessageParts;
  private readonly actions: EntryActions;

  constructor(scope: EntryScope, entry: AgentMessageEntry) {
    super(scope);
    this.entry = entry;
    this.element.className = 'pl-prose';
    this.parts = new MessageParts(this.element, scope);
    this.element.setAttribute('aria-label', speakerOf(scope.transcript, entry));
    const copy = (of: 'entry' | 'turn') => () =>
      scope.context.post({ type: 'copyMarkdown', session: scope.session, entry: this.entry.id, scope: of });
    this.actions = new EntryActions(this.element, () => [
      { glyph: 'copy', label: l10n.t('Copy answer'), act: copy('entry') },
      { glyph: 'markdown', label: l10n.t('Copy turn as Markdown'), act: copy('turn') },
    ]);
  }

  set(entry: Entry, appended?: readonly AppendedText[]): void {
    if (entry.kind !== 'agent_message') return;
    this.entry = entry;
    this.parts.set(entry.content, appended);
    this.actions.stayLast();
    this.settle();
  }

  step(): boolean {
    this.element.setAttribute('aria-label', speakerOf(this.scope.transcript, this.entry));
    this.settle();
    return true;
  }

  override dispose(): void {
    this.parts.clear();
    super.dispose();
  }

  private settle(): void {
    this.parts.settle(this.scope.isSettled(this.entry));
  }
}
