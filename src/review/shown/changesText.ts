import { diffText } from '../../shared/diff/diffText';

/** A file before and after the changes. Undefined if it didn't exist, or doesn't any more. */
export interface ChangedText {
  /** For the reader: relative to the folder, with slashes. */
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** The number of characters of a text for an agent. */
const longest = 100_000;

/** Returns changes as one unified diff. Files that don't fit are listed at the end by their paths. */
export function changesText(files: readonly ChangedText[]): string {
  const parts: string[] = [];
  const left: string[] = [];
  let room = longest;
  for (const { path, before, after } of files) {
    // A name with a line break could begin a line of its own.
    const name = path.replace(/[\r\n\u2028\u2029]/g, ' ');
    const head = [
      before === undefined ? '--- /dev/null' : `--- a/${name}`,
      after === undefined ? '+++ /dev/null' : `+++ b/${name}`,
    ];
    const part = `${head.join('\n')}\n${diffText(before ?? '', after ?? '')}\n`;
    if (part.length > room) left.push(name);
    else {
      parts.push(part);
      room -= part.length;
    }
  }
  const more = left.length === 0 ? '' : `# Left out because the diff is too long: ${left.join(', ')}\n`;
  return parts.join('') + more;
}
