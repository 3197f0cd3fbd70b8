import type { FileChange, ToolCallContent } from '../../shared/transcript/content';
import {
  asList,
  asObject,
  asOneOf,
  asRaw,
  asString,
  compact,
  isAbsent,
  type JsonObject,
} from '../../shared/values/decodeValue';
import { readGitPatch, type FilePatch } from './gitPatch';

const operations = ['add', 'delete', 'modify', 'move', 'copy'] as const;

/**
 * Reads a diff (https://agentclientprotocol.com/protocol/v2/tool-calls#diffs) as one item per changed place. The list of
 * changes counts, and a patch shows as much of them as it has. Neither has whole texts. A part that isn't understood
 * becomes `unknown`, so that the user and the rules see that there is more.
 */
export function decodeDiff(diff: JsonObject): readonly ToolCallContent[] {
  const changes = asList(diff['changes'], decodeChange);
  const patches = decodePatch(diff['patch']);
  const isWhole =
    changes !== undefined && patches !== undefined && changes.length === (diff['changes'] as readonly unknown[]).length;
  const shown = new Set<FilePatch>();
  const items: ToolCallContent[] = (changes ?? []).flatMap((change) => {
    const patch = patches?.find((one) => !shown.has(one) && isOf(one, change));
    if (patch) shown.add(patch);
    const hunks = patch ? hunksOf(patch) : [];
    // A patch that also moves the file says more than the list.
    const from = patch?.newPath === undefined ? undefined : patch.oldPath;
    if (from !== undefined && from !== change.path && from !== change.oldPath) {
      return [{ ...change, operation: 'other', oldPath: from }, ...hunks];
    }
    const isToldByHunks = change.operation === 'add' || change.operation === 'modify';
    return hunks.length > 0 && isToldByHunks ? hunks : [change, ...hunks];
  });
  for (const patch of patches ?? []) if (!shown.has(patch)) items.push(...unlisted(patch));
  return isWhole ? items : [...items, { type: 'unknown', raw: asRaw(diff) }];
}

function decodeChange(value: unknown): FileChange | undefined {
  const change = asObject(value);
  const path = asString(change?.['path']);
  if (!change || !path) return undefined;
  const oldPath = asString(change['oldPath']);
  return {
    type: 'change',
    operation: asOneOf(change['operation'], operations) ?? 'other',
    path,
    ...compact({ oldPath }),
    ...(change['fileType'] === 'binary' ? { isBinary: true } : {}),
  };
}

/** Returns the patches of the files; none if there is no patch, undefined if it isn't understood. */
function decodePatch(value: unknown): readonly FilePatch[] | undefined {
  if (isAbsent(value)) return [];
  const patch = asObject(value);
  const text = asString(patch?.['text']);
  return patch?.['format'] === 'git_patch' && text !== undefined ? readGitPatch(text) : undefined;
}

function isOf({ oldPath, newPath }: FilePatch, { path }: FileChange): boolean {
  return (newPath ?? oldPath) === path;
}

function hunksOf({ oldPath, newPath, hunks }: FilePatch): readonly ToolCallContent[] {
  const path = newPath ?? oldPath;
  if (path === undefined) return [];
  return hunks.map(({ oldText, newText, line }) => ({
    type: 'diff',
    path,
    ...(oldPath === undefined ? {} : { oldText }),
    newText,
    line,
  }));
}

/** Returns what a patch changes beyond the list. */
function unlisted(patch: FilePatch): readonly ToolCallContent[] {
  const { oldPath, newPath } = patch;
  const hunks = hunksOf(patch);
  if (hunks.length > 0 && newPath !== undefined && (oldPath === undefined || oldPath === newPath)) return hunks;
  const path = newPath ?? oldPath;
  if (path === undefined) return [];
  const operation = newPath === undefined ? 'delete' : oldPath === undefined ? 'add' : 'other';
  const from = oldPath === undefined || oldPath === path ? {} : { oldPath };
  return [{ type: 'change', operation, path, ...from }, ...hunks];
}
