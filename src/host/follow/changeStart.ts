import type { ToolCallContent } from '../../shared/transcript/content';

type Diff = ToolCallContent & { readonly type: 'diff' };

/** Returns the line of the file where a diff's first difference is, starting at 1. Undefined if unknown. */
export function changeStart({ oldText, newText, line }: Diff): number | undefined {
  if (oldText === undefined) return 1;
  if (line === undefined || line < 1) return undefined;
  const [before, after] = [oldText.split('\n'), newText.split('\n')];
  const first = after.findIndex((text, index) => text !== before[index]);
  return line + (first < 0 ? 0 : first);
}
