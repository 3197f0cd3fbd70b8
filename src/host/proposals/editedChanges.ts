import { basename, isAbsolute, join } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { isForeignShare } from '../../disk/paths';
import { isSameButLineBreaks } from '../../review/lines/lines';
import { editedPrompt, proposedText, writtenText, type WrittenText as Written } from '../../review/hunks/proposal';
import type { PermissionCase } from '../../session/services';
import type { Session } from '../../session/session';
import { Disposable } from '../../shared/values/disposable';
import type { EntryId, RequestKey, SessionKey } from '../../shared/values/ids';
import { isRecord } from '../../shared/values/isRecord';
import { messageOf } from '../../shared/values/messageOf';
import { isUnfinished } from '../../shared/transcript/toolCallStatus';
import type { ToolCallEntry } from '../../shared/transcript/transcript';
import type { WorkPart, WriteText, WrittenText } from '../base/agentWork';
import { eachSession, type SessionPool } from '../base/eachSession';
import { resolveNamed, type FileTarget } from '../base/filePaths';
import { Coalesced } from '../base/coalesce';
import { SerialQueue } from '../base/serialQueue';
import { allowedTarget } from '../codeBlocks/codePlaces';
import { readDisk, withoutMark } from '../files/diskText';
import { editorUri, findDocument } from '../files/documents';
import { writeTarget } from '../files/documentWriter';
import type { Review } from '../review/review';
import { showInformation, showWarning } from '../ui/notifications';
import { targetColumn } from '../ui/targetColumn';
import { presentState } from '../workspaceFiles/presentState';
import type { KeptVersion } from './keptVersions';
import { isEdited, type ProposalText, type ProposalTexts } from './proposalTexts';

/** The change of a file that a proposal is about. */
interface ChangedFile {
  readonly kind: 'change';
  readonly path: string;
  readonly isNew: boolean;
  readonly session: SessionKey;
  readonly agentName: string;
  readonly request: RequestKey;
  readonly entry: EntryId;
  /** `allowed`: the agent's write is expected. `kept`: the user's version wasn't used, and can be. */
  readonly state: 'asked' | 'allowed' | 'kept';
}

type Change = ProposalText<ChangedFile>;

/** What the changes need from the rest of the window. */
export interface EditedChangesNeeds {
  readonly pool: SessionPool<Session>;
  readonly texts: ProposalTexts;
  readonly review: Pick<Review, 'applying'>;
  readonly report: (error: unknown) => void;
}

/** A file's text as the user sees it, and as the disk has it: another one if something is unsaved. Undefined if there is no file. */
interface PresentText {
  readonly text: string | undefined;
  readonly saved: string | undefined;
}

/** The user's version of a text that an agent has written or may still write. */
interface Expected {
  readonly session: SessionKey;
  readonly key: string;
  readonly change: string;
  readonly path: string;
  readonly entry: EntryId;
  /** The number of turns that had ended when the user allowed it. */
  readonly endedTurns: number;
  readonly before: string;
  readonly agents: string;
  mine: string;
  /** The agent has written, and the file has the user's version. Some agents write again. */
  isWritten: boolean;
}

/**
 * Changes that the user edits before allowing them. Agents that write through the editor write the user's version. For agents that write by
 * themselves, the user's version follows their write as a change that waits for review. If another text comes, the user's version is kept
 * and offered.
 */
export class EditedChanges extends Disposable implements WorkPart {
  private readonly pool: SessionPool<Session>;
  private readonly texts: ProposalTexts;
  private readonly review: Pick<Review, 'applying'>;
  private readonly report: (error: unknown) => void;
  /** Writes through the editor that have the user's version instead of the agent's. */
  private expected: readonly Expected[] = [];
  /** Per session and file: what the agent writes through the editor, and what is written here, don't meet. */
  private readonly queue = new SerialQueue();
  /** Why the last write of a user's version failed, per session and file. */
  private readonly failures = new Map<string, unknown>();
  private readonly resumed: Promise<void>;
  /** Changes whose end is being looked at. */
  private readonly settling = new Map<string, Promise<void>>();
  /** The notices that say that a change wasn't made, by the change. */
  private readonly asideNotices = new Map<string, EntryId>();
  /** The texts that agents are told about, by request, once all files of the request have them. */
  private readonly done = new Map<RequestKey, Change[]>();
  private readonly context = this.register(new Coalesced(() => this.updateContext()));

