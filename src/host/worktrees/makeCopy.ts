import { realpath } from 'node:fs/promises';
import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import type { PlacedSession } from '../../agent/pool/poolParts';
import { copiesFolder, copyPlace } from '../../git/copyPlaces';
import type { NoticeText, Session } from '../../session/session';
import { openSource, sourceName, type CopySource } from '../../worktree/copy/copySource';
import { createCopy, removePlace, type CreatedCopy } from '../../worktree/copy/ownCopy';
import { WorktreeProblem } from '../../worktree/repository/worktreeProblem';
import { fileKey, holdsHome, isInside } from '../base/filePaths';
import { workspaceRoots } from '../base/folders';
import type { ReadSettings } from '../settings/settingTable';
import { ignoredAsBefore, rememberBrought } from './lastBrought';
import { askForIgnored } from './worktreeQuestions';

export interface OwnCopiesNeeds {
  readonly settings: ReadSettings<'worktrees.copyIgnored' | 'worktrees.setup'>;
  /** Remembers what agents got last. */
  readonly memory: Pick<vscode.Memento, 'get' | 'update'>;
  /** Runs the setup command in a session that is open in its copy. */
  readonly setUp: (session: Session, command: string, source: string) => void;
}

/** Makes the copy in which a session works. With `asBefore`, its agent gets the same ignored files as the last one. Rejects with a `WorktreeProblem`. */
export async function makeCopy(
  needs: OwnCopiesNeeds,
  session: Session,
  cwd: string,
  asBefore: boolean,
): Promise<PlacedSession> {
  const { settings, setUp } = needs;
  if (process.platform === 'win32') {
    throw new WorktreeProblem(
      l10n.t('Own copies aren’t available on Windows. Select another sandbox, or use WSL or a dev container.'),
    );
  }
  const source = await openSource(cwd);
  if (holdsHome(source.root)) {
    throw new WorktreeProblem(l10n.t('Parley can’t copy a folder that contains your home folder. Open a project.'));
  }
  if (isInside(fileKey(source.root), fileKey(copiesFolder() ?? ''))) {
    throw new WorktreeProblem(
      l10n.t('Parley can’t copy a folder that contains the editor’s own files. Open a project.'),
    );
  }
  const ignored = source.repository ? await ignoredFor(needs, source, asBefore) : [];
  const created = await createCopy(source, ignored, Date.now());
  const { record } = created;
  if (session.isClosed) {
    // Nothing has happened there.
    await removePlace(copyPlace(copiesFolder() ?? '', record.id, sourceName(source)), source.root);
    throw new WorktreeProblem(l10n.t('The session was closed.'));
  }
  const others = await otherFolders(source.root);
  return {
    cwd: created.cwd,
    opened: () => {
      session.addNotice(copyNotice(created, sourceName(source), others));
      const command = settings.get('worktrees.setup').trim();
      if (command !== '') setUp(session, command, record.from);
    },
  };
}

async function ignoredFor(
  { settings, memory }: OwnCopiesNeeds,
  source: CopySource,
  asBefore: boolean,
): Promise<readonly string[]> {
  const { root } = source;
  const repository = { root, isBare: false };
  if (asBefore) return ignoredAsBefore(memory, 'copy', repository, settings.get('worktrees.copyIgnored'));
  const ignored = await askForIgnored(repository, settings.get('worktrees.copyIgnored'), {
    title: l10n.t('Own copy of {0}', sourceName(source)),
    placeHolder: l10n.t('Select ignored files that the agent can read'),
  });
  if (ignored) await rememberBrought(memory, 'copy', root, { ignored });
  return ignored ?? [];
}

/** Returns the workspace folders that aren't in a copy of `root`. */
async function otherFolders(root: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const folder of workspaceRoots()) {
    const real = await realpath(folder).catch(() => folder);
    if (!isInside(fileKey(root), fileKey(real))) found.push(folder);
  }
  return found;
}

function copyNotice({ record, notes }: CreatedCopy, name: string, others: readonly string[]): NoticeText {
  const lines = [
    l10n.t('Your own files stay as they are until you bring its changes here. It’s in {0}.', record.path),
    ...notes,
    ...(others.length > 0
      ? [l10n.t('Other folders of the workspace aren’t in it, and the agent can’t see them: {0}.', others.join(', '))]
      : []),
  ];
  const isComplete = notes.length + others.length === 0;
  return {
    severity: isComplete ? 'info' : 'warning',
    title: l10n.t('This session works in its own copy of “{0}”', name),
    description: lines.join('\n'),
  };
}
