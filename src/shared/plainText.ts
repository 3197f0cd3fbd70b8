import { showHidden } from './visibleText';

/**
 * A text that a notification shows as it is. VS Code links `[label](target)` there and has no way to escape it, so a zero-width
 * space keeps the bracket and the parenthesis apart.
 */
export function plainMessage(text: string): string {
  return showHidden(text).replace(/\](?=\()/g, ']\u200B');
}

/** A text that stays as it is in a label that shows `$(name)` as an icon: quick picks, status bar items, trees. */
export function plainLabel(text: string): string {
  return showHidden(text).replace(/\$(?=\()/g, '\\$');
}

/** A text on one line that stays as it is in Markdown with or without icons: no link, no formatting, no icon, no HTML. */
export function plainMarkdown(text: string): string {
  return showHidden(text)
    .replace(/\s+/g, ' ')
    .replace(/[\\`*_{}[\]()#+\-.!<>|~$&@:]/g, '\\$&');
}
