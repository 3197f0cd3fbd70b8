import * as l10n from '@vscode/l10n';
import { dirname } from 'node:path';
import { internal, requestCancelled } from '../../acp/base/errors';
import type { ClientContext, ClientQuestion } from '../../session/services';
import type { SessionKey } from '../../shared/values/ids';
import type { GuardedReason } from '../../shared/limits/guardedPlaces';
import type { SandboxPolicy } from '../../shared/limits/sandbox';
import type { PermissionOption } from '../../shared/transcript/transcript';
import { heldFile } from '../../shared/limits/heldFile';
import { guardedReason, guardedWords, type NamedFolder } from '../workspaceFiles/guarded';
import { fileKey, holdsHome, isInside, type FileTarget } from '../base/filePaths';
import { SerialQueue } from '../base/serialQueue';
import type { OutsidePolicy } from '../settings/settingTable';

export type FileAccess = 'read' | 'write';

/** A session's access outside its folders until it ends. Write access includes read access. */
interface Grant {
  readonly access: FileAccess;
  readonly path: string;
}

/** The result for an access: allowed without a question, or the user must be asked. */
export type Verdict =
  | { readonly kind: 'admitted' }
  | {
      readonly kind: 'ask';
      readonly isOutside: boolean;
      /** Why the place is guarded. If set, the answer applies to this access only, and earlier grants don't count. */
      readonly guarded: GuardedReason | undefined;
      /** What the agent's sandbox does with the file. If set, the answer applies to this access only, too. */
      readonly held?: 'hidden' | 'readOnly';
    };

/** The result for an access that needs no question. */
export const admitted: Verdict = { kind: 'admitted' };

/**
 * Lets agents read and write inside the session's folders. Asks the user about everything else, and about each write to
 * a guarded place. Rejects refused accesses with a message for the agent.
 */
export class OutsideGuard {
  private readonly grants = new Map<SessionKey, Grant[]>();
  /** Asks one question at a time per session, because an answer may settle the next. */
  private readonly questions = new SerialQueue();
  private readonly policy: () => OutsidePolicy;

  constructor(policy: () => OutsidePolicy) {
    this.policy = policy;
  }

  /** Decides whether the access needs a question. Throws if the settings deny it. */
  judge(
    access: FileAccess,
    target: FileTarget,
    folders: readonly NamedFolder[],
    session: SessionKey,
    policy?: SandboxPolicy,
  ): Verdict {
    const isOutside = !folders.some(({ realPath }) => isInside(fileKey(realPath), target.key));
    const outside = this.policy();
    if (isOutside && outside === 'deny') {
      throw internal(`The user's settings deny access to ${target.path}, which is outside this session's folders.`, {
        reason: 'outsideWorkspace',
        path: target.path,
      });
    }
    const guarded = access === 'write' ? guardedReason(target, folders) : undefined;
    const held = policy && heldFile(policy, target.realPath);
    if (held === 'hidden' || (held === 'readOnly' && access === 'write'))
      return { kind: 'ask', isOutside, guarded, held };
    if (guarded !== undefined) return { kind: 'ask', isOutside, guarded };
    const isFree = !isOutside || outside === 'allow' || this.isGranted(session, access, target);
    return isFree ? admitted : { kind: 'ask', isOutside, guarded };
  }

  /** Resolves once the user has allowed the access. Calls `content` only if the question is shown. */
  async ask(
    access: FileAccess,
    target: FileTarget,
    { guarded, held }: Extract<Verdict, { kind: 'ask' }>,
    context: ClientContext,
    signal: AbortSignal,
    content: () => Promise<ClientQuestion['content']>,
  ): Promise<void> {
    const question = async () => {
      if (guarded !== undefined || held !== undefined) {
        const words = [held && heldWords(held), guarded && guardedWords(guarded)].flatMap((text) => text ?? []);
        const why: ClientQuestion['content'] = words.map((text) => ({
          type: 'content',
          content: { type: 'text', text },
        }));
        await this.askUser(access, target, context, signal, [...why, ...(await content())], true);
      } else if (!this.isGranted(context.session, access, target)) {
        await this.askUser(access, target, context, signal, await content(), false);
      }
    };
    await this.questions.run(context.session, question, signal);
  }

  /** Forgets the session's grants. */
  forget(session: SessionKey): void {
    this.grants.delete(session);
  }

  clear(): void {
    this.grants.clear();
  }

  private async askUser(
    access: FileAccess,
    target: FileTarget,
    context: ClientContext,
    signal: AbortSignal,
    content: ClientQuestion['content'],
    isGuarded: boolean,
  ): Promise<void> {
    const folder = dirname(target.realPath);
    const isRead = access === 'read';
    const question: ClientQuestion = {
      title: isRead ? l10n.t('Read {0}', placeOf(target)) : l10n.t('Write {0}', placeOf(target)),
      toolKind: isRead ? 'read' : 'edit',
      content,
      locations: [{ path: target.path }],
      options: isGuarded ? onceOptions() : optionsFor(holdsHome(folder) ? undefined : folder),
    };
    const answer = await context.ask(question, signal);
    if (signal.aborted) throw requestCancelled();
    switch (answer) {
      case 'allow_once':
        return;
      case 'allow_file':
        if (isGuarded) throw refusal(access, target, isGuarded, false);
        this.grant(context.session, { access, path: target.key });
        return;
      case 'allow_folder':
        if (isGuarded) throw refusal(access, target, isGuarded, false);
        this.grant(context.session, { access, path: fileKey(folder) });
        return;
      default:
        throw refusal(access, target, isGuarded, answer === undefined);
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

function heldWords(held: 'hidden' | 'readOnly'): string {
  return held === 'hidden'
    ? l10n.t('The agent’s sandbox hides this file. If you allow it, the agent gets it from the editor.')
    : l10n.t('The agent’s sandbox keeps this file as it is. If you allow it, the editor changes it for the agent.');
}

/** Shows where a link leads. Otherwise, the question would hide the actual file. */
function placeOf(target: FileTarget): string {
  return fileKey(target.path) === target.key ? target.path : `${target.path} → ${target.realPath}`;
}

function onceOptions(): PermissionOption[] {
  return [
    { optionId: 'allow_once', name: l10n.t('Allow once'), kind: 'allow_once' },
    { optionId: 'reject', name: l10n.t('Reject'), kind: 'reject_once' },
  ];
}

function optionsFor(folder: string | undefined): PermissionOption[] {
  return [
    { optionId: 'allow_once', name: l10n.t('Allow once'), kind: 'allow_once' },
    { optionId: 'allow_file', name: l10n.t('Allow this file for this session'), kind: 'allow_always' },
    ...(folder === undefined
      ? []
      : [
          {
            optionId: 'allow_folder',
            name: l10n.t('Allow everything in {0} for this session', folder),
            kind: 'allow_always',
          } as const,
        ]),
    { optionId: 'reject', name: l10n.t('Reject'), kind: 'reject_once' },
  ];
}

function refusal(access: FileAccess, target: FileTarget, isGuarded: boolean, isUnanswered: boolean): Error {
  const place = isGuarded ? "which always needs the user's permission" : "which is outside this session's folders";
  const words = isUnanswered
    ? `The user didn't respond to the request to ${access} ${target.path}, ${place}.`
    : `The user denied permission to ${access} ${target.path}, ${place}.`;
  return internal(words, {
    reason: isUnanswered ? 'unanswered' : 'rejected',
    path: target.path,
  });
}