  constructor({ pool, texts, review, report }: EditedChangesNeeds) {
    super();
    this.pool = pool;
    this.texts = texts;
    this.review = review;
    this.report = report;
    this.register(texts.onDidType((id) => this.typed(id)));
    this.register(
      eachSession(pool, (session) => {
        const listeners = [
          session.onDidApply(() => this.look(session)),
          session.onDidChangeState(() => {
            if (session.transcript.view.activity.state === 'idle') this.turnEnded(session);
          }),
        ];
        return { dispose: () => listeners.forEach((listener) => listener.dispose()) };
      }),
    );
    this.resumed = texts.loaded.then(() => this.resume()).catch(report);
  }

  /**
   * Opens the change of an open request as diffs whose right sides can be edited. With `isUnsaved`, they have what the user closed without
   * saving it.
   */
  async edit(session: Session, request: RequestKey, isUnsaved = false): Promise<void> {
    // Changes of an earlier window are kept aside by then: their requests may have the same keys.
    await this.resumed;
    const asked = session.openCase(request);
    if (!asked) return;
    const known = this.of(request);
    const changes = known.length > 0 ? known : await this.propose(session, request, asked);
    if (isUnsaved) for (const { id } of changes) this.texts.restoreUnsaved(id);
    const [first, ...others] = changes;
    if (!first) return;
    this.mark(session, request);
    // The first one comes last, so that it is in front.
    for (const change of others.reverse()) await this.show(change);
    await this.show(first);
    this.context.request();
  }

  /** The versions of the user that were never used, the latest first. */
  get kept(): readonly KeptVersion[] {
    const kept = this.changes.filter(({ about }) => about.state === 'kept');
    return kept.map((change) => ({ at: change.at, path: change.about.path, open: () => this.compare(change) }));
  }

  /** Allows an open request with the user's version. */
  async allow(session: Session, request: RequestKey): Promise<void> {
    const option = session.openCase(request)?.options.find(({ kind }) => kind === 'allow_once');
    if (!option) return;
    const changes = this.of(request).map((change) => ({ ...change, mine: this.texts.mine(change) }));
    const edited = changes.filter(isEdited);
    for (const change of edited) {
      const target = await resolveNamed(change.about.path, session.transcript.view.cwd);
      this.expected = [
        ...this.expected,
        {
          session: session.key,
          key: target.key,
          change: change.id,
          path: change.about.path,
          entry: change.about.entry,
          endedTurns: session.endedTurns.count,
          before: change.before,
          agents: change.agents,
          mine: change.mine,
          isWritten: false,
        },
      ];
    }
    // The user may have answered in the meantime.
    if (session.openCase(request) === undefined) return;
    for (const change of edited) {
      this.texts.change(change.id, { mine: change.mine, about: { ...change.about, state: 'allowed' } });
    }
    if (edited.length === 0) session.answerPermission(request, option.optionId);
    else session.allowEdited(request, option.optionId);
    await this.texts.close(changes.map(({ id }) => id));
    for (const change of changes.filter((one) => !isEdited(one))) this.drop(change);
    this.context.request();
  }

  /** Allows the request that a text in the editor belongs to. */
  async allowText(uri: unknown): Promise<void> {
    const change = this.at(uri);
    const session = change && this.sessionOf(change);
    if (session) await this.allow(session, change.about.request);
  }

  /** Puts the user's version of a text in the editor into its file. */
  async useText(uri: unknown): Promise<void> {
    const change = this.at(uri);
    if (change) await this.use(change.id);
  }

  /** Writes the user's version instead of the agent's, if the agent writes what the user has edited, also after its turn. */
  writingText({ session, key, content }: WrittenText, write: WriteText): Promise<void> | undefined {
    const text = withoutMark(content);
    const found = this.expected.findLast(
      (one) =>
        one.session === session &&
        one.key === key &&
        isSameButLineBreaks(one.agents, text) &&
        this.isStillExpected(one),
    );
    if (!found) return undefined;
    const id = placeId(session, key);
    return this.queue.run(id, async () => {
      this.failures.delete(id);
      const kept = this.changes.find((one) => one.id === found.change && one.about.state === 'kept');
      // The user may have edited it further since.
      const mine = kept ? this.texts.mine(kept) : found.mine;
      try {
        // Some agents also write to the disk by themselves, at any time around this.
        await write(mine, [found.before, found.agents]);
      } catch (error) {
        if (!kept) this.failures.set(id, error);
        throw error;
      }
      if (kept)
        this.whileSettling(
          kept,
          this.queue.run(id, () => this.writtenLate({ ...kept, mine })),
        );
    });
  }

