import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { isForeignShare } from '../../disk/paths';
import { isSameButLineBreaks, splitLines } from '../../review/lines/lines';
import { movedComments, planPrompt, type PlanComment } from '../../review/comments/planComments';
import type { Session } from '../../session/session';
import { Disposable } from '../../shared/values/disposable';
import type { EntryId, RequestKey, SessionKey } from '../../shared/values/ids';
import { isRecord } from '../../shared/values/isRecord';
import { planSource } from '../../shared/transcript/planSource';
import { Coalesced } from '../base/coalesce';
import { eachSession, type SessionPool } from '../base/eachSession';
import { withoutScheme } from '../base/filePaths';
import { plainTitle } from '../ui/labels';
import { showWarning } from '../ui/notifications';
import { targetColumn } from '../ui/targetColumn';
import type { KeptVersion } from './keptVersions';
import { isEdited, type ProposalText, type ProposalTexts } from './proposalTexts';

/** A plan that an agent asks about. */
interface PlanText {
  readonly kind: 'plan';
  readonly session: SessionKey;
  readonly request: RequestKey;
  readonly entry: EntryId;
  readonly isOpen: boolean;
  readonly isApproved?: boolean;
  /** The plan's number in its session. The latest one has the greatest. */
  readonly version: number;
  /** Whether it isn't the next version of another plan. */
  readonly isFirst: boolean;
  readonly comments: readonly PlanComment[];
  /** The text that the lines of the comments are of. */
  readonly commented: string;
  /** The user's text that the agent has heard of. Without one, that is the agent's own. */
  readonly told?: string;
}

type Plan = ProposalText<PlanText>;

interface ShownPlanComment extends vscode.Comment {
  readonly planCommentId: string;
}

/**
 * Plans that agents ask about, as Markdown documents that the user can edit and comment on. Nothing runs before the user approves. The next
 * version opens as a diff, with the comments on the version before.
 */
export class Plans extends Disposable {
  private readonly pool: SessionPool<Session>;
  private readonly texts: ProposalTexts;
  private readonly report: (error: unknown) => void;
  private readonly controller = this.register(
    vscode.comments.createCommentController('parley.planComments', l10n.t('Comments on plans')),
  );
  private readonly ranges: vscode.CommentingRangeProvider = {
    provideCommentingRanges: ({ uri, lineCount }) =>
      this.at(uri)?.about.isOpen === true ? [new vscode.Range(0, 0, lineCount - 1, 0)] : [],
  };
  private readonly threads = new Map<string, vscode.CommentThread>();
  private readonly context = this.register(new Coalesced(() => this.updateContext()));

  constructor(pool: SessionPool<Session>, texts: ProposalTexts, report: (error: unknown) => void) {
    super();
    this.pool = pool;
    this.texts = texts;
    this.controller.options = {
      prompt: l10n.t('Comment on this line'),
      placeHolder: l10n.t('Type a comment to send later'),
    };
    this.report = report;
    this.register(
      texts.onDidType((id) => {
        const plan = this.plans.find((one) => one.id === id);
        if (plan) this.mark(plan);
      }),
    );
    this.register(
      eachSession(pool, (session) => {
        this.showCommentsOf(session.key);
        const listener = session.onDidApply(() => this.look(session));
        return {
          dispose: () => {
            listener.dispose();
            this.hideCommentsOf(session.key);
          },
        };
      }),
    );
    void texts.loaded.then(() => this.resume()).catch(report);
  }

  /** Whether an open request is about a plan. */
  isAbout(session: Session, request: RequestKey): boolean {
    return session.openCase(request)?.entry.toolKind === 'switch_mode';
  }

  /**
   * Opens the plan of an open request: as a document, or as a diff from the version before. With `isUnsaved`, it has what the user closed
   * without saving it.
   */
  async open(session: Session, request: RequestKey, isUnsaved = false): Promise<void> {
    // Plans of an earlier window are closed by then: their requests may have the same keys.
    await this.texts.loaded;
    const plan = this.openPlan(request) ?? (await this.propose(session, request));
    if (!plan) return;
    if (isUnsaved) this.texts.restoreUnsaved(plan.id);
    this.mark(this.plans.find(({ id }) => id === plan.id) ?? plan);
    this.texts.prepare(plan.id);
    const mine = this.texts.uriOf(plan, 'mine');
    const options = { preview: false, viewColumn: targetColumn() };
    if (plan.about.isFirst) await vscode.commands.executeCommand('vscode.open', mine, options);
    else {
      const title = plainTitle(
        l10n.t('Plan from {0} (changes since the last version)', session.transcript.view.agentName),
      );
      await vscode.commands.executeCommand('vscode.diff', this.texts.uriOf(plan, 'before'), mine, title, options);
    }
    this.context.request();
  }

