import type { ElicitationAnswer } from './elicitation';
import type { AgentId, EntryId, RequestKey, SessionId, SessionKey, TerminalId, ToolCallId } from './ids';
import type { Attachment, SavableBlock } from './content';
import type { ReviewFile, ReviewScope, RestorePreview } from './review';
import type { TranscriptOp, TranscriptSnapshot } from './ops';
import type { Entry, ErrorAction } from './transcript';

/** An agent the user can start. */
export interface AgentListing {
  readonly agentId: AgentId;
  readonly name: string;
  /** One line below the name: a command line, or what the agent is for. */
  readonly detail: string;
  readonly source: 'settings' | 'builtin' | 'registry';
  /** Who is logged in, while the agent runs and tells; never stored. */
  readonly account?: string;
}

/** A live session, as tabs and pickers show it. */
export interface SessionListing {
  readonly session: SessionKey;
  readonly title: string;
  readonly agentName: string;
  readonly state: 'starting' | 'idle' | 'running' | 'requires_action' | 'closed';
}

/** A file that the user can mention: its path below the workspace, as people read it. */
export interface MentionedFile {
  readonly uri: string;
  readonly name: string;
  readonly path: string;
}

/** What the user does to a message that waits. Places count from 0. */
export type QueueChange =
  | { readonly kind: 'move'; readonly to: number }
  /** `stopAndSend` stops the running turn for it, `steer` puts it into that turn. */
  | { readonly kind: 'remove' | 'steer' | 'stopAndSend' };

/** What the page shows around the transcript; small, and always sent whole. */
export interface PageState {
  readonly trusted: boolean;
  /** Name of the folder a new session works in; empty when no folder is open. */
  readonly folder: string;
  readonly agents: readonly AgentListing[];
  readonly defaultAgent: AgentId;
  readonly sessions: readonly SessionListing[];
  /** The session this page shows; none on the start page. */
  readonly active: SessionKey | '';
  /** Whether the page stands in the side bar view or in an editor tab. */
  readonly host: 'view' | 'editor';

  /** BCP 47 language tag for numbers and times. */
  readonly locale: string;
}

/** From the extension host to the chat page. */
export type ToWebview =
  /** Answer to `ready`, and again whenever something in it changes. */
  | { readonly type: 'page'; readonly page: PageState }
  /** The whole session: first thing after `ready`, after a switch of session, and after a gap in revisions. */
  | { readonly type: 'snapshot'; readonly session: SessionKey; readonly snapshot: TranscriptSnapshot }
  /** Changes that lead from revision `from` to revision `to`. */
  | {
      readonly type: 'ops';
      readonly session: SessionKey;
      readonly from: number;
      readonly to: number;
      readonly ops: readonly TranscriptOp[];
    }
  /** Older entries that `fetchOlder` asked for, oldest first. `omitted` is how many are still left out. */
  | {
      readonly type: 'older';
      readonly session: SessionKey;
      readonly entries: readonly Entry[];
      readonly omitted: number;
    }
  /** Files of a session that wait for the user's review, sent whole when something in it changes. */
  | { readonly type: 'changes'; readonly session: SessionKey; readonly files: readonly ReviewFile[] }
  /** The user messages of a session whose files can be restored; sent whole when that changes. */
  | { readonly type: 'checkpoints'; readonly session: SessionKey; readonly entries: readonly EntryId[] }
  /** Answer to `previewRestore`; and to `restore` when there is something that the user has not seen: nothing is written then. */
  | { readonly type: 'restorePreview'; readonly session: SessionKey; readonly preview: RestorePreview }
  /** Answer to `restore` that is through, or did not come to anything, in a sentence; the transcript has a notice. */
  | {
      readonly type: 'restored';
      readonly session: SessionKey;
      readonly entry: EntryId;
      readonly sentence: string;
    }
  /** Put the text cursor into the composer. `draft`, if given, becomes its text when it is empty. */
  | { readonly type: 'focusComposer'; readonly draft?: string }
  /** Put the focus on the oldest open request (its group, never an option). */
  | { readonly type: 'focusRequest' }
  /** Bring this entry to the reader and put the focus on it. */
  | { readonly type: 'revealEntry'; readonly session: SessionKey; readonly entry: EntryId }
  /** Answer to `findFiles`, best first. */
  | { readonly type: 'foundFiles'; readonly query: string; readonly files: readonly MentionedFile[] }
  /** Goes along with the message that is being written. */
  | { readonly type: 'attach'; readonly attachments: readonly Attachment[] }
  /** A prompt was not taken (no agent could be asked): it goes back into the composer. */
  | { readonly type: 'promptReturned'; readonly text: string; readonly attachments?: readonly Attachment[] };

