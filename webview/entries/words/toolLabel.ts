import * as l10n from '@vscode/l10n';
import { changedPaths } from '../../../src/shared/transcript/fileChange';
import { wasRejected } from '../../../src/shared/transcript/openQuestion';
import { commandLineOf } from '../../../src/rules/requestedAction';
import type { ToolCallEntry, ToolKind } from '../../../src/shared/transcript/transcript';
import { editorToolWords } from './editorToolWords';
import { showHidden } from '../../../src/shared/text/visibleText';
import { showPath } from '../../base/paths';

/** The label of a tool call's row: a verb, an object, and a place. */
export interface ToolLabel {
  readonly verb: string;
  readonly object: string;
  readonly folder: string;
  /** Whether the object is code: a command, a pattern, or an address. */
  readonly isCode: boolean;
  /** The whole path, and the line, if the object is the name of a file. */
  readonly path?: string;
  readonly icon: string;
}

type Tense = 'todo' | 'now' | 'done';

/** Returns the label of a call. `cwd` is the session's folder. */
export function toolLabel(entry: ToolCallEntry, cwd: string): ToolLabel {
  const tense = tenseOf(entry);
  const { toolKind } = entry;
  const icon = toolIcon(entry);
  const title = plainTitle(entry.title);
  // A request shows what the agent sent.
  const words = tense === 'todo' ? undefined : editorToolWords(entry, tense === 'done');
  if (words) return { ...words, folder: '', isCode: false, icon };
  const path = singlePath(entry);
  if (path !== undefined && (toolKind === 'read' || toolKind === 'edit' || toolKind === 'delete')) {
    const shown = showPath(path, cwd);
    const line = toolKind === 'read' ? (entry.locations[0]?.line ?? 1) : 1;
    const atLine = (place: string) =>
      line > 1 ? [place, l10n.t('line {0}', line)].filter(Boolean).join(' · ') : place;
    const folder = atLine(shown.folder);
    return { verb: pathVerb(entry, tense), object: shown.name, folder, isCode: false, path: atLine(shown.short), icon };
  }
  const command = toolKind === 'execute' ? commandOf(entry) : undefined;
  if (command !== undefined) {
    const first = command.trim().split('\n')[0] ?? command;
    return { verb: verbs().execute[tense], object: first, folder: '', isCode: true, icon };
  }
  const subject = subjectOf(entry);
  if (subject !== undefined) {
    return { verb: verbs()[toolKind][tense], object: subject, folder: searchFolder(entry, cwd), isCode: true, icon };
  }
  // The agent's own title. Adding a verb would repeat the one in it.
  const object = title === '' ? (entry.name ?? l10n.t('Tool')) : title;
  return { verb: '', object, folder: '', isCode: false, icon };
}

/** Returns the command line that a tool call asks to run, or undefined if it doesn't say. */
export function commandOf(entry: ToolCallEntry): string | undefined {
  return commandLineOf(entry.rawInput, entry.toolKind) ?? /^`+([^`]+)`+$/.exec(entry.title.trim())?.[1];
}

/** Returns the title without the backticks that agents put around code, and with hidden characters spelled out. */
export function plainTitle(title: string): string {
  return showHidden(title.replaceAll('`', '').trim());
}

export function toolIcon(entry: ToolCallEntry): string {
  const icons: Readonly<Record<ToolKind, string>> = {
    read: 'file-code',
    edit: isNewFile(entry) ? 'new-file' : 'edit',
    delete: 'trash',
    move: 'file-symlink-file',
    search: 'search',
    execute: 'terminal',
    think: 'thinking',
    fetch: 'globe',
    switch_mode: 'arrow-swap',
    other: 'tools',
  };
  return icons[entry.toolKind];
}

/** Returns whether every diff of the call creates a file. Agents mark that in three ways. */
export function isNewFile(entry: ToolCallEntry): boolean {
  const diffs = entry.content.filter((item) => item.type === 'diff');
  return diffs.length > 0 && diffs.every(({ oldText = '' }) => oldText === '');
}

/** Returns the path of the call's only file, if there is exactly one. */
export function singlePath(entry: ToolCallEntry): string | undefined {
  const paths = new Set(entry.content.flatMap(changedPaths));
  // The user's answer applies to everything that was asked, whatever the agent shows later.
  if (paths.size === 0 || entry.permission.state === 'answered')
    for (const location of entry.locations) paths.add(location.path);
  return paths.size === 1 ? [...paths][0] : undefined;
}

/** Returns whether a call may fold into a summary row: finished reads and searches without a request. */
export function isQuiet(entry: ToolCallEntry): boolean {
  const isLook = entry.toolKind === 'read' || entry.toolKind === 'search';
  return isLook && entry.status === 'completed' && entry.permission.state === 'none';
}

