import * as l10n from '@vscode/l10n';
import { dirname } from 'node:path';
import { internal, requestCancelled } from '../../acp/errors';
import type { ClientContext, ClientQuestion } from '../../session/services';
import type { SessionKey } from '../../shared/ids';
import type { PermissionOption } from '../../shared/transcript';
import { fileKey, holdsHome, isInside, type FileTarget } from './filePaths';
import { SerialQueue } from './serialQueue';

export type OutsidePolicy = 'ask' | 'allow' | 'deny';
export type FileAccess = 'read' | 'write';

/** What a session may do outside its folders until it ends; writing includes reading. */
interface Grant {
  readonly access: FileAccess;
  readonly path: string;
}

/**
 * Lets agents read and write inside the session's folders, and asks the user about everything else. Refusals are
 * rejections that tell the agent in plain words.
 */
export class OutsideGuard {
  private readonly grants = new Map<SessionKey, Grant[]>();
  /** One question at a time per session, since an answer may settle the next. */
  private readonly questions = new SerialQueue();
  private readonly policy: () => OutsidePolicy;

  constructor(policy: () => OutsidePolicy) {
    this.policy = policy;
  }

  /** Whether the access needs no question; `folders` are real paths. Throws when the settings deny it. */
  isAdmitted(access: FileAccess, target: FileTarget, folders: readonly string[], session: SessionKey): boolean {
    if (folders.some((folder) => isInside(fileKey(folder), target.key))) return true;
    const policy = this.policy();
    if (policy === 'deny') {
      throw internal(
        `${target.path} is outside the folders of this session, and the user's settings do not allow that.`,
        { reason: 'outsideWorkspace', path: target.path },
      );
    }
    return policy === 'allow' || this.isGranted(session, access, target);
  }

  /** Resolves when the user has allowed the access; `content` is made only if the question is really put. */
  async ask(
    access: FileAccess,
    target: FileTarget,
    context: ClientContext,
    signal: AbortSignal,
    content: () => Promise<ClientQuestion['content']>,
  ): Promise<void> {
    await this.questions.run(context.session, signal, async () => {
      if (this.isGranted(context.session, access, target)) return;
      await this.put(access, target, context, signal, await content());
    });
  }

  /** Forgets what was allowed for the session. */
  forget(session: SessionKey): void {
    this.grants.delete(session);
  }

  clear(): void {
    this.grants.clear();
  }

  private async put(
    access: FileAccess,
    target: FileTarget,
    context: ClientContext,
    signal: AbortSignal,
    content: ClientQuestion['content'],
  ): Promise<void> {
    const folder = dirname(target.realPath);
    const isRead = access === 'read';
    const question: ClientQuestion = {
      title: isRead ? l10n.t('Read {0}', placeOf(target)) : l10n.t('Write {0}', placeOf(target)),
      toolKind: isRead ? 'read' : 'edit',
      content,
      locations: [{ path: target.path }],
      options: optionsFor(!holdsHome(folder) ? folder : undefined),
    };
    const answer = await context.ask(question, signal);
    if (signal.aborted) throw requestCancelled();
    switch (answer) {
      case 'allow_once':
        return;
      case 'allow_file':
        this.grant(context.session, { access, path: target.key });
        return;
      case 'allow_folder':
        this.grant(context.session, { access, path: fileKey(folder) });
        return;
      default:
        throw refusal(access, target, answer === undefined);
    }
  }

  private grant(session: SessionKey, grant: Grant): void {
    this.grants.set(session, [...(this.grants.get(session) ?? []), grant]);
  }

  private isGranted(session: SessionKey, access: FileAccess, target: FileTarget): boolean {
    const grants = this.grants.get(session) ?? [];
    return grants.some((grant) => (grant.access === 'write' || access === 'read') && isInside(grant.path, target.key));
  }
}

/** A link says where it leads, or else the question would hide what it is about. */
function placeOf(target: FileTarget): string {
  return fileKey(target.path) === target.key ? target.path : `${target.path} → ${target.realPath}`;
}

function optionsFor(folder: string | undefined): PermissionOption[] {
  return [
    { optionId: 'allow_once', name: l10n.t('Allow once'), kind: 'allow_once' },
    { optionId: 'allow_file', name: l10n.t('Allow this file for the session'), kind: 'allow_always' },
    ...(folder === undefined
      ? []
      : [
          {
            optionId: 'allow_folder',
            name: l10n.t('Allow all of {0} for the session', folder),
            kind: 'allow_always',
          } as const,
        ]),
    { optionId: 'reject', name: l10n.t('Reject'), kind: 'reject_once' },
  ];
}

function refusal(access: FileAccess, target: FileTarget, isUnanswered: boolean): Error {
  const what = access === 'read' ? 'read' : 'write';
  const who = isUnanswered ? 'The user did not answer whether to' : 'The user did not allow to';
  return internal(`${who} ${what} ${target.path}, which is outside the folders of this session.`, {
    reason: isUnanswered ? 'unanswered' : 'rejected',
    path: target.path,
  });
}
