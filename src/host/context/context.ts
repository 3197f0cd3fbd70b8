import * as vscode from 'vscode';
import { Disposable } from '../../shared/values/disposable';
import type { Attachment } from '../../shared/transcript/content';
import type { Mention } from '../../shared/pages/messages';
import type { ChatPage } from '../pages/chatPage';
import type { IntentOf } from '../pages/intent';
import { attachmentOf } from './attachments/attach';
import { splitPlace, uriOfWindow } from './attachments/pageUri';
import { foundHere } from './mentions/foundHere';
import { CopiedCode } from './attachments/copiedCode';
import { ChangeMentions, CommitMentions } from './mentions/gitMentions';
import { linkMentions, Mentions, type MentionSources } from './mentions/mentions';
import { openAttachment, previewOf } from './attachments/preview';
import { ProblemMentions } from './mentions/problems';
import { readContext } from './attachments/readContext';
import { saveContent } from './attachments/savedFile';
import { SessionMentions, type MentionableSessions } from './mentions/sessionMentions';
import { ShownTexts } from './attachments/shownTexts';
import { changesAttachments, groupAttachments, isChange, isChangeGroup } from './mentions/sourceControl';
import { SymbolMentions } from './mentions/symbolMentions';
import type { TerminalCommands } from './mentions/terminalCommands';
import { TerminalMentions } from './mentions/terminalMentions';
import { worktreeOf } from '../../worktree/made/worktreeOf';
import { WorkspaceFiles } from './search/workspaceFiles';

/** A page's requests about attachments, or about content that an agent sent. */
export type ContextIntent = IntentOf<
  | 'findMentions'
  | 'takeMention'
  | 'attachUris'
  | 'findPasted'
  | 'readClipboard'
  | 'findTextless'
  | 'previewAttachment'
  | 'openAttachment'
  | 'saveContent'
  | 'openText'
>;

/** A page, and the session that it shows. */
type AskingPage = Pick<ChatPage, 'post'> & {
  readonly session?: { readonly transcript: { readonly view: { readonly cwd: string } } } | undefined;
};

/** Finds, reads, and selects attachments for messages. Saves and opens content of messages. */
export class Context extends Disposable {
  /** What finds mentions, by the folder of a worktree; empty for the workspace. */
  private readonly mentions = new Map<string, Mentions>();
  private readonly sources: MentionSources;
  /** What each page searches for. */
  private readonly asked = new WeakMap<object, ContextIntent>();
  private readonly copied: Pick<CopiedCode, 'find'>;
  private readonly texts = this.register(new ShownTexts());

  /** `sources` find what isn't a file. `copied` has seen what was copied so far. */
  constructor(sources: MentionSources = {}, copied?: CopiedCode) {
    super();
    this.sources = sources;
    this.copied = copied ?? this.register(new CopiedCode());
  }

  /** Handles the page's request. Rejects with a sentence. */
  async handle(page: AskingPage, message: ContextIntent): Promise<void> {
    switch (message.type) {
      case 'findMentions': {
        const { query } = message;
        this.asked.set(page, message);
        const answer = (mentions: readonly Mention[]) => page.post({ type: 'foundMentions', query, mentions });
        await this.mentionsFor(page).find(query, answer, () => this.asked.get(page) !== message);
        return;
      }
      case 'takeMention':
        await this.takeMention(page, message.id);
        return;
      case 'attachUris':
        await this.attachDropped(page, message.uris);
        return;
      case 'findPasted': {
        const attachment = await this.copied.find(message.text);
        page.post({ type: 'foundPasted', id: message.id, ...(attachment && { attachment }) });
        return;
      }
      case 'readClipboard':
        page.post({ type: 'clipboardText', text: await vscode.env.clipboard.readText() });
        return;
      case 'findTextless':
        page.post({ type: 'foundTextless', uris: await textless(message.uris) });
        return;
      case 'previewAttachment':
        page.post({ type: 'attachmentPreview', uri: message.uri, ...(await previewOf(message.uri)) });
        return;
      case 'openAttachment':
        await openAttachment(message.uri);
        return;
      case 'saveContent':
        await saveContent(message.block);
        return;
      case 'openText':
        await this.texts.open(message.uri, message.text);
    }
  }