  /** Plans with something of the user's that no agent has heard of, and that no request is about any more. */
  get kept(): readonly KeptVersion[] {
    const kept = this.plans.filter((plan) => !plan.about.isOpen && isLeft(this.current(plan)));
    return kept.map((plan) => ({ at: plan.at, open: () => this.showKept(plan) }));
  }

  /** Approves a plan. What the user changed in it, and comments that weren't sent, go with the approval. */
  async approve(session: Session, request: RequestKey): Promise<void> {
    const found = this.openPlan(request);
    const options = session.openCase(request)?.options ?? [];
    const allow = options.find(({ kind }) => kind === 'allow_once');
    if (!found || !allow) return;
    const plan = this.current(found);
    const now = { agents: plan.agents, mine: plan.mine, comments: plan.about.comments };
    const { canSteer, sendsAtOnce } = session.transcript.view;
    if (!isEdited(now) && now.comments.every(({ isSent }) => isSent)) session.answerPermission(request, allow.optionId);
    else if (canSteer === true || sendsAtOnce === true) {
      // It is told before the answer shows that the plan was approved, so that nothing is left to send by then.
      this.setTold(plan);
      session.allowEdited(request, allow.optionId);
      session.reply({ text: planPrompt(now, true) });
    } else {
      // The agent would carry out its own plan before it gets the message.
      if (this.reject(session, plan, planPrompt(now, false))) {
        const { agentName } = session.transcript.view;
        const title = l10n.t('{0} gets your changes first and asks again', agentName);
        const description = l10n.t('It can’t receive messages while it works, and would follow its own plan.');
        session.addNotice({ severity: 'info', title, description });
      }
      return;
    }
    await this.texts.close([plan.id]);
  }

  /** Sends the comments and changes with the agent's option that rejects. */
  sendComments(session: Session, request: RequestKey): void {
    const found = this.openPlan(request);
    if (!found) return;
    const plan = this.current(found);
    const { agents, mine, about } = plan;
    this.reject(session, plan, planPrompt({ agents, mine, comments: about.comments }, false));
  }

  /** Does what the user chose for the plan in an editor. */
  async actOn(uri: unknown, action: 'approve' | 'sendComments'): Promise<void> {
    const plan = this.at(uri instanceof vscode.Uri ? uri : vscode.window.activeTextEditor?.document.uri);
    const session = plan && this.sessionOf(plan);
    if (!plan || !session) return;
    if (action === 'approve') await this.approve(session, plan.about.request);
    else this.sendComments(session, plan.about.request);
  }

  /** Adds the comment that the user typed in the editor. */
  addComment(reply: unknown): void {
    const { thread, text } = (reply ?? {}) as Partial<vscode.CommentReply>;
    const found = thread?.uri instanceof vscode.Uri ? this.at(thread.uri) : undefined;
    if (!thread || !found || typeof text !== 'string' || text.trim() === '') return;
    const plan = this.current(found);
    const line = thread.range?.start.line ?? 0;
    const quote = splitLines(plan.mine)[line] ?? '';
    thread.dispose();
    const comment = { id: randomUUID().slice(0, 8), line, quote, text, isSent: false };
    this.setComments(plan, [...plan.about.comments, comment]);
  }

  deleteComment(shown: unknown): void {
    const { planCommentId: id } = (shown ?? {}) as Partial<ShownPlanComment>;
    const plan = this.plans.find(({ about }) => about.comments.some((one) => one.id === id));
    if (!plan) return;
    const { about } = this.current(plan);
    this.setComments(
      plan,
      about.comments.filter((one) => one.id !== id),
    );
  }

  private reject(session: Session, plan: Plan, text: string): boolean {
    const { request } = plan.about;
    const option = session.openCase(request)?.options.find(({ kind }) => kind === 'reject_once');
    if (!option) {
      void showWarning(l10n.t('The agent offers no way to reject this plan, so nothing was sent.'));
      return false;
    }
    this.setTold(plan);
    session.answerPermission(request, option.optionId, { text });
    return true;
  }

