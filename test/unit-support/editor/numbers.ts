// The numbers and names by which the editor's interface means things, as far as Parley uses them.

export const version = '1.106.0';
export const SymbolKind = { 11: 'Function' };
export const FileChangeType = { Changed: 1, Created: 2, Deleted: 3 };
export const FileType = { Unknown: 0, File: 1, Directory: 2, SymbolicLink: 64 };
export const ViewColumn = { Active: -1, Beside: -2, One: 1 };
export const QuickPickItemKind = { Separator: -1, Default: 0 };
export const QuickInputButtons = { Back: { iconPath: 'back' } };
export const CodeActionKind = { QuickFix: { value: 'quickfix' } };
export const ProgressLocation = { SourceControl: 1, Window: 10, Notification: 15 };
export const NotebookCellStatusBarAlignment = { Left: 1, Right: 2 };
export const NotebookCellKind = { Markup: 1, Code: 2 };
export const DecorationRangeBehavior = { ClosedClosed: 1 };
export const ConfigurationTarget = { Global: 1, Workspace: 2, WorkspaceFolder: 3 };
export const OverviewRulerLane = { Right: 4 };
export const EndOfLine = { LF: 1, CRLF: 2 };
export const NotebookEditorRevealType = { InCenterIfOutsideViewport: 2 };
export const StatusBarAlignment = { Left: 1, Right: 2 };
export const TextDocumentChangeReason = { Undo: 1, Redo: 2 };
export const TextDocumentSaveReason = { Manual: 1, AfterDelay: 2, FocusOut: 3 };
export const DiagnosticSeverity = { Error: 0, Warning: 1, Information: 2, Hint: 3 };
export const CommentMode = { Editing: 0, Preview: 1 };
export const CommentThreadCollapsibleState = { Collapsed: 0, Expanded: 1 };
export const UIKind = { Desktop: 1, Web: 2 };