/** Returns whether a call may fold into a row of edits: it is done, shows what it changed, and nothing of it needs attention. */
export function isDoneEdit(entry: ToolCallEntry): boolean {
  if (entry.toolKind !== 'edit' || entry.status !== 'completed' || entry.blocked !== undefined) return false;
  const { permission } = entry;
  const isAllowed = permission.state === 'none' || (permission.state === 'answered' && !wasRejected(entry));
  return isAllowed && entry.content.length > 0 && entry.content.every(({ type }) => type === 'diff');
}

/** Returns a summary: "Edited 5 files". */
export function editsOf(entries: readonly ToolCallEntry[]): string {
  const files = new Set(entries.flatMap(({ content }) => content.flatMap(changedPaths))).size;
  return files === 1 ? l10n.t('Edited 1 file') : l10n.t('Edited {0} files', files);
}

/** Returns a summary: "Read 14 files, searched 5 times". */
export function summaryOf(entries: readonly ToolCallEntry[]): string {
  const reads = entries.filter(({ toolKind }) => toolKind === 'read');
  const searches = entries.length - reads.length;
  const files = new Set(reads.map((entry) => singlePath(entry) ?? entry.id)).size;
  const read = files === 1 ? l10n.t('Read 1 file') : l10n.t('Read {0} files', files);
  if (searches === 0) return read;
  if (reads.length === 0) return searches === 1 ? l10n.t('Searched once') : l10n.t('Searched {0} times', searches);
  return searches === 1 ? l10n.t('{0}, searched once', read) : l10n.t('{0}, searched {1} times', read, searches);
}

/** Returns the status to show. Claude never sends `in_progress`, so an allowed call counts as running. */
export function statusShown(entry: ToolCallEntry): ToolCallEntry['status'] | 'rejected' {
  const { status, permission } = entry;
  if (wasRejected(entry)) return 'rejected';
  // The turn was stopped while it asked. Agents report that as a failure, but it never ran.
  if (permission.state === 'cancelled' && status === 'failed') return 'cancelled';
  const mayRun = permission.state === 'answered' && permission.option.kind.startsWith('allow');
  return status === 'pending' && mayRun ? 'in_progress' : status;
}

function tenseOf(entry: ToolCallEntry): Tense {
  const status = statusShown(entry);
  const neverRan = status === 'cancelled' && entry.permission.state === 'cancelled';
  if (status === 'pending' || status === 'rejected' || neverRan) return 'todo';
  return status === 'in_progress' ? 'now' : 'done';
}

function pathVerb(entry: ToolCallEntry, tense: Tense): string {
  if (entry.toolKind !== 'edit' || !isNewFile(entry)) return verbs()[entry.toolKind][tense];
  return { todo: l10n.t('Create'), now: l10n.t('Creating'), done: l10n.t('Created') }[tense];
}

function subjectOf(entry: ToolCallEntry): string | undefined {
  const input = record(entry.rawInput);
  const keys: Partial<Record<ToolKind, readonly string[]>> = {
    search: ['pattern', 'query', 'regex', 'glob'],
    fetch: ['url', 'uri'],
  };
  for (const key of keys[entry.toolKind] ?? []) {
    const value = input[key];
    if (typeof value === 'string' && value !== '') return value.replace(/^https?:\/\//, '');
  }
  return undefined;
}

function searchFolder(entry: ToolCallEntry, cwd: string): string {
  const path = record(entry.rawInput)['path'];
  if (entry.toolKind !== 'search' || typeof path !== 'string' || path === '' || path === cwd) return '';
  return showPath(path, cwd).short;
}

function verbs(): Readonly<Record<ToolKind, Readonly<Record<Tense, string>>>> {
  return {
    read: { todo: l10n.t('Read'), now: l10n.t('Reading'), done: l10n.t('Read') },
    edit: { todo: l10n.t('Edit'), now: l10n.t('Editing'), done: l10n.t('Edited') },
    delete: { todo: l10n.t('Delete'), now: l10n.t('Deleting'), done: l10n.t('Deleted') },
    move: { todo: l10n.t('Move'), now: l10n.t('Moving'), done: l10n.t('Moved') },
    search: { todo: l10n.t('Search'), now: l10n.t('Searching'), done: l10n.t('Searched') },
    execute: { todo: l10n.t('Run'), now: l10n.t('Running'), done: l10n.t('Ran') },
    think: { todo: l10n.t('Think'), now: l10n.t('Thinking'), done: l10n.t('Thought') },
    fetch: { todo: l10n.t('Fetch'), now: l10n.t('Fetching'), done: l10n.t('Fetched') },
    switch_mode: { todo: l10n.t('Switch'), now: l10n.t('Switching'), done: l10n.t('Switched') },
    other: { todo: l10n.t('Call'), now: l10n.t('Calling'), done: l10n.t('Called') },
  };
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