  private async propose(session: Session, request: RequestKey): Promise<Plan | undefined> {
    const asked = session.openCase(request);
    const entry = asked && session.transcript.entries.get(asked.entry.id);
    const source = entry?.kind === 'tool_call' ? planSource(session.transcript, entry) : undefined;
    const text = source && ('text' in source ? source.text : await readPlan(source.file, session.transcript.view.cwd));
    if (!entry || text === undefined) {
      void showWarning(l10n.t('Couldn’t read the plan.'));
      return undefined;
    }
    const others = this.plans.filter(({ about }) => about.session === session.key);
    const latest = others.reduce<Plan | undefined>(
      (last, one) => (last && last.about.version > one.about.version ? last : one),
      undefined,
    );
    // Once a plan was approved, the next one is about something else.
    const last = latest && !latest.about.isApproved ? this.current(latest) : undefined;
    const isOpen = session.openCase(request) !== undefined;
    if (last && isSameButLineBreaks(last.agents, text)) {
      // The agent asks again, for example after a reload. What the user typed is still about this text.
      const about = { ...last.about, request, entry: entry.id, isOpen };
      this.texts.change(last.id, { about });
      return { ...last, about };
    }
    const about: PlanText = {
      kind: 'plan',
      session: session.key,
      request,
      entry: entry.id,
      isOpen,
      version: (latest?.about.version ?? 0) + 1,
      isFirst: last === undefined,
      comments: last ? movedComments(last.about.comments, last.mine, text) : [],
      commented: text,
    };
    if (last) this.setComments(last, []);
    for (const other of others) {
      const left = this.plans.find(({ id }) => id === other.id);
      // What the agent hasn't heard of stays where it is.
      if (!left || isLeft(this.current(left))) continue;
      await this.texts.close([left.id]);
      this.showComments({ ...left, about: { ...left.about, comments: [] } });
      this.texts.remove(left.id);
    }
    const plan = this.texts.add({ name: 'Plan.md', before: last?.mine ?? '', agents: text, about }) as Plan;
    this.showComments(plan);
    return plan;
  }

  /** Shows a plan beside the agent's text. */
  private async showKept(plan: Plan): Promise<void> {
    if (!isEdited(this.current(plan))) this.texts.restoreUnsaved(plan.id);
    await this.texts.showMine(plan, this.texts.uriOf(plan, 'agents'));
  }

  /** Closes the plans of earlier windows, whose requests ended with them, and shows their comments. */
  private resume(): void {
    for (const { id, about } of this.plans)
      if (about.isOpen) this.texts.change(id, { about: { ...about, isOpen: false } });
    for (const { key } of this.pool.sessions) this.showCommentsOf(key);
    this.context.request();
  }

  /** Closes plans whose requests have an answer. They stay, for the next version. */
  private look(session: Session): void {
    for (const plan of this.plans) {
      const { about } = plan;
      if (about.session !== session.key || !about.isOpen) continue;
      const entry = session.transcript.entries.get(about.entry);
      const permission = entry?.kind === 'tool_call' ? entry.permission : undefined;
      if (permission?.state === 'asked' && permission.request === about.request) continue;
      const isApproved = permission?.state === 'answered' && permission.option.kind.startsWith('allow');
      const closed: Plan = { ...plan, about: { ...about, isOpen: false, isApproved } };
      this.texts.change(plan.id, { about: closed.about });
      if (isApproved && isUntold(this.current(closed))) this.offer(session, closed);
      else if (isApproved) this.setComments(closed, []);
      this.context.request();
    }
  }

  /** Says that the agent’s own plan was approved, and offers to send what the user wrote about it. */
  private offer(session: Session, plan: Plan): void {
    const { agentName } = session.transcript.view;
    const send = l10n.t('Send Them');
    const sentence = l10n.t('You approved {0}’s plan without your changes and comments. They’re kept.', agentName);
    void showWarning(sentence, send).then((answer) => {
      const left = answer === send ? this.plans.find(({ id }) => id === plan.id) : undefined;
      if (!left) return;
      const { agents, mine, about } = this.current(left);
      const text = planPrompt({ agents, mine, comments: about.comments }, true);
      this.setTold(this.current(left));
      session.reply({ text });
    }, this.report);
  }

  /** Notes that the agent has the user's version and the comments. */
  private setTold(plan: Plan): void {
    const comments = plan.about.comments.map((one) => ({ ...one, isSent: true }));
    this.setComments({ ...plan, about: { ...plan.about, told: plan.mine } }, comments);
  }

  /** Shows in the chat whether approving a plan sends something. */
  private mark(plan: Plan): void {
    if (!plan.about.isOpen) return;
    const now = this.current(plan);
    const hasUnsaved = (plan.unsaved ?? []).length > 0;
    const edited = { isEdited: isEdited(now) || hasDrafts(now), hasUnsaved };
    this.sessionOf(plan)?.markEdited(plan.about.request, edited);
    this.context.request();
  }

  /** Returns a plan as it is now, with its comments at the lines where their text is. */
  private current(plan: Plan): Plan {
    const mine = this.texts.mine(plan);
    const { about } = plan;
    const { comments, commented } = about;
    if (commented === mine) return { ...plan, mine };
    return { ...plan, mine, about: { ...about, comments: movedComments(comments, commented, mine), commented: mine } };
  }

