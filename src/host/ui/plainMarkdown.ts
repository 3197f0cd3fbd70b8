import * as vscode from 'vscode';
import { plainMarkdown } from '../../shared/text/plainText';
import { showHidden } from '../../shared/text/visibleText';

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

  /** Appends lines of code. Hidden characters are spelled out. */
  code(lines: readonly string[], language: string): void {
    this.start();
    this.text.appendCodeblock(lines.map(showHidden).join('\n'), language);
  }

  /** Appends a link to a command as a separate paragraph, or after the link before it. */
  link(icon: string, label: string, command: string, args: readonly unknown[], isSameLine = false): void {
    if (isSameLine) this.text.appendMarkdown('\u00a0\u00a0 ');
    else this.start();
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
