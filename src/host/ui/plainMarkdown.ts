import * as vscode from 'vscode';
import { plainMarkdown } from '../../shared/plainText';

/**
 * The only place that makes Markdown for VS Code. Texts are shown as they are; links run a command of ours and no other, and what they
 * are called isn't taken from outside.
 */
export class PlainMarkdown {
  private readonly text = new vscode.MarkdownString('', true);

  /** `commands`: the only ones that links of it may run. */
  constructor(...commands: readonly string[]) {
    this.text.isTrusted = { enabledCommands: commands };
  }

  get value(): vscode.MarkdownString {
    return this.text;
  }

  /** Appends a paragraph. */
  say(text: string): void {
    this.start();
    this.text.appendMarkdown(plainMarkdown(text));
  }

  /** Appends a link to a command as a paragraph of its own. */
  link(icon: string, label: string, command: string, args: readonly unknown[]): void {
    this.start();
    const target = `command:${command}?${encodeURIComponent(JSON.stringify(args)).replace(/[()]/g, percent)}`;
    this.text.appendMarkdown(`[$(${icon}) ${plainMarkdown(label)}](${target})`);
  }

  private start(): void {
    if (this.text.value !== '') this.text.appendMarkdown('\n\n');
  }
}

/** A parenthesis, which `encodeURIComponent` keeps, would end the link. */
function percent(character: string): string {
  return `%${character.charCodeAt(0).toString(16)}`;
}