  /** Resolves once everything that agents have written up to now has been looked at. */
  async settled(): Promise<void> {
    await Promise.all(this.settling.values());
  }

  private async propose(session: Session, request: RequestKey, asked: PermissionCase): Promise<readonly Change[]> {
    const entry = session.transcript.entries.get(asked.entry.id);
    if (entry?.kind !== 'tool_call') return [];
    const { cwd, agentName } = session.transcript.view;
    const added: Change[] = [];
    for (const { path, pieces } of filesOf(entry, cwd)) {
      const before = isForeignShare(path, cwd) ? 'unreadable' : await this.read(path, cwd);
      const agents = before === 'unreadable' ? undefined : proposedText(before.text, pieces, isEverywhere(entry));
      if (before === 'unreadable' || agents === undefined) {
        const name = basename(path);
        const sentence =
          before === 'unreadable'
            ? l10n.t('Couldn’t read {0}, so its change can’t be edited.', name)
            : l10n.t('Couldn’t find where this change belongs in {0}, so it can’t be edited.', name);
        void showWarning(sentence);
        continue;
      }
      const about: ChangedFile = {
        kind: 'change',
        path,
        isNew: before.text === undefined,
        session: session.key,
        agentName,
        request,
        entry: entry.id,
        state: 'asked',
      };
      const text = { name: basename(path), before: before.text ?? '', agents, about };
      // The agent asks again, for example after a reload. The user's version is still one of this text.
      const again = this.changes.find(
        (one) =>
          one.about.state === 'kept' &&
          one.about.session === session.key &&
          one.about.path === path &&
          one.before === text.before &&
          one.agents === agents,
      );
      if (again) this.texts.change(again.id, { about });
      added.push(again ? { ...again, about } : (this.texts.add(text) as Change));
    }
    return added;
  }

  private async show(change: Change): Promise<void> {
    await this.texts.showMine(change, this.texts.uriOf(change, 'before'), { viewColumn: targetColumn() });
  }

  private typed(id: string): void {
    const change = this.change(id);
    const session = change?.about.state === 'asked' ? this.sessionOf(change) : undefined;
    if (change && session) this.mark(session, change.about.request);
  }

  /** Shows in the chat whether the user has a version of their own. */
  private mark(session: Session, request: RequestKey): void {
    const changes = this.of(request);
    const hasUnsaved = changes.some(({ unsaved = [] }) => unsaved.length > 0);
    session.markEdited(request, { isEdited: changes.some(isEdited), hasUnsaved });
  }

  /** Finds out what became of the requests and the writes that changes belong to. */
  private look(session: Session): void {
    for (const change of this.changes) {
      if (change.about.session !== session.key) continue;
      const entry = session.transcript.entries.get(change.about.entry);
      if (entry?.kind !== 'tool_call') continue;
      const { state } = change.about;
      const { permission, status } = entry;
      const isOpen = permission.state === 'asked' && permission.request === change.about.request;
      if (state === 'asked' && !isOpen) {
        const isAllowed = permission.state === 'answered' && permission.option.kind.startsWith('allow');
        this.notAllowed(change, isAllowed && permission.isEdited !== true);
      }
      if (state === 'allowed' && !isUnfinished(status)) this.settle(session, change, status !== 'completed');
    }
  }

  private turnEnded(session: Session): void {
    for (const change of this.changes) {
      if (change.about.session === session.key && change.about.state === 'allowed') this.settle(session, change, true);
    }
    this.expected = this.expected.filter((one) => one.session !== session.key || turnsSince(session, one) < 2);
  }

