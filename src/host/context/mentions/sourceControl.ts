import { basename, dirname, relative } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Attachment } from '../../../shared/transcript/content';
import { worktreeOf } from '../../../worktree/made/worktreeOf';
import { fileKey } from '../../base/filePaths';
import { isReplaced } from '../../base/folders';
import { attachmentOf, textAttachment } from '../attachments/attach';
import type { GitRepository } from './gitRepository';
import { textLimit } from '../attachments/readContext';
import { worktreeRepository } from './worktreeRepository';

interface GitApi {
  readonly repositories: readonly GitRepository[];
  getRepository(uri: vscode.Uri): GitRepository | null;
}

interface GitExtension {
  getAPI(version: 1): GitApi;
}

/** A change in the Source Control view. The git extension's have a type of their group as well. */
interface Change {
  readonly resourceUri: vscode.Uri;
  readonly resourceGroupType?: unknown;
}

/** A group of changes in the Source Control view. */
interface ChangeGroup {
  readonly id: string;
  readonly resourceStates: readonly Change[];
}

/** The git extension's number for staged changes. */
export const staged = 1;

export function isChange(value: unknown): value is Change {
  return typeof value === 'object' && value !== null && 'resourceUri' in value && isUri(value.resourceUri);
}

export function isChangeGroup(value: unknown): value is ChangeGroup {
  if (typeof value !== 'object' || value === null || !('resourceStates' in value) || !('id' in value)) return false;
  return typeof value.id === 'string' && Array.isArray(value.resourceStates) && value.resourceStates.every(isChange);
}

/** Attaches what git says has changed in these files. New files, and those of other providers, are attached whole. */
export async function changesAttachments(changes: readonly Change[]): Promise<Attachment[]> {
  return Promise.all(
    changes.map(async (change) => {
      const { resourceUri: uri } = change;
      const diff = await diffOf(change);
      if (diff === '') return attachmentOf(uri);
      return textAttachment(`${basename(uri.path)}.diff`, limited(diff));
    }),
  );
}

/** Attaches a group of changes as one difference, and the files that git doesn't track yet. */
export async function groupAttachments({ id, resourceStates }: ChangeGroup): Promise<Attachment[]> {
  const [first] = resourceStates;
  const repository = first && (await repositoryOf(first.resourceUri));
  if (!repository || (id !== 'index' && id !== 'workingTree')) return changesAttachments(resourceStates);
  const diff = await repository.diff(id === 'index');
  const untracked = resourceStates.filter(({ resourceUri }) => !isIn(diff, repository, resourceUri));
  const files = await Promise.all(untracked.map(({ resourceUri }) => attachmentOf(resourceUri)));
  const name = id === 'index' ? l10n.t('Staged changes') : l10n.t('Changes');
  return diff === '' ? files : [textAttachment(`${name}.diff`, limited(diff)), ...files];
}

async function diffOf({ resourceUri, resourceGroupType }: Change): Promise<string> {
  try {
    const repository = await repositoryOf(resourceUri);
    const path = resourceUri.fsPath;
    if (!repository) return '';
    return await (resourceGroupType === staged ? repository.diffIndexWithHEAD(path) : repository.diffWithHEAD(path));
  } catch {
    return ''; // There's no commit to compare with, so the whole file is new.
  }
}

async function repositoryOf(uri: vscode.Uri): Promise<GitRepository | undefined> {
  if (uri.scheme !== 'file') return undefined;
  const worktree = worktreeOf(dirname(uri.fsPath));
  if (worktree) return worktreeRepository(worktree.record.path);
  return (await gitApi())?.getRepository(uri) ?? undefined;
}

/**
 * Returns the repositories of the workspace. For a session whose folder is in a worktree, that's the worktree instead of the repository
 * that it replaces.
 */
export async function repositories(folder?: string): Promise<readonly GitRepository[]> {
  const all = (await gitApi())?.repositories ?? [];
  const worktree = folder === undefined ? undefined : worktreeOf(folder);
  if (folder === undefined || !worktree) return all;
  const { path, from } = worktree.record;
  const isOther = ({ rootUri: { fsPath } }: GitRepository) =>
    ![path, from].some((root) => fileKey(root) === fileKey(fsPath)) && !isReplaced(folder, fsPath);
  return [await worktreeRepository(path), ...all.filter(isOther)];
}

async function gitApi(): Promise<GitApi | undefined> {
  const extension = vscode.extensions.getExtension<GitExtension>('vscode.git');
  try {
    return (await extension?.activate())?.getAPI(1);
  } catch {
    return undefined; // Git isn't installed, or it's turned off by a setting.
  }
}

function isIn(diff: string, { rootUri }: GitRepository, uri: vscode.Uri): boolean {
  const path = relative(rootUri.fsPath, uri.fsPath).replaceAll('\\', '/');
  // Git quotes unusual names. Such a file is attached whole as well.
  return diff.split('\n').some((line) => line.startsWith('diff --git ') && line.endsWith(` b/${path}`));
}

/** Returns a difference, or throws a sentence if it's too large. */
export function limited(diff: string): string {
  if (diff.length > textLimit) throw new Error(l10n.t('These changes are too large to attach. Add single files.'));
  return diff;
}

function isUri(value: unknown): value is vscode.Uri {
  return value instanceof vscode.Uri;
}
