import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';

// A bundle of its own (docs/adr/0010), and so with its own copy of the translations, and of every class and variable:
// what must be one and the same on both sides is passed in.
if (vscode.l10n.bundle) l10n.config({ contents: vscode.l10n.bundle });

export * as editorActions from '../chat/editorActions';
export { Restorer } from '../checkpoints/restorer';
export { restoreIn, serveRestore } from '../checkpoints/restoreMessages';
export { chooseFolders } from '../commands/chooseFolders';
export { forkSession } from '../commands/forkSession';
export { login, logInTo, logout } from '../commands/login';
export { openSession } from '../commands/openSession';
export { renameSession } from '../commands/renameSession';
export { createLogins } from '../login/logins';
export { showLoginCard } from '../login/withLogin';
export { ReviewNotebooks } from '../review/notebooks/reviewNotebooks';
export { ReviewComments } from '../review/reviewComments';
export { ReviewHover } from '../review/reviewHover';
export { compareFile, openChanges, showFile, showPlace } from '../review/showChanges';
export { undoWithQuestion } from '../review/undoWithQuestion';
export { chosenFolders } from '../sessions/chosenFolders';
export { deleteSession } from '../sessions/deleteSession';