  /**
   * Whether a write of the agent is still the one that the user allowed. It may come after its turn, and then until the next turn ends.
   * The user may have asked for the agent's version meanwhile.
   */
  private isStillExpected(one: Expected): boolean {
    const session = this.pool.sessions.find(({ key }) => key === one.session);
    if (!session || isAllowedAgain(session, one)) return false;
    const isIdle = session.transcript.view.activity.state === 'idle';
    const turns = turnsSince(session, one);
    return turns === 0 || (turns === 1 && (isIdle || !one.isWritten));
  }

  /** The request was answered without the user's version, or withdrawn. */
  private notAllowed(change: Change, isOther: boolean): void {
    const mine = this.texts.mine(change);
    if (!isEdited({ ...change, mine })) {
      this.drop(change);
      void this.texts.close([change.id]).catch(this.report);
    } else {
      this.keep(change);
      if (isOther) {
        const { agentName } = change.about;
        this.offer(change, l10n.t('You allowed {0}’s version of {1}. Yours is kept.', agentName, change.name));
      }
    }
    this.context.request();
  }

  /** Compares the file with what was allowed. `isLast`: nothing more is expected from the agent. */
  private settle(session: Session, change: Change, isLast: boolean): void {
    if (this.settling.has(change.id)) return;
    const work = this.compareWritten(session, change, isLast).catch((error: unknown) => {
      this.report(error);
      this.setAside(session, change, { failure: error });
    });
    this.whileSettling(change, work);
  }

  private whileSettling({ id }: Change, work: Promise<void>): void {
    const settled = work.catch(this.report).finally(() => this.settling.delete(id));
    this.settling.set(id, settled);
  }

  /** The agent made the change after its turn, when the user's version had been kept aside already. */
  private async writtenLate(change: Change): Promise<void> {
    const { agentName, path } = change.about;
    const session = this.sessionOf(change);
    if (!session || (await this.written(change, session.transcript.view.cwd)) !== 'mine') return;
    await this.texts.close([change.id]);
    const notice = this.asideNotices.get(change.id);
    if (notice !== undefined) {
      const title = l10n.t('{0} made the change to {1} after its turn ended', agentName, basename(path));
      session.changeNotice(notice, { severity: 'info', title, description: l10n.t('Your version was written.') });
    }
    this.finish(session, change);
  }

  private async compareWritten(session: Session, change: Change, isLast: boolean): Promise<void> {
    const target = await resolveNamed(change.about.path, session.transcript.view.cwd);
    const id = placeId(session.key, target.key);
    await this.queue.run(id, async () => {
      const written = await this.written(change, session.transcript.view.cwd);
      // If the turn has ended in the meantime, nothing more is expected either.
      if (written === 'before' && !isLast && session.transcript.view.activity.state !== 'idle') return;
      const failure = this.failures.get(id);
      this.failures.delete(id);
      const isPut = written === 'agents' && (await this.put(session, change, target));
      if (written === 'mine' || isPut) this.finish(session, change);
      else if (written === 'before' && failure !== undefined) this.setAside(session, change, { failure });
      else this.setAside(session, change, written === 'before' ? 'missing' : 'other');
    });
  }

  /**
   * Compares a file with what was proposed. The user's version counts only once the disk has it: the editor refuses to save over what an
   * agent has written to the disk meanwhile. `agents`: it has to be replaced, or what shows the user's version has to be saved.
   */
  private async written(change: Change, cwd: string): Promise<Written> {
    const present = await this.read(change.about.path, cwd);
    if (present === 'unreadable') return 'other';
    const proposal = { ...change, before: change.about.isNew ? undefined : change.before };
    const shown = writtenText(present.text, proposal);
    const saved = writtenText(present.saved, proposal);
    if (shown === saved) return shown;
    // The user types on. What the disk has is safe.
    if (shown === 'other') return saved === 'mine' ? 'mine' : 'other';
    if (saved === 'other') return shown === 'before' ? 'before' : 'other';
    return 'agents';
  }

  /** Writes the user's version over what is in the file, as a change that waits for review. */
  private async put(session: Session | undefined, change: Change, at?: FileTarget): Promise<boolean> {
    const { path } = change.about;
    const target = session ? await allowedTarget(session, path) : (at ?? (await resolveNamed(path, '')));
    if (!target) return false;
    const present = await this.read(path, session?.transcript.view.cwd ?? '');
    if (present === 'unreadable') return false;
    const base = present.text === undefined ? undefined : { text: present.text, isReadHere: true };
    const write = () => writeTarget(target, change.mine, base, [change.before, change.agents]);
    if (session) await this.review.applying(session, await editorUri(target), write);
    else await write();
    return true;
  }