  /** Changes the comments of a plan as it is now. */
  private setComments(plan: Plan, comments: readonly PlanComment[]): void {
    const about = { ...plan.about, comments, commented: this.texts.mine(plan) };
    this.texts.change(plan.id, { about });
    this.showComments({ ...plan, about });
    this.mark({ ...plan, about });
    this.context.request();
  }

  private showCommentsOf(session: SessionKey): void {
    for (const plan of this.plans) if (plan.about.session === session) this.showComments(this.current(plan));
  }

  private hideCommentsOf(session: SessionKey): void {
    for (const { about } of this.plans) {
      if (about.session !== session) continue;
      for (const { id } of about.comments) {
        this.threads.get(id)?.dispose();
        this.threads.delete(id);
      }
    }
  }

  private showComments(plan: Plan): void {
    const uri = this.texts.uriOf(plan, 'mine');
    const { comments } = plan.about;
    for (const [id, thread] of this.threads) {
      if (thread.uri.toString() !== uri.toString() || comments.some((one) => one.id === id)) continue;
      thread.dispose();
      this.threads.delete(id);
    }
    for (const { id, line, text, isSent } of comments) {
      const range = new vscode.Range(line, 0, line, 0);
      const shown = this.threads.get(id);
      const thread = shown ?? this.controller.createCommentThread(uri, range, []);
      if (thread.range?.start.line !== line) thread.range = range;
      const author = { name: l10n.t('You') };
      const comment: ShownPlanComment = { planCommentId: id, body: text, mode: vscode.CommentMode.Preview, author };
      thread.comments = [comment];
      thread.canReply = false;
      const sentLabel = plan.about.isOpen ? l10n.t('Sent with an earlier version') : l10n.t('Sent');
      thread.label = isSent ? sentLabel : l10n.t('Not sent yet');
      if (!shown) thread.collapsibleState = vscode.CommentThreadCollapsibleState.Expanded;
      this.threads.set(id, thread);
    }
  }

  private updateContext(): void {
    if (this.isDisposed) return;
    const open = this.plans.filter(({ about }) => about.isOpen);
    const set = (key: string, plans: readonly Plan[]) =>
      void vscode.commands.executeCommand(
        'setContext',
        key,
        plans.map((plan) => this.texts.uriOf(plan, 'mine')),
      );
    // With a provider, VS Code asks about every file that is shown, and holds its document.
    const controller: { commentingRangeProvider?: vscode.CommentingRangeProvider | undefined } = this.controller;
    const ranges = open.length > 0 ? this.ranges : undefined;
    if (controller.commentingRangeProvider !== ranges) controller.commentingRangeProvider = ranges;
    set('parley.openPlans', open);
    set(
      'parley.changedPlans',
      open.filter((plan) => isEdited(plan) || hasDrafts(plan)),
    );
  }

  private get plans(): readonly Plan[] {
    return this.texts.all.filter((text): text is Plan => isPlan(text.about));
  }

  private openPlan(request: RequestKey): Plan | undefined {
    return this.plans.find(({ about }) => about.isOpen && about.request === request);
  }

  private at(uri: vscode.Uri | undefined): Plan | undefined {
    const id = uri && this.texts.idOf(uri);
    return id === undefined ? undefined : this.plans.find((plan) => plan.id === id);
  }

  private sessionOf({ about }: Plan): Session | undefined {
    return this.pool.sessions.find(({ key }) => key === about.session);
  }
}

/** Reads the file of a plan, which agents keep in their own folders. Resolves to undefined if that isn't possible. */
async function readPlan(file: string, cwd: string): Promise<string | undefined> {
  const plain = withoutScheme(file);
  const path = isAbsolute(plain) ? plain : join(cwd, plain);
  if (isForeignShare(path, cwd) || !/\.md$/i.test(path)) return undefined;
  return readFile(path, 'utf8').catch(() => undefined);
}

function hasDrafts({ about }: Plan): boolean {
  return about.comments.some(({ isSent }) => !isSent);
}

/** Whether the agent hasn't heard of something that the user wrote in a plan or about it. */
function isUntold(plan: Plan): boolean {
  const { agents, mine, about } = plan;
  return hasDrafts(plan) || (isEdited(plan) && !isSameButLineBreaks(about.told ?? agents, mine));
}

/** Whether there is something of the user's that isn't anywhere else. */
function isLeft(plan: Plan): boolean {
  return isUntold(plan) || (plan.unsaved ?? []).length > 0;
}

/** Whether a text is a plan. What was stored may be damaged. */
function isPlan(about: unknown): about is PlanText {
  if (!isRecord(about) || about['kind'] !== 'plan') return false;
  return Array.isArray(about['comments']) && typeof about['commented'] === 'string';
}
