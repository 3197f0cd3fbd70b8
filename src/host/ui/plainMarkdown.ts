import * as vscode from 'vscode';
import { plainMarkdown } from '../../shared/plainText';

/**
 * The only place that creates Markdown for VS Code. Texts are escaped. Links run only Parley's own commands, and their
 * labels never come from outside.
 */
export class PlainMarkdown {
  private readonly text = new vscode.MarkdownString('', true);

  /** `commands` lists the only commands that its links may run. */
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

  /** Appends a link to a command as a separate paragraph. */
  link(icon: string, label: string, command: string, args: readonly unknown[]): void {
    this.start();
    const target = `command:${command}?${encodeURIComponent(JSON.stringify(args)).replace(/[()]/g, percent)}`;
    this.text.appendMarkdown(`[$(${icon}) ${plainMarkdown(label)}](${target})`);
  }

  private start(): void {
    if (this.text.value !== '') this.text.appendMarkdown('\n\n');
  }
}

/** Escapes a parenthesis, which `encodeURIComponent` keeps and which would end the link. */
function percent(character: string): string {
  return `%${character.charCodeAt(0).toString(16)}`;
}
