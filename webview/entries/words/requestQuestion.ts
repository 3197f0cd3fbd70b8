import * as l10n from '@vscode/l10n';
import type { RequestWords, SessionView, ToolCallEntry } from '../../../src/shared/transcript/transcript';
import { shortenMiddle, showHiddenOnOneLine } from '../../../src/shared/text/visibleText';
import { commandLineOf } from '../../../src/rules/requestedAction';
import { showPath } from '../../base/paths';
import { editorToolQuestion } from './editorToolWords';
import { isNewFile, plainTitle, singlePath, toolLabel } from './toolLabel';

type Asker = Pick<SessionView, 'agentName' | 'cwd'>;

/** Returns the question of a permission request, with the file name if it is about a single file. */
export function requestQuestion(entry: ToolCallEntry, { agentName, cwd }: Asker): string {
  if (entry.asks) return entry.asks.question;
  const words = ownWords(entry);
  // What such a request is about is only in its words, which are shown below.
  if (words && isOnlyWords(entry)) return l10n.t('{0} asks for permission', agentName);
  const path = singlePath(entry);
  const shown = path === undefined ? undefined : showPath(path, cwd);
  const name = shown && showHiddenOnOneLine(shortenMiddle(shown.name, 300));
  const isOutside = shown?.isOutside === true;
  switch (entry.toolKind) {
    case 'execute':
      // Codex asks so about tools of MCP servers, too.
      if (commandLineOf(entry.rawInput) === undefined) {
        const question = editorToolQuestion(entry, agentName);
        if (question !== undefined) return question;
      }
      return l10n.t('Let {0} run this command?', agentName);
    case 'read':
      if (isOutside && name !== undefined) return l10n.t('Let {0} read {1} outside this workspace?', agentName, name);
      return name === undefined
        ? l10n.t('Let {0} read this?', agentName)
        : l10n.t('Let {0} read {1}?', agentName, name);
    case 'edit':
    case 'move':
      if (isOutside && name !== undefined)
        return isCreated(entry)
          ? l10n.t('Let {0} create {1} outside this workspace?', agentName, name)
          : l10n.t('Let {0} edit {1} outside this workspace?', agentName, name);
      return changeQuestion(entry, agentName, name);
    case 'delete':
      return name === undefined
        ? l10n.t('Let {0} delete this?', agentName)
        : l10n.t('Let {0} delete {1}?', agentName, name);
    case 'fetch':
      return l10n.t('Let {0} fetch this URL?', agentName);
    case 'switch_mode':
      // A plan can be edited. Other requests only ask for the mode.
      if (entry.permission.state === 'asked' && entry.permission.takesEdit)
        return l10n.t('Approve {0}’s plan?', agentName);
      return l10n.t('Let {0} switch modes?', agentName);
    default:
      return editorToolQuestion(entry, agentName) ?? l10n.t('Let {0} use this tool?', agentName);
  }
}

/** Returns the agent's own words for an open request, if it has any. */
function ownWords({ permission }: ToolCallEntry): RequestWords | undefined {
  return permission.state === 'asked' ? permission.words : undefined;
}

/** Returns the agent's own words for an open request, except a title that the call's own line shows. */
export function ownLines(entry: ToolCallEntry, cwd: string): readonly string[] {
  const words = ownWords(entry);
  if (!words) return [];
  const { verb, object } = toolLabel(entry, cwd);
  const title = plainTitle(words.title);
  const isShown = title === '' || title === object || title === `${verb} ${object}`.trim();
  return [...(isShown ? [] : [words.title]), ...(words.description === undefined ? [] : [words.description])];
}

/** Returns whether a request is about no tool, command, or file that Parley knows. */
function isOnlyWords({ toolKind, content, locations, name }: ToolCallEntry): boolean {
  return toolKind === 'other' && name === undefined && content.length === 0 && locations.length === 0;
}

function isCreated(entry: ToolCallEntry): boolean {
  return entry.toolKind === 'edit' && isNewFile(entry);
}

/** Returns the question about an edit or a move. `name` is the name of the only file, if there is one. */
function changeQuestion(entry: ToolCallEntry, agentName: string, name: string | undefined): string {
  const isMove = entry.toolKind === 'move';
  if (name !== undefined && isCreated(entry)) return l10n.t('Let {0} create {1}?', agentName, name);
  if (name !== undefined)
    return isMove ? l10n.t('Let {0} move {1}?', agentName, name) : l10n.t('Let {0} edit {1}?', agentName, name);
  if (entry.content.some(({ type }) => type === 'diff' || type === 'change'))
    return l10n.t('Let {0} edit these files?', agentName);
  return isMove ? l10n.t('Let {0} move this file?', agentName) : l10n.t('Let {0} edit this file?', agentName);
}