/** From the chat page to the extension host: what the user wants. */
export type FromWebview =
  /** The page is there, with what it last showed; without a session it remembers nothing. */
  | { readonly type: 'ready'; readonly session?: SessionKey | ''; readonly rev: number }
  /** Send a message; without a session one is opened with `agent`, else with the default agent. */
  | {
      readonly type: 'sendPrompt';
      readonly session: SessionKey | '';
      readonly text: string;
      readonly attachments?: readonly Attachment[];
      readonly agent?: AgentId;
    }
  | {
      readonly type: 'changeQueue';
      readonly session: SessionKey;
      readonly id: string;
      readonly change: QueueChange;
    }
  /** Send what waits although the user has stopped a turn. */
  | { readonly type: 'resumeQueue'; readonly session: SessionKey }
  /** Which files of the workspace fit what is typed behind an @? */
  | { readonly type: 'findFiles'; readonly query: string }
  /** Let the user choose what goes along with the message. */
  | { readonly type: 'addContext' }
  /** Files were dropped on the composer. */
  | { readonly type: 'attachUris'; readonly uris: readonly string[] }
  /** Save bytes that came in a message; open a text that did. */
  | { readonly type: 'saveContent'; readonly block: SavableBlock }
  | { readonly type: 'openText'; readonly uri: string; readonly text: string }
  | { readonly type: 'cancelTurn'; readonly session: SessionKey }
  | {
      readonly type: 'answerPermission';
      readonly session: SessionKey;
      readonly request: RequestKey;
      readonly optionId: string;
    }
  /** Answer a form; `accept` of an address opens it, and counts when it could be opened. */
  | {
      readonly type: 'answerElicitation';
      readonly session: SessionKey;
      readonly request: RequestKey;
      readonly answer: ElicitationAnswer;
    }
  /** Open a session with this agent. */
  | { readonly type: 'startAgent'; readonly agent: AgentId }
  /** Stop waiting for an agent that starts or a session that opens. */
  | { readonly type: 'cancelStart'; readonly session: SessionKey }
  | { readonly type: 'selectSession'; readonly session: SessionKey | '' }
  | { readonly type: 'closeSession'; readonly session: SessionKey }
  | { readonly type: 'newSession' }
  /** Open a file at a line (from 1); a relative path counts from the session's folder. */
  | { readonly type: 'openLocation'; readonly session: SessionKey; readonly path: string; readonly line?: number }
  /** Show the diff at `index` of a tool call's content in a diff editor. */
  | { readonly type: 'openDiff'; readonly session: SessionKey; readonly toolCall: ToolCallId; readonly index: number }
  /** Open a link; VS Code asks before it leaves the editor. */
  | { readonly type: 'openLink'; readonly href: string }
  | { readonly type: 'openTerminal'; readonly session: SessionKey; readonly terminal: TerminalId }
  | { readonly type: 'stopTerminal'; readonly session: SessionKey; readonly terminal: TerminalId }
  | { readonly type: 'stopSubagent'; readonly session: SessionKey; readonly subagent: SessionId }
  /** The page's terminal view has this many columns and rows. */
  | {
      readonly type: 'resizeTerminal';
      readonly session: SessionKey;
      readonly terminal: TerminalId;
      readonly columns: number;
      readonly rows: number;
    }
  | {
      readonly type: 'setConfigOption';
      readonly session: SessionKey;
      readonly configId: string;
      readonly value: string | boolean;
    }
  | {
      readonly type: 'errorAction';
      readonly session: SessionKey | '';
      readonly entry: EntryId | '';
      readonly action: ErrorAction;
    }
  /** Log in to the session's agent by one of the ways that its card offers. */
  | { readonly type: 'login'; readonly session: SessionKey; readonly methodId: string }
  | { readonly type: 'cancelLogin'; readonly session: SessionKey }
  /** Open the multi-file diff of these changes, or keep or undo them. */
  | {
      readonly type: 'reviewChanges';
      readonly session: SessionKey;
      readonly action: 'open' | 'keep' | 'undo';
      readonly scope: ReviewScope;
    }
  /** The same for one file; `show` opens the file itself at its first change. */
  | {
      readonly type: 'reviewFile';
      readonly session: SessionKey;
      readonly action: 'show' | 'compare' | 'keep' | 'undo';
      readonly uri: string;
      readonly scope: ReviewScope;
    }
  /** What would happen to the files if they went back to before this message? */
  | { readonly type: 'previewRestore'; readonly session: SessionKey; readonly entry: EntryId }
  /** Show what one file of a preview would become in a diff editor. */
  | {
      readonly type: 'compareRestore';
      readonly session: SessionKey;
      readonly entry: EntryId;
      readonly uri: string;
    }
  /** Files go back to before this message; `text` is then sent as a message in its place. */
  | {
      readonly type: 'restore';
      readonly session: SessionKey;
      readonly entry: EntryId;
      /** URIs that were shown with a conflict and are to be restored all the same. */
      readonly overwrite: readonly string[];
      readonly text?: string;
    }
  /** Take the restore back that this notice tells of. */
  | { readonly type: 'undoRestore'; readonly session: SessionKey; readonly entry: EntryId }
  | { readonly type: 'fetchOlder'; readonly session: SessionKey; readonly before: EntryId }
  /** A gap in revisions: send the whole session again. */
  | { readonly type: 'fetchSnapshot'; readonly session: SessionKey }
  | { readonly type: 'insertAtCursor'; readonly text: string }
  | { readonly type: 'copyText'; readonly text: string }
  /** Something went wrong in the page; for the log. */
  | { readonly type: 'pageError'; readonly message: string };

/** What a page keeps in its own `setState`: nothing that the host does not have but the draft and the view. */
export interface PageMemory {
  /** What is on screen: empty for a start page that the user has chosen, absent for one that is there for want of sessions. */
  readonly session?: SessionKey | '';
  readonly drafts: Readonly<Record<string, string>>;
  /** What goes along with the drafts. */
  readonly attachments: Readonly<Record<string, readonly Attachment[]>>;
  readonly expanded: readonly string[];
  /** What was typed into forms that are not answered yet, by request. */
  readonly forms: Readonly<Record<string, unknown>>;
  readonly scroll: { readonly anchor: EntryId | ''; readonly offset: number; readonly atEnd: boolean };
  readonly sessionId: SessionId | '';
}
