import { isRecord } from '../../../shared/values/isRecord';
import type { WorktreeLoss } from '../../../worktree/end/worktreeLoss';

/** What the user wants for the worktree of a session that ends. It outlives the window, as the deletion of the session does. */
export interface WorktreeEnd {
  /** The folder of git that has the note about the worktree. */
  readonly common: string;
  /** The id of that note. */
  readonly id: string;
  /** Whether everything is committed on its branch, or removed with it. */
  readonly how: 'save' | 'remove';
  /** What the user has seen that would be lost. */
  readonly agreed: WorktreeLoss;
}

/** Returns whether stored JSON is what the user wants for a worktree. */
export function isWorktreeEnd(json: unknown): json is WorktreeEnd {
  if (!isRecord(json) || !isRecord(json['agreed'])) return false;
  const { common, id, how, agreed } = json;
  const { uncommitted, overlooked, ignored, repositories, detached, unmerged, unpushed, tip } = agreed;
  const isText = (one: unknown) => typeof one === 'string';
  return (
    [common, id, tip].every(isText) &&
    (how === 'save' || how === 'remove') &&
    [uncommitted, overlooked, ignored].every((list) => Array.isArray(list) && list.every(isText)) &&
    Array.isArray(repositories) &&
    repositories.every((one) => isRecord(one) && isText(one['path']) && isText(one['kind'])) &&
    [detached, unmerged, unpushed].every((count) => typeof count === 'number')
  );
}
