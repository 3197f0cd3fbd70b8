import * as l10n from '@vscode/l10n';
import type { Attachment } from '../../shared/transcript/content';
import type { Prompt } from '../../shared/transcript/transcript';

/** What an agent can't know by itself: what its sandbox has kept from it, and what the user has undone of its changes. */
export type NoteTopic = 'sandbox' | 'undone';

/** How the attachments begin. For the agent, so it isn't translated. */
const prefaces: Readonly<Record<NoteTopic, string>> = {
  sandbox: "The editor's sandbox, in which this agent and its commands run, has kept these things from them:",
  undone:
    "The user has undone these changes of yours in the review. Don't make them again unless the user asks for it:",
};

/** How many notes of a topic one message has at most. */
const most = 20;

interface Note {
  readonly topic: NoteTopic;
  readonly key: string;
  readonly text: string;
}

/** What an agent is told with the user's next message, where the user sees it, too. */
export class AgentNotes {
  /** The sandbox says the same again and again. */
  private readonly told = new Set<string>();
  private waiting: readonly Note[] = [];

  /** Adds a note about the sandbox, unless the agent has it. */
  add(note: string): void {
    if (this.told.has(note) || this.of('sandbox').length >= most) return;
    this.told.add(note);
    this.waiting = [...this.waiting, { topic: 'sandbox', key: note, text: note }];
  }

  /** Sets what was undone in a file; undefined if the changes are back, and the agent doesn't know of the undo. */
  setUndone(file: string, note: string | undefined): void {
    const others = this.waiting.filter(({ topic, key }) => topic !== 'undone' || key !== file);
    this.waiting = note === undefined ? others : [...others, { topic: 'undone', key: file, text: note }];
  }

  /** Returns a message with the notes that the agent doesn't have. */
  addTo(prompt: Prompt): Prompt {
    const attachments = (['sandbox', 'undone'] as const).flatMap((topic) => this.attachmentOf(topic) ?? []);
    this.waiting = [];
    return attachments.length === 0
      ? prompt
      : { ...prompt, attachments: [...(prompt.attachments ?? []), ...attachments] };
  }

  private of(topic: NoteTopic): readonly Note[] {
    return this.waiting.filter((note) => note.topic === topic);
  }

  private attachmentOf(topic: NoteTopic): Attachment | undefined {
    const notes = this.of(topic);
    if (notes.length === 0) return undefined;
    const more = notes.length - most;
    const lines = notes.slice(0, most).map(({ text }) => `- ${text}`);
    const text = [prefaces[topic], ...lines, ...(more > 0 ? [`- and ${more} more`] : []), ''].join('\n');
    // No file has these addresses.
    return topic === 'sandbox'
      ? { type: 'resource', uri: 'attachment:///Sandbox.md', name: l10n.t('What the sandbox blocked'), text }
      : { type: 'resource', uri: 'attachment:///Undone.md', name: l10n.t('What you undid'), text };
  }
}
