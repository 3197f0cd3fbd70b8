import type { EntryId } from '../../src/shared/ids';
import { ElicitationView } from '../entries/elicitationEntry';
import { ToolCallView } from '../entries/toolCall';
import type { EntryViews } from './entryViews';
import type { ReadGroups } from './readGroups';

/** Moves the focus to the group of the oldest open request. Returns whether there is one. */
export function focusOldestRequest(order: readonly EntryId[], views: EntryViews): boolean {
  for (const id of order) {
    const view = views.get(id);
    if (view instanceof ElicitationView && view.isOpen) {
      view.focusRequest();
      return true;
    }
    if (!(view instanceof ToolCallView) || view.entry.permission.state !== 'asked') continue;
    views.parentOf(view)?.step();
    view.showRequest();
    view.permission?.element.scrollIntoView({ block: 'nearest' });
    view.permission?.element.focus({ preventScroll: true });
    return view.permission !== undefined;
  }
  return false;
}

/** Scrolls to an entry, opens the row that may hide it, and moves the focus to it. Returns whether the entry exists. */
export function focusEntry(id: EntryId, views: EntryViews, groups: ReadGroups): boolean {
  const view = views.get(id);
  if (!view) return false;
  groups.reveal(view.element);
  const parent = views.parentOf(view);
  if (parent?.children.hidden) parent.toggle();
  parent?.step();
  view.element.scrollIntoView({ block: 'start' });
  view.element.focus({ preventScroll: true });
  return true;
}
