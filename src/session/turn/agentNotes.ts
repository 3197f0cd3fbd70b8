import * as l10n from '@vscode/l10n';
import type { Attachment } from '../../shared/content';
import type { Prompt } from '../../shared/transcript';

/** The address of the attachment with what the sandbox blocked. No file has it. */
const uri = 'attachment:///Sandbox.md';

/** For the agent, so it isn't translated. */
const preface = "The editor's sandbox, in which this agent and its commands run, has kept these things from them:";

/** How many notes one message has at most. */
const most = 20;

/** What an agent is told about its sandbox: each note once, with the next message, where the user sees it, too. */
export class AgentNotes {
  private readonly told = new Set<string>();
  private waiting: string[] = [];

  /** Adds a note, unless the agent has it. */
  add(note: string): void {
    if (this.told.has(note) || this.waiting.length >= most) return;
    this.told.add(note);
    this.waiting.push(note);
  }

  /** Returns a message with the notes that the agent doesn't have. */
  addTo(prompt: Prompt): Prompt {
    if (this.waiting.length === 0) return prompt;
    const text = `${[preface, ...this.waiting.map((note) => `- ${note}`)].join('\n')}\n`;
    this.waiting = [];
    const note: Attachment = { type: 'resource', uri, name: l10n.t('What the sandbox blocked'), text };
    return { ...prompt, attachments: [...(prompt.attachments ?? []), note] };
  }
}