  /** The file has the user's version. The agent is told once all files of the request have theirs. */
  private finish(session: Session, change: Change): void {
    const { request } = change.about;
    this.done.set(request, [...(this.done.get(request) ?? []), change]);
    for (const one of this.expected) if (one.change === change.id) one.isWritten = true;
    this.forget(change.id);
    this.tell(session, request);
    this.context.request();
  }

  private setAside(session: Session, change: Change, why: 'missing' | 'other' | { readonly failure: unknown }): void {
    this.keep(change);
    const title = asideTitle(change.about, why);
    const isKept = l10n.t('Your version is kept and wasn’t used.');
    const description = typeof why === 'string' ? isKept : `${messageOf(why.failure)} ${isKept}`;
    this.asideNotices.set(change.id, session.addNotice({ severity: 'warning', title, description }));
    this.offer(change, l10n.t('{0}. Your version is kept.', title));
    this.tell(session, change.about.request);
    this.context.request();
  }

  /** Tells the agent what the user changed, once nothing more of the request is expected. */
  private tell(session: Session, request: RequestKey): void {
    if (this.of(request).some(({ about }) => about.state === 'allowed')) return;
    const done = this.done.get(request) ?? [];
    this.done.delete(request);
    if (done.length > 0) session.reply({ text: editedPrompt(done.map(toldFile)) });
  }

  /** Removes a change without an edit of the user. One that was closed without saving it stays, among the kept versions. */
  private drop(change: Change): void {
    if (!change.unsaved?.length) {
      this.texts.remove(change.id);
      return;
    }
    this.texts.restoreUnsaved(change.id);
    this.keep(change);
  }

  private keep(change: Change): void {
    this.texts.change(change.id, { about: { ...change.about, state: 'kept' } });
  }

  private forget(id: string): void {
    this.asideNotices.delete(id);
    this.texts.remove(id);
  }

  /** Says that the user's version wasn't used, and offers it. */
  private offer(change: Change, sentence: string): void {
    const compare = l10n.t('Compare');
    const use = l10n.t('Use My Version');
    void showWarning(sentence, compare, use).then((answer) => {
      // It may have been used while this was shown.
      if (answer !== undefined && !this.change(change.id))
        return void showInformation(l10n.t('Your version of {0} is no longer kept.', change.name));
      if (answer === compare) return this.compare(change).catch(this.report);
      return answer === use ? this.use(change.id).catch(this.report) : undefined;
    });
  }

  /** Shows the file beside the user's version. */
  private async compare(change: Change): Promise<void> {
    if (!isEdited({ ...change, mine: this.texts.mine(change) })) this.texts.restoreUnsaved(change.id);
    const present = await this.read(change.about.path, '');
    const isMissing = present !== 'unreadable' && present.text === undefined;
    const file = isMissing ? this.texts.uriOf(change, 'before') : vscode.Uri.file(change.about.path);
    await this.texts.showMine(change, file);
  }

  private async use(id: string): Promise<void> {
    const found = this.change(id);
    if (!found) return;
    const change = { ...found, mine: this.texts.mine(found) };
    const session = this.sessionOf(change);
    if (!(await this.put(session, change))) return;
    await this.texts.close([id]);
    // The agent may still make its change, and doesn't replace this then.
    for (const one of this.expected) if (one.change === id) one.mine = change.mine;
    this.forget(id);
    session?.reply({ text: editedPrompt([toldFile(change)]) });
    this.context.request();
  }

  /** Looks at what an earlier window has left: no agent of it is there any more. */
  private async resume(): Promise<void> {
    for (const change of this.changes) {
      const { state } = change.about;
      if (state === 'kept') continue;
      const isDone = state === 'allowed' && (await this.written(change, '')) === 'mine';
      if (isDone || !isEdited(change)) {
        if (isDone) this.texts.remove(change.id);
        else this.drop(change);
        await this.texts.close([change.id]);
        continue;
      }
      this.keep(change);
      if (state === 'allowed') this.offer(change, l10n.t('Your version of {0} wasn’t used. It’s kept.', change.name));
    }
    this.context.request();
  }