  /**
   * Returns attachments for the arguments of a command in a menu. Source Control passes its changes or a group of them,
   * the Explorer the file under the pointer and all selected files, and a tab its file and place. Without arguments, the
   * active editor is meant.
   */
  async fromMenu(args: readonly unknown[]): Promise<Attachment[]> {
    const [first, second] = args;
    if (isChangeGroup(first)) return groupAttachments(first);
    if (isChange(first)) return changesAttachments(args.filter(isChange));
    const editor = vscode.window.activeTextEditor;
    const isTab = typeof second === 'object' && second !== null && !Array.isArray(second);
    const listed: readonly unknown[] = Array.isArray(second) ? second : [];
    const uris = (listed.length > 0 ? listed : [first ?? editor?.document.uri]).filter(
      (uri): uri is vscode.Uri => uri instanceof vscode.Uri,
    );
    const isEditors = !isTab && listed.length === 0 && editor?.document.uri.toString() === uris[0]?.toString();
    return Promise.all(uris.map((uri) => attachmentOf(uri, isEditors ? editor?.selection : undefined)));
  }

  /** Adds attachments to the message being typed. */
  give(page: Pick<ChatPage, 'post'>, attachments: readonly Attachment[]): void {
    if (attachments.length > 0) page.post({ type: 'attach', attachments });
    page.post({ type: 'focusComposer' });
  }

  private mentionsFor({ session }: AskingPage): Mentions {
    const cwd = session?.transcript.view.cwd ?? '';
    const folder = worktreeOf(cwd) ? cwd : '';
    const known = this.mentions.get(folder);
    if (known) return known;
    const files = this.register(new WorkspaceFiles(folder === '' ? undefined : folder));
    const mentions = this.register(new Mentions(files, this.sources, foundHere));
    this.mentions.set(folder, mentions);
    return mentions;
  }

  /** Attaches a mention. The page is answered in any case, because it waits for the attachments. */
  private async takeMention(page: AskingPage, id: string): Promise<void> {
    let attachments: readonly Attachment[] = [];
    try {
      attachments = await this.mentionsFor(page).take(id);
    } finally {
      page.post({ type: 'tookMention', id, attachments });
    }
  }

  /** Attaches what was dropped. If some of it can't be attached, the rest still is. */
  private async attachDropped(page: Pick<ChatPage, 'post'>, uris: readonly string[]): Promise<void> {
    const results = await Promise.allSettled(uris.map((uri) => droppedAttachment(uri)));
    this.give(
      page,
      results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : [])),
    );
    const failed = results.find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
  }
}

/** What is found in this window. Loaded with the first use of it, so what has to be seen from the start is given. */
export function contextOfWindow(
  sessions: MentionableSessions,
  seen: { readonly copied: CopiedCode; readonly commands: TerminalCommands },
): Context {
  const sources = {
    symbol: new SymbolMentions(),
    problem: new ProblemMentions(),
    change: new ChangeMentions(),
    commit: new CommitMentions(),
    terminal: new TerminalMentions(seen.commands),
    session: new SessionMentions(sessions),
    link: linkMentions,
  };
  return new Context(sources, seen.copied);
}

/** Returns the files that are sent as links, because there is no text of them to send. */
async function textless(uris: readonly string[]): Promise<readonly string[]> {
  const texts = await Promise.all(uris.map(async (uri) => ((await readContext(uri)) === undefined ? uri : [])));
  return texts.flat();
}

function droppedAttachment(address: string): Promise<Attachment> {
  const { uri, place } = splitPlace(uriOfWindow(vscode.Uri.parse(address), vscode.env.remoteName));
  return attachmentOf(uri, place);
}
