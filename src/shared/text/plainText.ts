import { showHidden } from './visibleText';

/**
 * Returns a text that a notification shows unchanged. VS Code turns `[label](target)` into a link there and has no
 * escape, so a zero-width space separates the bracket and the parenthesis.
 */
export function plainMessage(text: string): string {
  return showHidden(text).replace(/\](?=\()/g, ']\u200B');
}

/** Returns a text that stays unchanged in labels where `$(name)` is an icon: quick picks, status bar items, trees. */
export function plainLabel(text: string): string {
  return showHidden(text).replace(/\$(?=\()/g, '\\$');
}

/**
 * Returns a text on one line that stays unchanged in Markdown, with or without icons: no link, formatting, icon, or
 * HTML.
 */
export function plainMarkdown(text: string): string {
  return showHidden(text)
    .replace(/\s+/g, ' ')
    .replace(/[\\`*_{}[\]()#+\-.!<>|~$&@:]/g, '\\$&');
}
