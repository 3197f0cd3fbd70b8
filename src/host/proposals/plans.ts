import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { isForeignShare } from '../../disk/paths';
import { isSameButLineBreaks, splitLines } from '../../review/lines';
import { movedComments, planPrompt, type PlanComment } from '../../review/planComments';
import type { Session } from '../../session/session';
import { Disposable } from '../../shared/disposable';
import type { EntryId, RequestKey, SessionKey } from '../../shared/ids';
import { isRecord } from '../../shared/isRecord';
import { planSource } from '../../shared/planSource';
import { Coalesced } from '../base/coalesce';
import { eachSession, type SessionPool } from '../base/eachSession';
import { withoutScheme } from '../base/filePaths';
import { plainTitle } from '../ui/labels';
import { showWarning } from '../ui/notifications';
import { targetColumn } from '../ui/targetColumn';
import type { ProposalText, ProposalTexts } from './proposalTexts';

/** A plan that an agent asks about. */
interface PlanText {
  readonly kind: 'plan';
  readonly session: SessionKey;
  readonly request: RequestKey;
  readonly entry: EntryId;
  readonly isOpen: boolean;
  readonly isFirst: boolean;
  readonly comments: readonly PlanComment[];
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
    this.register(
      texts.onDidType((id) => {
        const plan = this.plans.find((one) => one.id === id);
        if (!plan?.about.isOpen) return;
        this.sessionOf(plan)?.markEdited(plan.about.request, isEdited(plan));
        this.context.request();
      }),
    );
    this.register(eachSession(pool, (session) => session.onDidApply(() => this.look(session))));
    void texts.loaded
      .then(() => {
        for (const session of pool.sessions) this.look(session);
        this.context.request();
      })
      .catch(report);
  }

  /** Whether an open request is about a plan. */
  isAbout(session: Session, request: RequestKey): boolean {
    return session.openCase(request)?.entry.toolKind === 'switch_mode';
  }

  /** Opens the plan of an open request: as a document, or as a diff from the version before. */
  async open(session: Session, request: RequestKey): Promise<void> {
    const plan = this.plans.find(({ about }) => about.request === request) ?? (await this.propose(session, request));
    if (!plan) return;
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

  /** Approves a plan. What the user changed in it, and comments that weren't sent, go with the approval. */
  async approve(session: Session, request: RequestKey): Promise<void> {
    const plan = this.plans.find(({ about }) => about.request === request);
    const options = session.openCase(request)?.options ?? [];
    const allow = options.find(({ kind }) => kind === 'allow_once');
    if (!plan || !allow) return;
    const now = { agents: plan.agents, mine: this.texts.mine(plan), comments: plan.about.comments };
    const { canSteer, sendsAtOnce } = session.transcript.view;
    if (!isEdited(now) && now.comments.every(({ isSent }) => isSent)) session.answerPermission(request, allow.optionId);
    else if (canSteer === true || sendsAtOnce === true) {
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
    const plan = this.plans.find(({ about }) => about.request === request);
    if (!plan) return;
    const { agents, about } = plan;
    this.reject(session, plan, planPrompt({ agents, mine: this.texts.mine(plan), comments: about.comments }, false));
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
    const { thread, text } = reply as vscode.CommentReply;
    const plan = this.at(thread.uri);
    if (!plan || text.trim() === '') return;
    const line = thread.range?.start.line ?? 0;
    const quote = splitLines(this.texts.mine(plan))[line] ?? '';
    thread.dispose();
    const comment = { id: randomUUID().slice(0, 8), line, quote, text, isSent: false };
    this.setComments(plan, [...plan.about.comments, comment]);
  }

  deleteComment(shown: unknown): void {
    const { planCommentId: id } = shown as Partial<ShownPlanComment>;
    const plan = this.plans.find(({ about }) => about.comments.some((one) => one.id === id));
    if (plan)
      this.setComments(
        plan,
        plan.about.comments.filter((one) => one.id !== id),
      );
  }

  private reject(session: Session, plan: Plan, text: string): boolean {
    const { request, comments } = plan.about;
    const option = session.openCase(request)?.options.find(({ kind }) => kind === 'reject_once');
    if (!option) {
      void showWarning(l10n.t('The agent offers no way to reject this plan, so nothing was sent.'));
      return false;
    }
    this.setComments(
      plan,
      comments.map((one) => ({ ...one, isSent: true })),
    );
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
    const last = this.plans.filter(({ about }) => about.session === session.key).at(-1);
    const about: PlanText = {
      kind: 'plan',
      session: session.key,
      request,
      entry: entry.id,
      isOpen: session.openCase(request) !== undefined,
      isFirst: last === undefined,
      comments: last ? movedComments(last.about.comments, last.mine, text) : [],
    };
    if (last) {
      await this.texts.close([last.id]);
      this.setComments(last, []);
      this.texts.remove(last.id);
    }
    const plan = this.texts.add({ name: 'Plan.md', before: last?.mine ?? '', agents: text, about }) as Plan;
    this.showComments(plan);
    return plan;
  }

  /** Closes plans whose requests have an answer. They stay, for the next version. */
  private look(session: Session): void {
    for (const plan of this.plans) {
      const { about } = plan;
      if (about.session !== session.key || !about.isOpen) continue;
      if (session.openCase(about.request) !== undefined) continue;
      this.texts.change(plan.id, { about: { ...about, isOpen: false } });
      this.context.request();
    }
  }

  private setComments(plan: Plan, comments: readonly PlanComment[]): void {
    const about = { ...plan.about, comments };
    this.texts.change(plan.id, { about });
    this.showComments({ ...plan, about });
    this.context.request();
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
      const thread = this.threads.get(id) ?? this.controller.createCommentThread(uri, range, []);
      const author = { name: l10n.t('You') };
      const comment: ShownPlanComment = { planCommentId: id, body: text, mode: vscode.CommentMode.Preview, author };
      thread.comments = [comment];
      thread.canReply = false;
      thread.label = isSent ? l10n.t('Sent with an earlier version') : l10n.t('Not sent yet');
      thread.collapsibleState = vscode.CommentThreadCollapsibleState.Expanded;
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
    const isChanged = (plan: Plan) => isEdited(plan) || plan.about.comments.some(({ isSent }) => !isSent);
    set('parley.openPlans', open);
    set('parley.changedPlans', open.filter(isChanged));
  }

  private get plans(): readonly Plan[] {
    return this.texts.all.filter((text): text is Plan => isRecord(text.about) && text.about['kind'] === 'plan');
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

function isEdited({ agents, mine }: Pick<ProposalText, 'agents' | 'mine'>): boolean {
  return !isSameButLineBreaks(agents, mine);
}
