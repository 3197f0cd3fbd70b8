import { basename } from 'node:path';
import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import { git } from '../../../baseline/git';
import type { Attachment } from '../../../shared/transcript/content';
import { workspacePath } from '../../base/folders';
import { shortenMiddle, showHiddenOnOneLine } from '../../../shared/text/visibleText';
import { textAttachment } from '../attachments/attach';
import type { GitCommit, GitRepository } from './gitRepository';
import { matching, type FoundMention, type MentionSource } from './mentionSource';
import { changesAttachments, groupAttachments, limited, repositories, staged } from './sourceControl';

/** Maximum number of changes or commits that are offered. */
const shown = 40;
/** Maximum number of commits of a repository that are searched. */
const searched = 200;
/** Time limit for reading a commit, in milliseconds. */
const commitMs = 10_000;
/** Maximum length of a commit's title in the list. */
const longestTitle = 200;

/** Finds the changes since the last commit: all, those that are staged, and each file's. */
export class ChangeMentions implements MentionSource {
  async find(typed: string, folder?: string): Promise<readonly FoundMention[]> {
    const all = await repositories(folder);
    return matching(
      all.flatMap((repository) => changesOf(repository, all.length > 1)),
      typed,
      shown,
    );
  }
}

/** Finds the newest commits. */
export class CommitMentions implements MentionSource {
  async find(typed: string, folder?: string): Promise<readonly FoundMention[]> {
    const found = (await repositories(folder)).map(async (repository) =>
      (await newest(repository)).map((commit) => commitMention(repository, commit)),
    );
    return matching((await Promise.all(found)).flat(), typed, shown);
  }
}

function changesOf(repository: GitRepository, areSeveral: boolean): FoundMention[] {
  const { state, rootUri } = repository;
  const { indexChanges, workingTreeChanges, untrackedChanges = [] } = state;
  const inTree = [...workingTreeChanges, ...untrackedChanges];
  const where = areSeveral ? basename(rootUri.path) : '';
  const stagedGroup = () => groupAttachments({ id: 'index', resourceStates: indexChanges.map(resource) });
  const treeGroup = () => groupAttachments({ id: 'workingTree', resourceStates: inTree.map(resource) });
  const groups: FoundMention[] = [];
  const add = (id: string, label: string, take: () => Promise<readonly Attachment[]>) =>
    groups.push({ ...changeMention(`${rootUri.toString()}:${id}`, label, where, take), icon: 'diff-multiple' });
  const changed = new Set([...indexChanges, ...inTree].map(({ uri }) => uri.toString()));
  if (indexChanges.length > 0 && inTree.length > 0) {
    add('all', l10n.t('All changes'), async () => [...(await stagedGroup()), ...(await treeGroup())]);
  }
  if (indexChanges.length > 0) add('index', l10n.t('Staged changes'), stagedGroup);
  if (inTree.length > 0) add('tree', l10n.t('Changes'), treeGroup);
  if (changed.size === 0) return groups;
  const ofFile = ({ uri }: { readonly uri: vscode.Uri }, isStaged: boolean) => {
    const path = workspacePath(uri).replaceAll('\\', '/');
    const name = basename(uri.path);
    const detail = [path.slice(0, -name.length - 1), isStaged ? l10n.t('staged') : ''].filter(Boolean).join(' · ');
    const change = { resourceUri: uri, ...(isStaged ? { resourceGroupType: staged } : {}) };
    const id = `${isStaged ? 'staged' : 'changed'}:${uri.toString()}`;
    return changeMention(id, name, detail, () => changesAttachments([change]));
  };
  return [
    ...groups,
    ...indexChanges.map((change) => ofFile(change, true)),
    ...inTree.map((change) => ofFile(change, false)),
  ];
}

function resource({ uri }: { readonly uri: vscode.Uri }) {
  return { resourceUri: uri };
}

function changeMention(
  id: string,
  label: string,
  detail: string,
  take: () => Promise<readonly Attachment[]>,
): FoundMention {
  return { id: `change:${id}`, kind: 'change', group: 'change', label, detail, icon: 'diff', take };
}

async function newest(repository: GitRepository): Promise<readonly GitCommit[]> {
  try {
    return await repository.log({ maxEntries: searched });
  } catch {
    return []; // There is no commit yet.
  }
}

function commitMention({ rootUri }: GitRepository, { hash, message, authorName = '' }: GitCommit): FoundMention {
  const short = hash.slice(0, 8);
  const title = message.split('\n')[0] ?? '';
  return {
    id: `commit:${rootUri.toString()}:${hash}`,
    kind: 'commit',
    group: 'commit',
    label: showHiddenOnOneLine(shortenMiddle(title, longestTitle)),
    insert: short,
    detail: `${short} ${showHiddenOnOneLine(authorName)}`.trim(),
    icon: 'git-commit',
    take: async () => {
      // Neither of the programs that a repository may name for differences is run.
      const args = ['show', '--no-color', '--no-ext-diff', '--no-textconv', '--stat', '--patch', hash, '--'];
      const text = /^[0-9a-f]{7,64}$/.test(hash) ? await git(rootUri.fsPath, args, commitMs) : undefined;
      if (!text) throw new Error(l10n.t('Couldn’t read the commit {0}.', short));
      return [textAttachment(`${short}.diff`, limited(text.toString('utf8')))];
    },
  };
}