  private updateContext(): void {
    if (this.isDisposed) return;
    const { changes } = this;
    const uris = (state: ChangedFile['state']) =>
      changes.filter(({ about }) => about.state === state).map((change) => this.texts.uriOf(change, 'mine'));
    void vscode.commands.executeCommand('setContext', 'parley.openProposals', uris('asked'));
    void vscode.commands.executeCommand('setContext', 'parley.keptProposals', uris('kept'));
  }

  private get changes(): readonly Change[] {
    return this.texts.all.filter((text): text is Change => isRecord(text.about) && text.about['kind'] === 'change');
  }

  private change(id: string): Change | undefined {
    return this.changes.find((change) => change.id === id);
  }

  private of(request: RequestKey): readonly Change[] {
    return this.changes.filter(({ about }) => about.request === request && about.state !== 'kept');
  }

  private at(uri: unknown): Change | undefined {
    const where = uri instanceof vscode.Uri ? uri : vscode.window.activeTextEditor?.document.uri;
    const id = where && this.texts.idOf(where);
    return id === undefined ? undefined : this.change(id);
  }

  private sessionOf({ about }: Change): Session | undefined {
    return this.pool.sessions.find(({ key }) => key === about.session);
  }

  private async read(path: string, cwd: string): Promise<PresentText | 'unreadable'> {
    const target = await resolveNamed(path, cwd);
    const document = await findDocument(target);
    if (document?.isDirty === true) {
      const disk = await readDisk(target.realPath, document.uri, document.encoding).catch(() => null);
      return disk === null ? 'unreadable' : { text: document.getText(), saved: disk?.text };
    }
    const state = await presentState(vscode.Uri.file(target.realPath));
    if (state.kind === 'absent') return { text: undefined, saved: undefined };
    return state.kind === 'text' ? { text: state.text, saved: state.text } : 'unreadable';
  }
}

/** Identifies a file for a session. */
function placeId(session: SessionKey, key: string): string {
  return `${session} ${key}`;
}

function asideTitle({ agentName, path }: ChangedFile, why: unknown): string {
  const name = basename(path);
  if (why === 'missing') return l10n.t('{0} didn’t make the change to {1}', agentName, name);
  if (why === 'other') return l10n.t('{0} wrote something else to {1}', agentName, name);
  return l10n.t('Couldn’t write your version of {0}', name);
}

function turnsSince({ endedTurns }: Session, one: Expected): number {
  return endedTurns.count - one.endedTurns;
}

/** Whether the agent asked about the same change once more, and the user or a rule answered without a version of the user's. */
function isAllowedAgain({ transcript }: Session, { entry: id, path }: Expected): boolean {
  const { order, entries, view } = transcript;
  const textsOf = (entry: ToolCallEntry) => {
    const file = filesOf(entry, view.cwd).find((one) => one.path === path);
    return JSON.stringify(file?.pieces.map(({ oldText, newText }) => [oldText, newText]));
  };
  const first = entries.get(id);
  if (first?.kind !== 'tool_call') return false;
  return order.slice(order.indexOf(id) + 1).some((next) => {
    const entry = entries.get(next);
    if (entry?.kind !== 'tool_call' || entry.permission.state !== 'answered') return false;
    return entry.permission.isEdited !== true && textsOf(entry) === textsOf(first);
  });
}

/** Returns the files that a call's diffs change, with the diffs of each. */
function filesOf({ content }: ToolCallEntry, cwd: string) {
  const diffs = content.filter((item) => item.type === 'diff');
  const pathOf = ({ path }: { readonly path: string }) => (isAbsolute(path) ? path : join(cwd, path));
  const paths = [...new Set(diffs.map(pathOf))];
  return paths.map((path) => ({ path, pieces: diffs.filter((diff) => pathOf(diff) === path) }));
}

/** Whether the agent replaces a text everywhere in the file, as Claude says it. */
function isEverywhere({ rawInput }: ToolCallEntry): boolean {
  return isRecord(rawInput) && rawInput['replace_all'] === true;
}

function toldFile({ about, agents, mine }: Change) {
  return { path: vscode.workspace.asRelativePath(vscode.Uri.file(about.path), false), agents, mine };
}
