import { basename } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { BlobStore } from '../../baseline/blobStore';
import { planRestore } from '../../review/checkpoints/checkpoint';
import type { Session } from '../../session/session';
import { Disposable } from '../../shared/values/disposable';
import type { UserMessageEntry } from '../../shared/transcript/transcript';
import type { CheckpointRecorder } from './checkpointRecorder';
import { plainTitle } from '../ui/labels';
import { fileOnDisk } from '../workspaceFiles/presentFile';

const scheme = 'parley-checkpoint';

/** The URI of a stored content as a read-only document. The path tells its language. A missing file has no hash. */
function storedText(uri: vscode.Uri, hash: string): vscode.Uri {
  return vscode.Uri.from({ scheme, path: uri.path, query: hash });
}

/** Stores a version of a file, and resolves to its read-only document. */
export async function storeText(contents: BlobStore, uri: vscode.Uri, bytes: Uint8Array): Promise<vscode.Uri> {
  return storedText(uri, await contents.save(bytes));
}

/**
 * Shows the effect of a restore on one file in a diff editor: the current file on the left, the restored file on the
 * right.
 */
export class RestoreContent extends Disposable implements vscode.TextDocumentContentProvider {
  private readonly contents: BlobStore;

  constructor(contents: BlobStore) {
    super();
    this.contents = contents;
    this.register(vscode.workspace.registerTextDocumentContentProvider(scheme, this));
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    if (uri.query === '') return '';
    const bytes = await this.contents.get(uri.query);
    if (!bytes) return l10n.t('The previous version of this file is no longer available.');
    return vscode.workspace.decode(bytes, { uri: vscode.Uri.file(uri.path) });
  }

  async compare(recorder: CheckpointRecorder, session: Session, message: UserMessageEntry, uri: string): Promise<void> {
    const { steps } = planRestore(recorder.of(session.key), message.turn, new Map());
    const ref = steps.find((step) => step.uri === uri)?.ref;
    if (!ref) return;
    const file = vscode.Uri.parse(uri);
    const side = (hash: string) => storedText(file, hash);
    const isThere = (await fileOnDisk(file)).bytes !== undefined;
    const title = plainTitle(l10n.t('{0} (current ↔ restored)', basename(file.path)));
    const then = side(ref.kind === 'stored' ? ref.hash : '');
    await vscode.commands.executeCommand('vscode.diff', isThere ? file : side(''), then, title, { preview: true });
  }
}
